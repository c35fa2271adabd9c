/** What a check of a route asks of the caller: the documentation cannot read it from a function. */
interface Requirement {
  readonly words: string
  readonly asks: readonly string[]
}

const REQUIREMENTS = new WeakMap<object, Requirement>()

/**
 * @param words what the caller needs, such as `the role SUPERADMIN`
 * @param asks the same for programs, such as `role:SUPERADMIN`: the caller needs one of them, but all of those
 * that begin with `environment:`. Absent: it depends on more than the caller and the path.
 */
export function requiring<Check extends object>(words: string, check: Check, asks: readonly string[] = []): Check {
  REQUIREMENTS.set(check, { words, asks })
  return check
}

/** @returns undefined for no check, and for one without words */
export const requirementOf = (check: object | undefined): string | undefined => check && REQUIREMENTS.get(check)?.words

/** @returns none for no check, and for one without names */
export const asksOf = (check: object | undefined): readonly string[] => (check && REQUIREMENTS.get(check)?.asks) ?? []
