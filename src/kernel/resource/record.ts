/**
 * A record: values that are set together and read where a decision needs them, such as a quota. Its stream has one event type, which
 * holds all values. This file holds all of its rules.
 */
import type { Decider } from '../events/decider.ts'
import { computedEvent, stream } from '../events/event.ts'
import type { DomainEvent, EventOptions, EventType, Stream } from '../events/event.ts'
import { changedValues, isOfType, valuesOf } from './fields.ts'
import type { ChangesOf, Fields, ValuesOf } from './fields.ts'

type ChangedType<Noun extends string, Ids extends Fields, F extends Fields> = EventType<
  `${Noun}Changed`,
  ValuesOf<Ids> & ValuesOf<F>
>

export type RecordCommands<Ids extends Fields, F extends Fields> = {
  readonly Change: (present: ValuesOf<F>, ask: { of: ValuesOf<Ids>; changes: ChangesOf<F> }) => DomainEvent[]
}

/** A record is the decider of its stream, together with its event type. */
export interface RecordOf<Noun extends string, Ids extends Fields, F extends Fields> extends Decider<
  Stream<readonly [ChangedType<Noun, Ids, F>]>,
  ValuesOf<F>,
  RecordCommands<Ids, F>
> {
  readonly fields: F
  readonly Changed: ChangedType<Noun, Ids, F>
}

interface Declaration<Ids extends Fields, F extends Fields> {
  /** The one field that says whose record it is, such as `{ userId: z.uuid() }`. */
  readonly of: Ids
  readonly stream: string
  readonly fields: F
  /** Before anything was set. */
  readonly initial: ValuesOf<F>
  /** Of the audit trail. */
  readonly sentence: (data: ValuesOf<Ids> & ValuesOf<F>) => string
  /** Of events that were stored with other fields. */
  readonly upcasters?: EventOptions<unknown>['upcasters']
}

/** @param noun with which the name of its event begins */
export function record<const Noun extends string, Ids extends Fields, F extends Fields>(
  noun: Noun,
  { of: ids, stream: name, fields, initial, sentence, ...options }: Declaration<Ids, F>,
): RecordOf<Noun, Ids, F> {
  const [idField = ''] = Object.keys(ids)
  const Changed = computedEvent<ChangedType<Noun, Ids, F>>(
    `${noun}Changed`,
    idField,
    { ...ids, ...fields },
    sentence,
    options,
  )
  return {
    fields,
    Changed,
    stream: stream(name, [Changed]),
    initial,
    evolve(_present, event) {
      if (isOfType(Changed, event)) return valuesOf(fields, event.data)
      throw new Error(`The stream ${name} does not know the event ${event.type}`)
    },
    commands: {
      Change(present, { of, changes }) {
        const values = changedValues(fields, present, changes)
        return values ? [Changed({ ...of, ...values })] : []
      },
    },
  }
}
