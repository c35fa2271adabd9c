/** What a request may send for fields as events store them. */
import { z } from 'zod'
import { moment } from '../lib/timestamps.ts'
import { uuid } from '../lib/uuid.ts'
import type { Fields } from './fields.ts'

/** What a request may send, for each field where that is less than what may be stored. */
export type InputOf<F extends Fields> = { readonly [Name in keyof F]?: z.ZodType<z.output<F[Name]>> }

/** A field without an input of its own takes what is stored: a moment that columns can hold, an id in either case. */
export function inputFields<F extends Fields>(fields: F, input: InputOf<F>): Fields {
  const stored = Object.entries(fields).map(([name, schema]) => [name, inputOf(schema)] as const)
  return { ...Object.fromEntries(stored), ...input }
}

function inputOf(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodNullable) return z.nullable(inputOf(schema.unwrap()))
  if (schema instanceof z.ZodUUID) return uuid
  return schema instanceof z.ZodISODateTime ? moment : schema
}
