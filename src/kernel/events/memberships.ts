/**
 * The memberships of a person in things of one kind: one stream for each person, beside the streams of the things.
 * Two kinds of things share this declaration, each with event names of its own.
 */
import { z } from 'zod'
import { withoutKey } from '../lib/without-key.ts'
import type { Decider } from './decider.ts'
import { computedEvent, stream } from './event.ts'
import type { DomainEvent, EventType, Stream } from './event.ts'

/** The id of a thing and of the membership in it. */
export type MembershipRef<ThingKey extends string> = { readonly [Key in ThingKey | 'memberId']: string }

type Entered<Noun extends string, ThingKey extends string> = EventType<`${Noun}Entered`, MembershipRef<ThingKey>>
type Exited<Noun extends string, ThingKey extends string> = EventType<`${Noun}Exited`, MembershipRef<ThingKey>>

/** Membership ids by the ids of their things. */
type MembershipIds = Readonly<Record<string, string>>

type Decide<ThingKey extends string> = (all: MembershipIds, place: MembershipRef<ThingKey>) => DomainEvent[]

interface Declaration<ThingKey extends string> {
  /** The field that names the thing. */
  readonly of: ThingKey & `${string}Id`
  readonly stream: string
}

/** @param noun with which the names of its events begin */
export function memberships<const Noun extends string, const ThingKey extends string>(
  noun: Noun,
  { of: thingKey, stream: name }: Declaration<ThingKey>,
): Decider<
  Stream<readonly [Entered<Noun, ThingKey>, Exited<Noun, ThingKey>]>,
  MembershipIds,
  { readonly Enter: Decide<ThingKey>; readonly Exit: Decide<ThingKey> }
> {
  const shape = { [thingKey]: z.uuid(), memberId: z.uuid() }
  const thing = (data: Readonly<Record<string, string>>): string => `${noun.toLowerCase()} ${data[thingKey]}`
  const entered = computedEvent<Entered<Noun, ThingKey>>(
    `${noun}Entered`,
    thingKey,
    shape,
    (data) => `noted ${thing(data)} for member ${data.memberId}`,
  )
  const exited = computedEvent<Exited<Noun, ThingKey>>(
    `${noun}Exited`,
    thingKey,
    shape,
    (data) => `noted ${thing(data)} no longer for member ${data.memberId}`,
  )
  const isIn: (all: MembershipIds, place: MembershipRef<ThingKey>) => boolean = (all, place) =>
    all[place[thingKey]] === place.memberId
  return {
    stream: stream(name, [entered, exited]),
    initial: {},
    evolve(all, { type, data }) {
      const place = data as MembershipRef<ThingKey>
      if (type === entered.type) return { ...all, [place[thingKey]]: place.memberId }
      if (type === exited.type) return withoutKey(all, place[thingKey])
      throw new Error(`The stream ${name} does not know the event ${type}`)
    },
    commands: {
      Enter: (all, place) => (isIn(all, place) ? [] : [entered(place)]),
      Exit: (all, place) => (isIn(all, place) ? [exited(place)] : []),
    },
  }
}
