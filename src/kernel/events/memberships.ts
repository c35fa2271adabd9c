/**
 * In which things of a kind somebody is, each by his membership there: a stream a person, beside the streams of the things. Two kinds
 * share one declaration, each under names of its own.
 */
import { z } from 'zod'
import { computedEvent } from './event.ts'
import type { EventType } from './event.ts'

/** A thing, and the membership in it. */
export type PlaceIn<ThingKey extends string> = { readonly [Key in ThingKey | 'memberId']: string }

export interface PlaceEvents<Noun extends string, ThingKey extends string> {
  readonly Entered: EventType<`${Noun}Entered`, PlaceIn<ThingKey>>
  readonly Exited: EventType<`${Noun}Exited`, PlaceIn<ThingKey>>
}

/** @param thingKey the field that names the thing */
export function placeEvents<Noun extends string, ThingKey extends string>(
  noun: Noun,
  thingKey: ThingKey & `${string}Id`,
): PlaceEvents<Noun, ThingKey> {
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

/** Memberships by the ids of their things. */
type Places = Readonly<Record<string, string>>

export function placeDecisions<Noun extends string, ThingKey extends string>(
  thingKey: ThingKey,
  { Entered, Exited }: PlaceEvents<Noun, ThingKey>,
) {
  type Place = PlaceIn<ThingKey>
  const none: Places = {}
  const isIn = (all: Places, place: Place): boolean => all[place[thingKey]] === place.memberId
  return {
    none,
    entered: (all: Places, place: Place): Places => ({ ...all, [place[thingKey]]: place.memberId }),
    exited: (all: Places, place: Place): Places =>
      Object.fromEntries(Object.entries(all).filter(([id]) => id !== place[thingKey])),
    commands: {
      Enter: (all: Places, place: Place) => (isIn(all, place) ? [] : [Entered(place)]),
      Exit: (all: Places, place: Place) => (isIn(all, place) ? [Exited(place)] : []),
    },
  }
}
