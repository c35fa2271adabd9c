/** What a run of mutants says at its end, and whether it has failed. */
import { median } from '../figures/spread.ts'
import type { Mutant } from './mutant.ts'
import type { Outcome } from './trial.ts'

type Equivalents = Readonly<Record<string, string>>

export const lineOf = ({ mutant, verdict, seconds, by }: Outcome): string => {
  const place = verdict === 'caught' ? (by ?? '') : `${mutant.file}:${mutant.line}`
  return `${verdict.padEnd(11)} ${seconds.toFixed(1).padStart(6)} s  ${mutant.id}  (${place})`
}

/** What has to be put right: survivors, and entries of the list of equivalent mutants that say what is not so. */
function problemsIn(outcomes: readonly Outcome[], all: readonly Mutant[], equivalents: Equivalents): string[] {
  const ids = new Set(all.map(({ id }) => id))
  return [
    ...outcomes.flatMap((outcome) => {
      const isListed = outcome.mutant.id in equivalents
      if (outcome.verdict === 'caught' && isListed) return [`listed as equivalent and caught: ${outcome.mutant.id}`]
      const isFine = outcome.verdict === 'caught' || outcome.verdict === 'not covered' || isListed
      return isFine ? [] : [lineOf(outcome)]
    }),
    ...Object.keys(equivalents)
      .filter((id) => !ids.has(id))
      .map((id) => `listed as equivalent and no mutant: ${id}`),
  ]
}

export const isFailure = (...given: Parameters<typeof problemsIn>): boolean => problemsIn(...given).length > 0

export function summaryOf(outcomes: readonly Outcome[], all: readonly Mutant[], equivalents: Equivalents): string {
  const rows = [...Map.groupBy(outcomes, ({ mutant }) => mutant.operator)].map(([operator, tried]) => {
    const count = (verdict: string): number => tried.filter((each) => each.verdict === verdict).length
    const generated = all.filter((each) => each.operator === operator).length
    const verdicts = `${count('caught')} caught, ${count('survived')} survived, ${count('not covered')} not covered`
    return `${operator.padEnd(12)} ${String(tried.length).padStart(4)} of ${String(generated).padStart(4)}: ${verdicts}`
  })
  const seconds = outcomes.length > 0 ? median(outcomes.map((each) => each.seconds)) : 0
  const uncovered = outcomes.filter(({ verdict }) => verdict === 'not covered').map(lineOf)
  const problems = problemsIn(outcomes, all, equivalents)
  const total = `${outcomes.length} of ${all.length} mutants tried, median ${seconds.toFixed(1)} s, ${problems.length} problems.`
  return ['', ...rows, '', ...uncovered, ...problems, total].join('\n')
}
