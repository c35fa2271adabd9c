/** The document names the amounts in events, so that a history shows them as money. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { DOCS, streams } from '../../../src/composition/licensing.ts'

/** Whole numbers of priced records that are no money. */
const COUNTS = /^(version|max[A-Z]\w+|\w+Days|\w+Seconds)$/

interface JsonSchema {
  readonly type?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
}

const isInteger = ({ type, anyOf = [] }: JsonSchema): boolean => type === 'integer' || anyOf.some(isInteger)

test('every whole number of an event beside a currency is a named amount, or a count', () => {
  const beside = streams
    .flatMap(({ types }) => types)
    .map(({ schema }) => z.toJSONSchema(schema, { unrepresentable: 'any' }) as JsonSchema)
    .map(({ properties = {} }) => ({ ...properties, ...properties['changes']?.properties }))
    .filter((fields) => 'currency' in fields)
    .flatMap((fields) => Object.keys(fields).filter((name) => isInteger(fields[name]!) && !COUNTS.test(name)))
  expect([...new Set(beside)].toSorted()).toEqual(DOCS.amounts)
})
