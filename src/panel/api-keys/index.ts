import type { Route } from '#kernel/http/route'
import { section } from '#kernel/resource/section'
import { apiKeyTable } from '#projections/panel/api-keys'
import { apiKeys } from './decider.ts'
import { apiKeyEvents } from './events.ts'
import { mailIdleKeys, noteIdleKeys } from './reactions.ts'
import { apiKeyRoutes } from './routes.ts'

export const apiKeysSection = (allRoutes: () => readonly Route[]) =>
  section({
    name: 'api-keys',
    streams: [apiKeyEvents],
    deciders: [apiKeys],
    readModels: [apiKeyTable],
    routes: apiKeyRoutes(allRoutes),
    reactions: [mailIdleKeys],
    timers: [noteIdleKeys],
  })
