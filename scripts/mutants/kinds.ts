/** What mutants come from, which decides what a survivor means. */
import { BY_HAND } from './by-hand.ts'
import type { Mutant } from './mutant.ts'
import { isWide } from './operators.ts'

/** A survivor of the first two fails a run. Some wide ones change nothing that can be seen, so a survivor of them is only told. */
export type Kind = 'by hand' | 'declared' | 'wide'

export function kindOf(mutant: Mutant): Kind {
  if (mutant.operator === BY_HAND) return 'by hand'
  return isWide(mutant) ? 'wide' : 'declared'
}
