/** The one body of a PATCH: any of the fields, at least one. A field that is left out keeps its value, whatever its default is. */
import { z } from 'zod'
import { anyField } from '../lib/given-fields.ts'
import type { Fields } from './fields.ts'

/** @throws Error at start for a field with a default inside, which would set a value that nothing asked for */
export function changeOf<F extends Fields>(fields: F, refusal = 'Give at least one value to change') {
  const bare = Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, withoutDefault(schema)])) as F
  const change = z.strictObject(bare).partial()
  const set = Object.keys(change.parse({}))
  if (set.length > 0) throw new Error(`A change would set ${set.join(', ')} by default`)
  return anyField(change, refusal)
}

const withoutDefault = (schema: z.core.$ZodType): z.core.$ZodType =>
  schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? withoutDefault(schema.def.innerType) : schema
