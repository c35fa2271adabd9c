/** What mutants come from, which decides what a survivor means. */
import { BY_HAND, OF_PAGES } from './by-hand.ts'
import type { Mutant } from './mutant.ts'
import { isWide } from './operators.ts'

/** A survivor of the first three fails a run. Some wide ones change nothing that can be seen, so a survivor of them is only told. */
export type Kind = 'by hand' | 'page' | 'declared' | 'wide'

export function kindOf(mutant: Mutant): Kind {
  if (mutant.operator === BY_HAND) return 'by hand'
  if (mutant.operator === OF_PAGES) return 'page'
  return isWide(mutant) ? 'wide' : 'declared'
}
