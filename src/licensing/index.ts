/** The licensing service: one line per section. */
import type { Section } from '#kernel/section'
import { planTable } from '#projections/licensing/plans'
import { planEvents } from './plans/events.ts'
import { planRoutes } from './plans/routes.ts'

export const sections: readonly Section[] = [
  { name: 'plans', streams: [planEvents], readModels: [planTable], routes: planRoutes },
]
