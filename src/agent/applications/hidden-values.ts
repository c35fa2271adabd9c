/** What is taken out of what containers say. */
import { HIDDEN_CHARACTERS_MIN, HiddenValues } from '../../tasks/applications.ts'
import type { Inspected } from './containers.ts'

/** Those that the panel names. */
export const hiddenValues = (secrets: unknown): readonly string[] =>
  HiddenValues.parse(secrets ?? { values: [] }).values

/** The values that these variables have in the container: those of its deployment, which may be older ones. */
export const valuesIn = ({ Config: { Env } }: Inspected, names: readonly string[]): string[] =>
  (Env ?? []).flatMap((each) => {
    const at = each.indexOf('=')
    const value = each.slice(at + 1)
    return at > 0 && value.length >= HIDDEN_CHARACTERS_MIN && names.includes(each.slice(0, at)) ? [value] : []
  })
