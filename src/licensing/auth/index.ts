import { section } from '#kernel/resource/section'
import { staffSessionTable } from '#projections/licensing/auth'
import { streamOwner } from '../access/audiences.ts'
import { staffSessions } from './decider.ts'
import { staffLoginEvents, staffSessionEvents } from './events.ts'
import { authRoutes } from './routes.ts'
import { sessionRoutes } from './sessions/routes.ts'

export const authSection = section({
  name: 'auth',
  streams: [staffSessionEvents, staffLoginEvents],
  visibleTo: { staffSessions: streamOwner },
  deciders: [staffSessions],
  readModels: [staffSessionTable],
  routes: [...authRoutes, ...sessionRoutes],
})
