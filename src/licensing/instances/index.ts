import { section } from '#kernel/resource/section'
import { instanceTable, offlineLeaseTable } from '#projections/licensing/instances'
import { licenseSlots } from './decider.ts'
import { licenseSlotEvents } from './events.ts'
import { staleInstances, tellOfClones } from './reactions.ts'
import { instanceRoutes } from './routes.ts'

export const instancesSection = section({
  name: 'instances',
  streams: [licenseSlotEvents],
  deciders: [licenseSlots],
  readModels: [instanceTable, offlineLeaseTable],
  routes: instanceRoutes,
  reactions: [tellOfClones],
  timers: [staleInstances],
})
