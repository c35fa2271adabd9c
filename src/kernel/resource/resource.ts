/**
 * A plain resource: items of one kind that are created, changed and deleted. All of them are in one stream, so that a rule can look at
 * every item. One declaration makes three event types, their stream and its decider; `resourceTable` makes the read model of it, and
 * `resourceRoutes` the routes. This file holds all rules; a resource that needs others is written by hand.
 */
import { z } from 'zod'
import type { Decider, DecisionContext } from '../events/decider.ts'
import { computedEvent, stream } from '../events/event.ts'
import type { DomainEvent, EventType, Stream } from '../events/event.ts'
import { found, reject } from '../lib/rejection.ts'
import { changedValues, isOfType, valuesOf } from './fields.ts'
import type { ChangesOf, Fields, ValuesOf } from './fields.ts'
import { idFieldOf, wordsOf } from './noun.ts'
import type { IdOf } from './noun.ts'

export type { ValuesOf }

type DataOf<Noun extends string, F extends Fields> = IdOf<Noun> & ValuesOf<F>
type DeletedOf<Noun extends string, F extends Fields, Unique extends keyof ValuesOf<F>> = IdOf<Noun> &
  Pick<ValuesOf<F>, Unique>

/** An item as the state holds it and as replies show it. */
export type Item<F extends Fields> = ValuesOf<F> & { readonly id: string; readonly createdAt: string }

type CreatedType<Noun extends string, F extends Fields> = EventType<`${Noun}Created`, DataOf<Noun, F>>
type ChangedType<Noun extends string, F extends Fields> = EventType<`${Noun}Changed`, DataOf<Noun, F>>
type DeletedType<Noun extends string, F extends Fields, Unique extends keyof ValuesOf<F>> = EventType<
  `${Noun}Deleted`,
  DeletedOf<Noun, F, Unique>
>

export type ResourceCommands<F extends Fields> = {
  readonly Create: (
    all: readonly Item<F>[],
    ask: { id: string; values: ValuesOf<F> },
    deciding: DecisionContext,
  ) => DomainEvent[]
  readonly Change: (all: readonly Item<F>[], ask: { id: string; changes: ChangesOf<F> }) => DomainEvent[]
  readonly Delete: (all: readonly Item<F>[], ask: { id: string }) => DomainEvent[]
}

/** A resource is the decider of its stream, together with its event types. */
export interface Resource<
  Noun extends string,
  F extends Fields,
  Unique extends keyof ValuesOf<F> = never,
> extends Decider<
  Stream<readonly [CreatedType<Noun, F>, ChangedType<Noun, F>, DeletedType<Noun, F, Unique>]>,
  readonly Item<F>[],
  ResourceCommands<F>
> {
  readonly noun: Noun
  readonly fields: F
  readonly Created: CreatedType<Noun, F>
  readonly Changed: ChangedType<Noun, F>
  readonly Deleted: DeletedType<Noun, F, Unique>
  /** The item that an event is about. */
  idIn(data: IdOf<Noun>): string
  /** @throws Rejection 404 */
  itemIn(all: readonly Item<F>[], id: string): Item<F>
}

interface Declaration<Noun extends string, F extends Fields, Unique extends keyof ValuesOf<F>> {
  /** Names the stream and the table: several items in camelCase, such as `adminRoles`. */
  readonly stream: string
  /** As events store them. What a request may send is narrowed with the routes. */
  readonly fields: F
  readonly itemsMax: number
  /** A field that no two items have in common. */
  readonly unique?: {
    readonly field: Unique & string
    /** Two values are the same where this returns the same for both. */
    readonly compared: (value: ValuesOf<F>[Unique]) => string
    /** Of the conflict. */
    readonly message: string
    readonly code: string
  }
  /** A rule of its own: sees all items as they would be after a creation or a change. @throws Rejection */
  readonly rule?: (all: readonly Item<F>[]) => void
  /** Changes and deletions take something away, so they are answered only when every read model shows them. */
  readonly isStrict?: boolean
  /** Of the audit trail, which reads them for ever: by default they name the id alone. */
  readonly sentences?: {
    readonly created: (data: DataOf<Noun, F>) => string
    readonly changed: (data: DataOf<Noun, F>) => string
    readonly deleted: (data: DeletedOf<Noun, F, Unique>) => string
  }
}

