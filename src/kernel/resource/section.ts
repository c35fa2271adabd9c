/**
 * A section of an API: its events, read models, routes, reactions and timers. A service is a list of
 * sections.
 */
import type { Decider } from '../events/decider.ts'
import type { EventType, Stream } from '../events/event.ts'
import type { HealthCheck } from '../http/health.ts'
import type { ServiceMetric } from '../http/metrics.ts'
import type { HandlerContext, Route } from '../http/route.ts'
import type { Reaction } from '../jobs/reaction.ts'
import type { Timer } from '../jobs/timer.ts'
import type { ReadModel } from '../projections/read-model.ts'
import type { Declared } from './declaration.ts'

/** What the metrics and health checks of a section are made of. */
export type Asked = Pick<HandlerContext, 'read' | 'telemetry' | 'service' | 'now'>

type OfSection<Question extends ServiceMetric | HealthCheck> = Omit<Question, 'ask'> & {
  ask(at: Asked): ReturnType<Question['ask']>
}

/** @typeParam Audience who sees the events of a stream, as the service declares it */
export interface Section<Audience = unknown> {
  readonly name: string
  /** Where a section declares none, those of its deciders. */
  readonly streams: readonly Stream[]
  /** By the name of the stream. */
  readonly visibleTo: Readonly<Record<string, Audience>>
  /** The deciders of those streams that have rules. */
  readonly deciders: readonly Decider[]
  readonly readModels: readonly ReadModel[]
  readonly routes: readonly Route[]
  readonly reactions?: readonly Reaction[]
  readonly timers?: readonly Timer[]
  /** Added to /metrics of the service. */
  readonly metrics?: readonly OfSection<ServiceMetric>[]
  /** Added to the readiness checks. */
  readonly checks?: readonly OfSection<HealthCheck>[]
  /** For other sections. */
  readonly declares?: readonly Declared[]
}

type SectionParts<Audience> = Pick<Section, 'name'> & Partial<Section<Audience>>

/** For each kind of event: its section, and those whose read models it changes. The audit trail takes every event. */
export function kindsOf(sections: readonly Section[]): Readonly<Record<string, readonly string[]>> {
  const types = sections.flatMap((section) => section.streams.flatMap((stream) => stream.types))
  const takesAll = (model: ReadModel) => types.every(({ type }) => model.isFedBy(type))
  const concerned = ({ readModels, streams }: Section, type: EventType) =>
    streams.some((stream) => stream.types.includes(type)) ||
    readModels.some((model) => model.isFedBy(type.type) && !takesAll(model))
  return Object.fromEntries(
    types.map((type) => [type.action, sections.filter((section) => concerned(section, type)).map(({ name }) => name)]),
  )
}

/** Fills the omitted parts of a section with empty lists, and adds the reactions of what it declares. */
export const section = <Audience = never>(declared: SectionParts<Audience>): Section<Audience> => ({
  streams: declared.deciders?.map(({ stream }) => stream) ?? [],
  visibleTo: {},
  deciders: [],
  readModels: [],
  routes: [],
  ...declared,
  reactions: [...(declared.reactions ?? []), ...(declared.declares ?? []).flatMap(({ reaction }) => reaction ?? [])],
})
