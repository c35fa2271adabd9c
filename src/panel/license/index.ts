import { section } from '#kernel/resource/section'
import { panelLicense } from './decider.ts'
import { panelLicenseEvents } from './events.ts'
import { licenseHeartbeats, mailGraceReminder, remindOfGrace } from './reactions.ts'
import { licenseRoutes } from './routes.ts'

export const licenseSection = section({
  name: 'license',
  streams: [panelLicenseEvents],
  deciders: [panelLicense],
  routes: licenseRoutes,
  reactions: [mailGraceReminder],
  timers: [licenseHeartbeats, remindOfGrace],
})
