import type { Route } from '#kernel/http/route'
import { section } from '#kernel/resource/section'
import { apiKeyTable } from '#projections/panel/api-keys'
import { eitherOf, holdersOf, streamOwner } from '../access/audiences.ts'
import { apiKeys } from './decider.ts'
import { mailIdleKeys, noteIdleKeys } from './reactions.ts'
import { apiKeyRoutes } from './routes.ts'

export const apiKeysSection = (allRoutes: () => readonly Route[]) =>
  section({
    name: 'api-keys',
    deciders: [apiKeys],
    visibleTo: { apiKeys: eitherOf(streamOwner, holdersOf('users:view')) },
    readModels: [apiKeyTable],
    routes: apiKeyRoutes(allRoutes),
    reactions: [mailIdleKeys],
    timers: [noteIdleKeys],
  })