/** The event types and their data. The name of the id is computed, which the compiler does not follow: the casts say the types. */
function eventTypesOf<Noun extends string, F extends Fields, Unique extends keyof ValuesOf<F>>(
  noun: Noun,
  { fields, unique, isStrict = false, sentences }: Declaration<Noun, F, Unique>,
) {
  const idField = idFieldOf(noun)
  const idIn = (data: IdOf<Noun>): string => data[idField]
  const plain = (verb: string) => (data: IdOf<Noun>) => `${verb} ${wordsOf(noun)} ${idIn(data)}`
  const { created, changed, deleted } = {
    created: plain('created'),
    changed: plain('changed'),
    deleted: plain('deleted'),
    ...sentences,
  }
  const whole = { [idField]: z.uuid(), ...fields }
  const kept = { [idField]: z.uuid(), ...(unique && { [unique.field]: fields[unique.field] }) }
  const strict = { strict: isStrict }
  return {
    idIn,
    Created: computedEvent<CreatedType<Noun, F>>(`${noun}Created`, idField, whole, created),
    Changed: computedEvent<ChangedType<Noun, F>>(`${noun}Changed`, idField, whole, changed, strict),
    Deleted: computedEvent<DeletedType<Noun, F, Unique>>(`${noun}Deleted`, idField, kept, deleted, strict),
    dataOf: (id: string, values: ValuesOf<F>) => ({ [idField]: id, ...values }) as DataOf<Noun, F>,
    deletedOf: (item: Item<F>) =>
      ({ [idField]: item.id, ...(unique && { [unique.field]: item[unique.field] }) }) as DeletedOf<Noun, F, Unique>,
  }
}

/** @param noun of one item, with which the names of its events begin, such as `AdminRole` */
export function resource<const Noun extends string, F extends Fields, Unique extends keyof ValuesOf<F> = never>(
  noun: Noun,
  declaration: Declaration<Noun, F, Unique>,
): Resource<Noun, F, Unique> {
  type All = readonly Item<F>[]
  const { stream: name, fields, itemsMax, unique, rule } = declaration
  if ('id' in fields || 'createdAt' in fields) throw new Error(`${noun} has an id and a creation time already`)
  const { idIn, Created, Changed, Deleted, dataOf, deletedOf } = eventTypesOf(noun, declaration)
  const itemOf = (id: string, values: ValuesOf<F>, createdAt: string) => ({ id, ...values, createdAt }) as Item<F>
  const itemIn = (all: All, id: string): Item<F> => found(all.find((each) => each.id === id))

  /** @throws Rejection 409 where another item has the same value of the unique field, or what the rule throws */
  function refuseBroken(others: All, item: Item<F>): void {
    if (unique) {
      const { field, compared, message, code } = unique
      if (others.some((each) => compared(each[field]) === compared(item[field]))) reject('conflict', message, code)
    }
    rule?.([...others, item])
  }

  function evolve(all: All, event: DomainEvent, at: Date): All {
    if (isOfType(Created, event))
      return [...all, itemOf(idIn(event.data), valuesOf(fields, event.data), at.toISOString())]
    if (isOfType(Changed, event)) {
      const { data } = event
      return all.map((each) =>
        each.id === idIn(data) ? itemOf(each.id, valuesOf(fields, data), each.createdAt) : each,
      )
    }
    if (isOfType(Deleted, event)) {
      const id = idIn(event.data)
      return all.filter((each) => each.id !== id)
    }
    throw new Error(`The stream ${name} does not know the event ${event.type}`)
  }

  return {
    noun,
    fields,
    Created,
    Changed,
    Deleted,
    idIn,
    itemIn,
    stream: stream(name, [Created, Changed, Deleted]),
    initial: [],
    evolve,
    commands: {
      Create(all, { id, values }, { at }) {
        if (all.length >= itemsMax)
          reject('conflict', `At most ${itemsMax} ${wordsOf(name)} can exist: delete one first`)
        refuseBroken(all, itemOf(id, values, at.toISOString()))
        return [Created(dataOf(id, values))]
      },
      Change(all, { id, changes }) {
        const item = itemIn(all, id)
        const values = changedValues(fields, item, changes)
        if (!values) return []
        const others = all.filter((each) => each !== item)
        refuseBroken(others, itemOf(id, values, item.createdAt))
        return [Changed(dataOf(id, values))]
      },
      Delete: (all, { id }) => [Deleted(deletedOf(itemIn(all, id)))],
    },
  }
}
