/**
 * Values of every kind that an event's schema may declare, including unusual ones. The schema refuses some of
 * them, and no column holds others.
 */
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { v5 as uuidv5 } from 'uuid'
import { z } from 'zod'

/** In contrast to words, Postgres cannot compress it in an index. */
const LONG = randomBytes(6_000).toString('base64')

const TEXTS = [
  '',
  ' ',
  'a',
  '\0',
  'a\0b',
  '\uD800',
  'b\uDC00',
  '\\N',
  '\\.',
  '\\',
  'a\tb\nc\rd',
  '"{},\\"',
  `'); --`,
  'NULL',
  'infinity',
  'now',
  '\u202Etxt.exe',
  '😀'.repeat(400),
  'ß'.repeat(1_000),
  '𝔘'.repeat(2_000),
]

const MOMENTS = [
  '0000-01-01T00:00:00.000Z',
  '0000-12-31T23:59:59.999Z',
  '0001-01-01T00:00:00.000Z',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+15:59',
  '0001-01-01T00:00:00-15:59',
  '1582-10-10T00:00:00.000Z',
  '1970-01-01T00:00:00.000Z',
  '2026-02-28T23:59:59.999999999Z',
  '2026-02-28T23:59:59.1234567890123Z',
  '2026-02-28T23:59Z',
  '2028-02-29T00:00:00.000+23:59',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-15:59',
  '9999-12-31T23:59:59.999999999Z',
]

const NUMBERS = [0, 1, -1, 59, 3_650, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, -(2 ** 53) + 1]
const NO_NUMBERS = [0.5, 1e300, -1e300, Number.MAX_VALUE, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 63]

const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constant(LONG) },
)

const moment = fc.oneof(
  fc.constantFrom(...MOMENTS),
  fc
    .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
    .map(iso),
)

const number = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...NUMBERS) },
  { weight: 5, arbitrary: fc.integer({ min: 0, max: 4_000 }) },
  { weight: 3, arbitrary: fc.maxSafeInteger() },
  { weight: 1, arbitrary: fc.constantFrom(...NO_NUMBERS) },
)

function iso(date: Date): string {
  return date.toISOString()
}

const SAMPLES = 120
const sampled = new WeakMap<z.ZodType, fc.Arbitrary<unknown>>()

/**
 * Mostly values that the schema accepts, sometimes values that it should refuse. Sampled once, since few
 * random texts have a narrow form.
 */
function mostly(schema: z.ZodType, candidates: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const known = sampled.get(schema)
  if (known) return known
  const taken = fc.sample(candidates, SAMPLES).filter((value) => schema.safeParse(value).success)
  if (taken.length === 0)
    throw new Error(`Of ${SAMPLES} values the schema takes none: ${JSON.stringify(schema._zod.bag)}`)
  const some = fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...taken) }, { weight: 1, arbitrary: candidates })
  sampled.set(schema, some)
  return some
}

function stringOf(schema: z.ZodType, field: string, story: string): fc.Arbitrary<unknown> {
  const { format, pattern, checks = [] } = schema._zod.def as z.core.$ZodStringFormatDef
  // One id for each field name, so that a story changes the objects that it created.
  if (format === 'uuid') return fc.constant(uuidv5(field, story))
  if (format === 'datetime') return mostly(schema, moment)
  const given = checks.map(({ _zod: { def } }) => ('pattern' in def ? (def.pattern as RegExp) : undefined))
  const first = pattern ?? given.find((each) => each !== undefined)
  return mostly(schema, first ? fc.oneof({ weight: 20, arbitrary: matching(first) }, text) : text)
}

const matching = ({ source, flags }: RegExp): fc.Arbitrary<string> =>
  fc.stringMatching(new RegExp(source, flags), { maxLength: 100 })

/**
 * @param story a UUID: all values of a story share their ids. @throws Error for a kind of schema that no
 * event has had yet
 */
export function arbitraryFor(schema: z.ZodType, story: string, field = ''): fc.Arbitrary<any> {
  const inside = (of: z.core.$ZodType, name = field) => arbitraryFor(of as z.ZodType, story, name)
  if (schema instanceof z.ZodObject) {
    const shape = schema.shape as Record<string, z.ZodType>
    const requiredKeys = Object.keys(shape).filter((name) => !shape[name]!.isOptional())
    const fields = Object.fromEntries(Object.entries(shape).map(([name, of]) => [name, inside(of, name)]))
    return fc.record(fields, { requiredKeys, noNullPrototype: true })
  }
  if (schema instanceof z.ZodNullable) return fc.option(inside(schema.def.innerType), { nil: null, freq: 4 })
  if (schema instanceof z.ZodOptional) return inside(schema.def.innerType)
  if (schema instanceof z.ZodArray) return fc.array(anyItem(schema.def.element as z.ZodType, story), { maxLength: 4 })
  if (schema instanceof z.ZodTuple) return fc.tuple(...schema.def.items.map((item) => inside(item)))
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.def.options.map((option) => inside(option)))
  if (schema instanceof z.ZodRecord && schema.def.keyType instanceof z.ZodEnum)
    return fc.record(
      Object.fromEntries(schema.def.keyType.options.map((name) => [name, inside(schema.def.valueType, String(name))])),
    )
  if (schema instanceof z.ZodRecord)
    return fc.dictionary(inside(schema.def.keyType) as fc.Arbitrary<string>, inside(schema.def.valueType), {
      maxKeys: 3,
    })
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...(schema.options as unknown[]))
  if (schema instanceof z.ZodLiteral) return fc.constantFrom(...schema.values)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodNumber) return mostly(schema, number)
  if (schema._zod.def.type === 'string') return stringOf(schema, field, story)
  throw new Error(`${field}: nothing makes values of the kind ${schema._zod.def.type}`)
}

/** Each item is an object of its own. */
const anyItem = (schema: z.ZodType, story: string): fc.Arbitrary<unknown> =>
  fc.nat({ max: 1_000_000 }).chain((nth) => arbitraryFor(schema, story, String(nth)))
