/** The fields of a resource or a record, as events store them: what is derived from them, and how a change applies to their values. */
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { DomainEvent, EventType } from '../events/event.ts'

export type Fields = z.ZodRawShape
export type ValuesOf<F extends Fields> = { readonly [Name in keyof F]: z.output<F[Name]> }
/** Values that are undefined stay as they are. */
export type ChangesOf<F extends Fields> = { readonly [Name in keyof F]?: z.output<F[Name]> | undefined }

const namesOf = <F extends Fields>(fields: F) => Object.keys(fields) as (keyof F)[]

/** The declared values of an object that may have others beside them, such as an id. */
export const valuesOf = <F extends Fields>(fields: F, holder: ValuesOf<F>): ValuesOf<F> =>
  Object.fromEntries(namesOf(fields).map((name) => [name, holder[name]])) as ValuesOf<F>

/** The values after a change, or undefined where the change leaves each of them as it is. */
export function changedValues<F extends Fields>(
  fields: F,
  holder: ValuesOf<F>,
  changes: ChangesOf<F>,
): ValuesOf<F> | undefined {
  const given = namesOf(fields).filter((name) => changes[name] !== undefined)
  if (given.every((name) => isDeepStrictEqual(changes[name], holder[name]))) return undefined
  return { ...valuesOf(fields, holder), ...Object.fromEntries(given.map((name) => [name, changes[name]])) }
}

/** Tells the type of an event's data by the event type. */
export const isOfType = <Name extends string, Data>(
  type: EventType<Name, Data>,
  happened: DomainEvent,
): happened is DomainEvent<Name, Data> => happened.type === type.type
