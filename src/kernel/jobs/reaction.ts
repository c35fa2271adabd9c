/** What follows an event: a mail, a webhook, a command of another stream. Declared by sections in their reactions.ts. */
import type { Actor, DataOf, EventType } from '../events/event.ts'
import type { Position, Revision } from '../events/store-port.ts'
import { validateJobName } from './job-options.ts'
import type { JobOptions } from './job-options.ts'
import type { JobContext } from './job-context.ts'

/** An event in its newest shape, sealed fields opened; those of a forgotten subject read ERASED. */
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
 * `run` is called for every event of the types (of all, for 'all') that is recorded from the first start on that knows the
 * reaction: at least once, and in no order that it could rely on. Whatever it throws, it is tried again, and seen by operators.
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
