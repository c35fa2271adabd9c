/** Declares in which states of a record a route can change it. */
import type { z } from 'zod'
import type { States } from '../lib/record-states.ts'

/** Values that JSON and a query of a page can compare. */
export type StateValue = string | number | boolean | null

export type StateTable = Readonly<Record<string, readonly StateValue[] | 'set'>>

export interface FromStates {
  /** The reply that shows the record. */
  readonly record: z.ZodObject
  readonly states: StateTable
}

/**
 * @param record the reply that shows the record of the path
 * @param states in any other, the call is refused with 409, or repeats what is done and changes nothing
 * @throws Error at start for a field or a value that the record cannot have
 */
export function inState<
  Reply extends z.ZodObject,
  Table extends States<z.output<Reply>> & {
    readonly [Field in keyof Table]: Field extends keyof z.output<Reply> ? unknown : never
  },
>(record: Reply, states: Table): FromStates {
  const declared = states as unknown as StateTable
  for (const [field, values] of Object.entries(declared)) {
    const schema = (record.shape as Readonly<Record<string, z.ZodType | undefined>>)[field]
    if (!schema) throw new Error(`The record has no field ${field}`)
    const samples = values === 'set' ? [] : values
    const unknown = samples.find((value) => !schema.safeParse(value).success)
    if (unknown !== undefined) throw new Error(`The field ${field} is never ${String(unknown)}`)
    if (values === 'set' && !schema.safeParse(null).success) throw new Error(`The field ${field} is always set`)
  }
  return { record, states: declared }
}
