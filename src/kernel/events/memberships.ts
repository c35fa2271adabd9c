/**
 * The memberships of a person in things of one kind: one stream for each person, beside the streams of the things.
 * Two kinds of things share this declaration, each with event names of its own.
 */
import { z } from 'zod'
import { withoutKey } from '../lib/without-key.ts'
import { computedEvent } from './event.ts'
import type { EventType } from './event.ts'

/** The id of a thing and of the membership in it. */
export type MembershipRef<ThingKey extends string> = { readonly [Key in ThingKey | 'memberId']: string }

export interface MembershipEvents<Noun extends string, ThingKey extends string> {
  readonly Entered: EventType<`${Noun}Entered`, MembershipRef<ThingKey>>
  readonly Exited: EventType<`${Noun}Exited`, MembershipRef<ThingKey>>
}

/** @param thingKey the field that names the thing */
export function membershipEventTypes<Noun extends string, ThingKey extends string>(
  noun: Noun,
  thingKey: ThingKey & `${string}Id`,
): MembershipEvents<Noun, ThingKey> {
  const shape = { [thingKey]: z.uuid(), memberId: z.uuid() }
  const named = (data: Readonly<Record<string, string>>): string => `${noun.toLowerCase()} ${data[thingKey]}`
  return {
    Entered: computedEvent(
      `${noun}Entered`,
      thingKey,
      shape,
      (data) => `noted ${named(data)} for member ${data.memberId}`,
    ),
    Exited: computedEvent(
      `${noun}Exited`,
      thingKey,
      shape,
      (data) => `noted ${named(data)} no longer for member ${data.memberId}`,
    ),
  }
}

/** Membership ids by the ids of their things. */
type MembershipIds = Readonly<Record<string, string>>

export function membershipRules<Noun extends string, ThingKey extends string>(
  thingKey: ThingKey,
  { Entered, Exited }: MembershipEvents<Noun, ThingKey>,
) {
  type Place = MembershipRef<ThingKey>
  const none: MembershipIds = {}
  const isIn = (all: MembershipIds, place: Place): boolean => all[place[thingKey]] === place.memberId
  return {
    none,
    entered: (all: MembershipIds, place: Place): MembershipIds => ({ ...all, [place[thingKey]]: place.memberId }),
    exited: (all: MembershipIds, place: Place): MembershipIds => withoutKey(all, place[thingKey]),
    commands: {
      Enter: (all: MembershipIds, place: Place) => (isIn(all, place) ? [] : [Entered(place)]),
      Exit: (all: MembershipIds, place: Place) => (isIn(all, place) ? [Exited(place)] : []),
    },
  }
}
