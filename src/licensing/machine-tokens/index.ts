import { section } from '#kernel/resource/section'
import { machineTokenTable } from '#projections/licensing/machine-tokens'
import { machineTokens } from './decider.ts'
import { machineTokenEvents } from './events.ts'
import { machineTokenRoutes } from './routes.ts'

export const machineTokensSection = section({
  name: 'machine-tokens',
  streams: [machineTokenEvents],
  deciders: [machineTokens],
  readModels: [machineTokenTable],
  routes: machineTokenRoutes,
})
