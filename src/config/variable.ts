/** One environment variable: the description of its value for operators, and its parser. */
import { z } from 'zod'

export type Variable<Value> = z.ZodType<Value | undefined, string | undefined>

/** Thrown by a parser with the reason why a text is invalid; the reason must not repeat the text. */
export class InvalidVariable extends Error {}

/**
 * Unset and empty are the same, because compose files pass empty strings. The text of other errors from
 * `parse` is not shown, only `must`: error texts reach terminals and log collectors, and a mistyped
 * secret is nearly the secret.
 */
export function variable<Value>(must: string, parse: (text: string) => Value): Variable<Value> {
  const read = optionalText.transform((text, context) => {
    if (text === undefined) return undefined
    try {
      return parse(text)
    } catch (error) {
      const why = error instanceof InvalidVariable ? `; ${error.message}` : ''
      context.addIssue({ code: 'custom', message: `must be ${must}${why}` })
      return z.NEVER
    }
  })
  return read.describe(must)
}

/** A variable without a default that must be set. */
export function required<Value>(given: Variable<Value>): z.ZodType<Value, string | undefined> {
  const read = given.transform((value, context) => {
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: 'is not set' })
    return z.NEVER
  })
  return read.describe(given.description ?? '')
}

/** By name. */
export type Variables = Readonly<Record<string, z.ZodType<unknown, string | undefined>>>

export interface VariableDescription {
  readonly name: string
  /** A description of the value, if it is set. */
  readonly must: string
  /** Whether Daybook cannot start without it. */
  readonly isRequired: boolean
}

/** For help texts, in the order of the names. */
export const describeVariables = (variables: Variables): VariableDescription[] =>
  Object.entries(variables)
    .map(([name, each]) => ({ name, must: each.description ?? '', isRequired: !each.safeParse(undefined).success }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))

const optionalText = z
  .string()
  .optional()
  .transform((text) => text?.trim() || undefined)

/** @throws Error that lists every invalid variable in one text */
export function readVariables<Value>(schema: z.ZodType<Value>, env: NodeJS.ProcessEnv): Value {
  const { success, data, error } = schema.safeParse(env)
  if (success) return data
  const problems = error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`)
  throw new Error(`Daybook cannot start with these environment variables:\n${problems.join('\n')}`)
}
