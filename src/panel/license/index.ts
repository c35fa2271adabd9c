import { section } from '#kernel/resource/section'
import { holdersOf } from '../access/audiences.ts'
import { panelLicense } from './decider.ts'
import { licenseHeartbeats, mailGraceReminder, remindOfGrace } from './reactions.ts'
import { licenseRoutes } from './routes.ts'

export const licenseSection = section({
  name: 'license',
  deciders: [panelLicense],
  visibleTo: { license: holdersOf('license:view') },
  routes: licenseRoutes,
  reactions: [mailGraceReminder],
  timers: [licenseHeartbeats, remindOfGrace],
})
