import { section } from '#kernel/resource/section'
import { staffTable } from '#projections/licensing/staff'
import { streamOwner } from '../access/audiences.ts'
import { staffAccounts, staffRoster } from './decider.ts'
import { staffEvents, staffRosterEvents } from './events.ts'
import { staffReactions } from './reactions.ts'
import { staffRoutes } from './routes.ts'

export const staffSection = section({
  name: 'staff',
  streams: [staffEvents, staffRosterEvents],
  visibleTo: { staff: streamOwner },
  deciders: [staffAccounts, staffRoster],
  readModels: [staffTable],
  routes: staffRoutes,
  reactions: staffReactions,
})
