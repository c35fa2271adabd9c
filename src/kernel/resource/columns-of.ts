/** The columns of a read model, derived from the fields of its events, so that no section spells them a second time. */
import { z } from 'zod'
import { isSealed } from '../events/event.ts'
import {
  bool,
  id,
  integer,
  json,
  nullable,
  oneOf,
  sealedText,
  text,
  texts,
  timestamptz,
} from '../projections/read-model.ts'
import type { Column } from '../projections/read-model.ts'
import type { Fields } from './fields.ts'

export type ColumnsOf<F extends Fields> = { readonly [Name in keyof F]: Column<z.output<F[Name]>> }

/** Whose key opens the sealed columns of a row. */
type SealSubject = (row: never) => string

/** @throws Error at start for sealed fields without a subject, and for fields that may be absent */
export const columnsOf = <F extends Fields>(fields: F, sealedFor?: SealSubject): ColumnsOf<F> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, columnOf(name, schema, sealedFor)]),
  ) as ColumnsOf<F>

const BY_FORMAT: Readonly<Record<string, Column>> = { uuid: id, datetime: timestamptz }

function columnOf(name: string, schema: z.core.$ZodType, sealedFor?: SealSubject): Column {
  if (schema instanceof z.ZodOptional) throw new Error(`The field ${name} may be absent, which no column shows`)
  if (isSealed(schema)) {
    if (!sealedFor) throw new Error(`The field ${name} is sealed, and nothing says with whose key`)
    const column = sealedText(name, sealedFor)
    return schema instanceof z.ZodNullable ? nullable(column) : column
  }
  if (schema instanceof z.ZodNullable) return nullable(columnOf(name, schema.unwrap()))
  if (schema instanceof z.ZodArray && schema.element instanceof z.ZodString) return texts
  if (schema instanceof z.ZodNumber) return schema.isInt ? integer : json()
  if (schema instanceof z.ZodBoolean) return bool
  if (schema instanceof z.ZodEnum || schema instanceof z.ZodLiteral) return oneOf()
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat)
    return BY_FORMAT[schema.format ?? ''] ?? text
  return json()
}
