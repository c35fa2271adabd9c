/** One environment variable: what it must be, in words for an operator, and how its text becomes a value. */
import { z } from 'zod'

export type Variable<Value> = z.ZodType<Value | undefined, string | undefined>

/** Thrown by a `parse` that says why a text is wrong, in words that repeat nothing of it. */
export class Unfit extends Error {}

/**
 * Unset and empty are the same, because compose files pass empty strings. What else `parse` throws is not shown, only `must`: an error
 * text goes to terminals and log collectors, and a mistyped secret is still nearly the secret.
 */
export function variable<Value>(must: string, parse: (text: string) => Value): Variable<Value> {
  return optionalText.transform((text, context) => {
    if (text === undefined) return undefined
    try {
      return parse(text)
    } catch (error) {
      const why = error instanceof Unfit ? `; ${error.message}` : ''
      context.addIssue({ code: 'custom', message: `must be ${must}${why}` })
      return z.NEVER
    }
  })
}

/** What has no default and without which nothing works. */
export function required<Value>(given: Variable<Value>): z.ZodType<Value, string | undefined> {
  return given.transform((value, context) => {
    if (value !== undefined) return value
    context.addIssue({ code: 'custom', message: 'is not set' })
    return z.NEVER
  })
}

const optionalText = z
  .string()
  .optional()
  .transform((text) => text?.trim() || undefined)

/** @throws Error that names every variable that is wrong, in one text. */
export function readVariables<Value>(schema: z.ZodType<Value>, env: NodeJS.ProcessEnv): Value {
  const { success, data, error } = schema.safeParse(env)
  if (success) return data
  const problems = error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`)
  throw new Error(`Daybook cannot start with these environment variables:\n${problems.join('\n')}`)
}
