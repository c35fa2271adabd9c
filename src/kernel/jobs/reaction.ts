/**
 * Reactions to events: a mail, a webhook, a command on another stream. Sections declare them in their
 * reactions.ts.
 */
import type { Actor, DataOf, EventType } from '../events/event.ts'
import type { Position, Revision } from '../events/store-port.ts'
import type { JobContext } from './job-context.ts'
import { validateJobName } from './job-options.ts'
import type { JobOptions } from './job-options.ts'

/** An event in its newest version, with opened sealed fields; those of an erased subject are ERASED. */
export interface ReactionEvent<Type extends EventType = EventType> {
  readonly type: Type['type']
  readonly eventType: Type
  readonly data: DataOf<Type>
  readonly id: string
  readonly position: Position
  readonly stream: string
  readonly revision: Revision
  /** RFC 3339. */
  readonly at: string
  readonly actor: Actor
  readonly requestId: string
}

type AnyOf<Types extends readonly EventType[]> = { [Nth in keyof Types]: ReactionEvent<Types[Nth]> }[number]

export interface Reaction {
  readonly name: string
  readonly outside: boolean
  isTriggeredBy(eventType: string): boolean
  run(event: ReactionEvent<any>, work: JobContext): Promise<void>
}

/**
 * `run` is called at least once for every event of the types (of all types, for 'all') that is recorded
 * after the first start with this reaction. The order is not guaranteed. If it throws, it is retried,
 * and operators see the failure.
 */
export function reaction<const Types extends readonly EventType[]>(
  name: string,
  {
    on,
    run,
    outside = false,
  }: JobOptions & { on: Types | 'all'; run(event: AnyOf<Types>, work: JobContext): Promise<void> },
): Reaction {
  const types = on === 'all' ? undefined : new Set(on.map(({ type }) => type))
  return { name: validateJobName(name), outside, isTriggeredBy: (eventType) => types?.has(eventType) ?? true, run }
}
