/** The licensing service: one line per section. */
import type { Section } from '#kernel/section'
import { staffSessionTable } from '#projections/licensing/auth'
import { machineTokenTable } from '#projections/licensing/machine-tokens'
import { planTable } from '#projections/licensing/plans'
import { staffTable } from '#projections/licensing/staff'
import { staffLoginEvents, staffSessionEvents } from './auth/events.ts'
import { machineTokenEvents } from './machine-tokens/events.ts'
import { machineTokenRoutes } from './machine-tokens/routes.ts'
import { planEvents } from './plans/events.ts'
import { planRoutes } from './plans/routes.ts'
import { staffEvents } from './staff/events.ts'

export const sections: readonly Section[] = [
  { name: 'plans', streams: [planEvents], readModels: [planTable], routes: planRoutes },
  { name: 'staff', streams: [staffEvents], readModels: [staffTable], routes: [] },
  { name: 'auth', streams: [staffSessionEvents, staffLoginEvents], readModels: [staffSessionTable], routes: [] },
  {
    name: 'machine-tokens',
    streams: [machineTokenEvents],
    readModels: [machineTokenTable],
    routes: machineTokenRoutes,
  },
]
