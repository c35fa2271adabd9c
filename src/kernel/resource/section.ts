/** One heading of an API: the events it knows, what is remembered of them, what may be asked, what follows. A service is a list of these. */
import type { Pool } from 'pg'
import type { Decider } from '../events/decider.ts'
import type { Stream } from '../events/event.ts'
import type { HealthCheck } from '../http/health.ts'
import type { ServiceMetric } from '../http/metrics.ts'
import type { Route } from '../http/route.ts'
import type { ReadModel } from '../projections/read-model.ts'
import type { Reaction } from '../jobs/reaction.ts'
import type { Timer } from '../jobs/timer.ts'

/** What is asked how things stand is given where to look. */
type FromTelemetry<Question extends ServiceMetric | HealthCheck> = Omit<Question, 'ask'> & {
  ask(at: { readonly telemetry: Pool; readonly now: Date }): ReturnType<Question['ask']>
}

export interface Section {
  readonly name: string
  /** Where a section declares none, those of its deciders. */
  readonly streams: readonly Stream[]
  /** Of those streams that rules are decided on. */
  readonly deciders: readonly Decider[]
  readonly readModels: readonly ReadModel[]
  readonly routes: readonly Route[]
  readonly reactions?: readonly Reaction[]
  readonly timers?: readonly Timer[]
  /** Shown in /metrics beside those that every service has. */
  readonly metrics?: readonly FromTelemetry<ServiceMetric>[]
  /** Asked for readiness. */
  readonly checks?: readonly FromTelemetry<HealthCheck>[]
}

type Declared = Pick<Section, 'name'> & Partial<Section>

/** A section with what it declares; what it leaves out is empty. */
export const section = (declared: Declared): Section => ({
  streams: declared.deciders?.map(({ stream }) => stream) ?? [],
  deciders: [],
  readModels: [],
  routes: [],
  ...declared,
})
