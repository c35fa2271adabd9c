import { section } from '#kernel/resource/section'
import { licenseTable } from '#projections/licensing/licenses'
import { licenseReads } from './events.ts'
import { noteExpiries } from './reactions.ts'
import { licenseRoutes } from './routes.ts'

export const licensesSection = section({
  name: 'licenses',
  streams: [licenseReads],
  readModels: [licenseTable],
  routes: licenseRoutes,
  timers: [noteExpiries],
})
