import { section } from '#kernel/resource/section'
import { userSessionTable } from '#projections/panel/auth'
import { noAccount, streamOwner } from '../access/audiences.ts'
import { userSessions } from './decider.ts'
import { userLinkRequestEvents, userLoginEvents, userSessionEvents } from './events.ts'
import { createRequestedLinks, eraseLinkRequests, userLinks, userNotices } from './reactions.ts'
import { authRoutes } from './routes.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { sseTokens } from './sse-token/decider.ts'
import { sseTokenEvents } from './sse-token/events.ts'
import { sseTokenRoutes } from './sse-token/routes.ts'

export const authSection = section({
  name: 'auth',
  streams: [userSessionEvents, userLoginEvents, userLinkRequestEvents, sseTokenEvents],
  deciders: [userSessions, sseTokens],
  visibleTo: {
    userSessions: streamOwner,
    userLogins: streamOwner,
    userLinkAsks: noAccount,
    sseToken: noAccount,
  },
  readModels: [userSessionTable],
  routes: [...authRoutes, ...sessionRoutes, ...sseTokenRoutes],
  reactions: [createRequestedLinks, userLinks, userNotices],
  timers: [eraseLinkRequests],
})
