/** Which mutants a run tries. */
import { execFileSync } from 'node:child_process'
import { placeOf } from './mutant.ts'
import type { Mutant } from './mutant.ts'

const SHARE = /^(\d+|today)\/(\d+)$/
const DAY_MS = 86_400_000

export interface Choice {
  /** `2/10`: the second of ten shares. `today/10`: another one each day. */
  readonly share?: string | undefined
  /** A git revision: only mutants in files that have changed since. */
  readonly since?: string | undefined
  /** At most so many of each operator in each of kernel, licensing, panel and the rest. */
  readonly each?: string | undefined
  /** `strict,gate`: only mutants by these operators. */
  readonly operators?: string | undefined
  /** All of them stand in the mutant's identity. */
  readonly words: readonly string[]
}

export function chosen(mutants: readonly Mutant[], choice: Choice, now: Date): Mutant[] {
  const changed = choice.since === undefined ? undefined : filesChangedSince(choice.since)
  const operators = choice.operators?.split(',')
  const found = mutants.filter(({ id, file, operator }) => {
    const isMeant = operators === undefined || operators.includes(operator)
    return (
      isMeant &&
      (changed === undefined || changed.has(file)) &&
      choice.words.every((word) => id.toLowerCase().includes(word.toLowerCase()))
    )
  })
  const isMine = choice.share === undefined ? () => true : shareOf(choice.share, now)
  const mine = found.filter((mutant) => isMine(placeOf(mutant)))
  return choice.each === undefined ? mine : sampleOf(mine, Number(choice.each))
}

/** @throws Error for a share that is none */
function shareOf(share: string, now: Date): (place: number) => boolean {
  const [, which, ofText] = SHARE.exec(share) ?? []
  const of = Number(ofText)
  const nth = which === 'today' ? (Math.floor(now.getTime() / DAY_MS) % of) + 1 : Number(which)
  if (!(nth >= 1 && nth <= of)) throw new Error('Say --share=1/10, --share=10/10 or --share=today/10, or so')
  return (place) => Math.floor(place * of) === nth - 1
}

/** The first ones by hash, so that the same ones are sampled for as long as they are there. */
function sampleOf(mutants: readonly Mutant[], number: number): Mutant[] {
  const groups = Map.groupBy(mutants, ({ operator, file }) => `${operator} ${areaOf(file)}`)
  return [...groups.values()].flatMap((group) =>
    group.toSorted((one, other) => placeOf(one) - placeOf(other)).slice(0, number),
  )
}

const areaOf = (file: string): string => /^(?:src|projections)\/(\w[\w-]*)/.exec(file)?.[1] ?? ''

const filesChangedSince = (revision: string): ReadonlySet<string> =>
  new Set(execFileSync('git', ['diff', '--name-only', revision, '--'], { encoding: 'utf8' }).split('\n'))
