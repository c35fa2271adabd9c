/** What a check of a route asks of the caller, in words: the documentation cannot read it from a function. */
const REQUIREMENTS = new WeakMap<object, string>()

/** @param words what the caller needs, such as `the role SUPERADMIN` */
export function requiring<Check extends object>(words: string, check: Check): Check {
  REQUIREMENTS.set(check, words)
  return check
}

/** @returns undefined for no check, and for one without words */
export const requirementOf = (check: object | undefined): string | undefined => check && REQUIREMENTS.get(check)
