/** Rules about which fields of an object are given, declared once for parsing and for the JSON Schema of the document. */
import { z } from 'zod'

type Rule = Readonly<Record<string, unknown>>
type StrictObject<Shape extends z.ZodRawShape> = z.ZodObject<Shape, z.core.$strict>
type NameOf<Shape> = keyof Shape & string

/** One of these fields is given, and no other of them. */
export const exactlyOneOf = <Shape extends z.ZodRawShape>(
  schema: StrictObject<Shape>,
  names: readonly NameOf<Shape>[],
  refusal: string,
) => ruled(schema, names, { holds: (given) => given === 1, rule: { oneOf: names.map(required) }, refusal })

/** One of two fields is given, or none. */
export const atMostOneOf = <Shape extends z.ZodRawShape>(
  schema: StrictObject<Shape>,
  names: readonly [NameOf<Shape>, NameOf<Shape>],
  refusal: string,
) => ruled(schema, names, { holds: (given) => given < 2, rule: { not: { required: names } }, refusal })

/** One or more of these fields are given. */
export const anyOneOf = <Shape extends z.ZodRawShape>(
  schema: StrictObject<Shape>,
  names: readonly NameOf<Shape>[],
  refusal: string,
) => ruled(schema, names, { holds: (given) => given > 0, rule: { anyOf: names.map(required) }, refusal })

/** Any field is given. */
export const anyField = <Shape extends z.ZodRawShape>(schema: StrictObject<Shape>, refusal: string) =>
  schema
    .refine((object) => givenOf(object, Object.keys(schema.shape)) > 0, refusal)
    .meta({ minProperties: 1, description: sentenceOf(refusal) })

interface GivenRule {
  /** @param given the number of the named fields that are given */
  readonly holds: (given: number) => boolean
  readonly rule: Rule
  readonly refusal: string
}

/** A schema may have several rules, so each stands in `allOf`. */
function ruled<Shape extends z.ZodRawShape>(
  schema: StrictObject<Shape>,
  names: readonly string[],
  { holds, rule, refusal }: GivenRule,
) {
  const { allOf = [], description } = (schema.meta() ?? {}) as { allOf?: readonly Rule[]; description?: string }
  return schema
    .refine((object) => holds(givenOf(object, names)), refusal)
    .meta({
      allOf: [...allOf, rule],
      description: [description, sentenceOf(refusal)].filter(Boolean).join(' '),
    })
}

const required = (name: string): Rule => ({ required: [name] })

const givenOf = (object: object, names: readonly string[]): number =>
  names.filter((name) => (object as Rule)[name] !== undefined).length

const sentenceOf = (refusal: string): string => `${refusal.slice(0, 1).toUpperCase()}${refusal.slice(1)}.`
