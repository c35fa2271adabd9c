/** What a run of mutants says at its end, and whether it has failed. */
import { median } from '../figures/spread.ts'
import { kindOf } from './kinds.ts'
import type { Mutant } from './mutant.ts'
import type { Outcome } from './trial.ts'

/** What decides whether an outcome fails a run. */
export interface Verdicts {
  /** Mutants that no test can notice, each with the reason. */
  readonly equivalents: Readonly<Record<string, string>>
  /** Survivors that a run tells of and forgives. */
  readonly isForgiven?: (mutant: Mutant) => boolean
}

export const lineOf = ({ mutant, verdict, seconds, by }: Outcome): string => {
  const place = verdict === 'caught' ? (by ?? '') : `${mutant.file}:${mutant.line}`
  return `${verdict.padEnd(11)} ${seconds.toFixed(1).padStart(6)} s  ${mutant.id}  (${place})`
}

/** A break by hand names its test, so that one that is not covered is wrong. */
function isProblem({ mutant, verdict }: Outcome, { equivalents, isForgiven }: Verdicts): boolean {
  if (verdict === 'caught' || mutant.id in equivalents || isForgiven?.(mutant)) return false
  const kind = kindOf(mutant)
  return kind === 'by hand' || kind === 'page' || (kind === 'declared' && verdict !== 'not covered')
}

/** What has to be put right: survivors, and entries of the list of equivalent mutants that say what is not so. */
function problemsIn(outcomes: readonly Outcome[], all: readonly Mutant[], verdicts: Verdicts): string[] {
  const { equivalents } = verdicts
  const ids = new Set(all.map(({ id }) => id))
  const isWronglyListed = ({ mutant, verdict }: Outcome) => verdict === 'caught' && mutant.id in equivalents
  return [
    ...outcomes.filter(isWronglyListed).map(({ mutant }) => `listed as equivalent and caught: ${mutant.id}`),
    ...outcomes.filter((outcome) => isProblem(outcome, verdicts)).map(lineOf),
    ...Object.keys(equivalents)
      .filter((id) => !ids.has(id))
      .map((id) => `listed as equivalent and no mutant: ${id}`),
  ]
}

export const isFailure = (...given: Parameters<typeof problemsIn>): boolean => problemsIn(...given).length > 0

export function summaryOf(outcomes: readonly Outcome[], all: readonly Mutant[], verdicts: Verdicts): string {
  const rows = [...Map.groupBy(outcomes, ({ mutant }) => mutant.operator)].map(([operator, tried]) => {
    const count = (verdict: string): number => tried.filter((each) => each.verdict === verdict).length
    const made = all.filter((each) => each.operator === operator).length
    const verdicts = `${count('caught')} caught, ${count('survived')} survived, ${count('not covered')} not covered`
    return `${operator.padEnd(12)} ${String(tried.length).padStart(4)} of ${String(made).padStart(4)}: ${verdicts}`
  })
  const seconds = outcomes.length > 0 ? median(outcomes.map((each) => each.seconds)) : 0
  const problems = problemsIn(outcomes, all, verdicts)
  const told = outcomes.filter(
    (outcome) =>
      outcome.verdict !== 'caught' && !isProblem(outcome, verdicts) && !(outcome.mutant.id in verdicts.equivalents),
  )
  const total = `${outcomes.length} of ${all.length} mutants tried, median ${seconds.toFixed(1)} s, ${problems.length} problems.`
  return [
    '',
    ...rows,
    ...titled('Not noticed, which does not fail the run:', told.map(lineOf)),
    ...titled('To put right:', problems),
    '',
    total,
  ].join('\n')
}

const titled = (title: string, lines: readonly string[]): string[] => (lines.length > 0 ? ['', title, ...lines] : [])
