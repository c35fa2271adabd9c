/** Which mutants a run tries. */
import type { ChangedLines } from './changes.ts'
import { kindOf } from './kinds.ts'
import type { Kind } from './kinds.ts'
import { placeOf } from './mutant.ts'
import type { Mutant } from './mutant.ts'

const SHARE = /^(\d+|today)\/(\d+)$/
const DAY_MS = 86_400_000

export interface Choice {
  /** `2/10`: the second of ten shares. `today/10`: another one each day. */
  readonly share?: string | undefined
  /** Only mutants in lines that have changed. */
  readonly changed?: ChangedLines | undefined
  /** At most so many of each operator in each of kernel, licensing, panel and the rest. */
  readonly each?: string | undefined
  /** `strict,gate`: only mutants by these operators. */
  readonly operators?: string | undefined
  /** All of them stand in the mutant's identity. */
  readonly words: readonly string[]
}

export function chosen(mutants: readonly Mutant[], choice: Choice, now: Date): Mutant[] {
  const { changed } = choice
  const operators = choice.operators?.split(',')
  const found = mutants.filter((mutant) => {
    const isMeant = operators === undefined || operators.includes(mutant.operator)
    const isInChange = changed === undefined || isChanged(mutant, changed)
    return isMeant && isInChange && choice.words.every((word) => mutant.id.toLowerCase().includes(word.toLowerCase()))
  })
  const isMine = choice.share === undefined ? () => true : shareOf(choice.share, now)
  const mine = found.filter((mutant) => isMine(placeOf(mutant)))
  return choice.each === undefined ? mine : sampleOf(mine, Number(choice.each))
}

/** @throws Error for a share that is none */
function shareOf(share: string, now: Date): (place: number) => boolean {
  const [, which, ofText] = SHARE.exec(share) ?? []
  const of = Number(ofText)
  const nth = which === 'today' ? (dayOf(now) % of) + 1 : Number(which)
  if (!(nth >= 1 && nth <= of)) throw new Error('Say --share=1/10, --share=10/10 or --share=today/10, or so')
  return (place) => Math.floor(place * of) === nth - 1
}

const dayOf = (now: Date): number => Math.floor(now.getTime() / DAY_MS)

/** The first ones by hash, so that the same ones are sampled for as long as they are there. */
function sampleOf(mutants: readonly Mutant[], number: number): Mutant[] {
  const groups = Map.groupBy(mutants, ({ operator, file }) => `${operator} ${areaOf(file)}`)
  return [...groups.values()].flatMap((group) => byPlace(group).slice(0, number))
}

const byPlace = (mutants: readonly Mutant[]): Mutant[] =>
  mutants.toSorted((one, other) => placeOf(one) - placeOf(other))

const areaOf = (file: string): string => /^(?:src|projections)\/(\w[\w-]*)/.exec(file)?.[1] ?? ''

const isChanged = ({ file, line }: Mutant, changed: ChangedLines): boolean =>
  (changed.get(file) ?? []).some(([first, last]) => line >= first && line <= last)

/** How many a day, of what has changed since the last release and of all, so that two quiet cores take some three minutes. */
const A_DAY: Readonly<Record<Kind, { readonly changed: number; readonly all: number }>> = {
  'by hand': { changed: 2, all: 5 },
  page: { changed: 0, all: 1 },
  declared: { changed: 6, all: 4 },
  // Their survivors fail no run, and take longest.
  wide: { changed: 1, all: 1 },
}

export interface Day {
  readonly mutants: readonly Mutant[]
  /** Those of them that lines hold which have changed. */
  readonly changed: ReadonlySet<Mutant>
  /** What was chosen of how many. */
  readonly lines: readonly string[]
}

/** What continuous integration tries on a day: other ones each day, until all had their turn. */
export function ofDay(mutants: readonly Mutant[], changed: ChangedLines | undefined, now: Date): Day {
  const groups = Object.entries(A_DAY).map(([kind, number]) => {
    const all = mutants.filter((mutant) => kindOf(mutant) === kind)
    const inChange = all.filter((mutant) => changed !== undefined && isChanged(mutant, changed))
    const changes = turnOf(inChange, number.changed, now)
    const picked = new Set([...changes, ...turnOf(all, number.all + number.changed - changes.length, now)])
    const ofChange = inChange.filter((mutant) => picked.has(mutant))
    const line = `${kind}: ${picked.size} of ${all.length}, among them ${ofChange.length} of ${inChange.length} in changed lines`
    return { picked, ofChange, line }
  })
  return {
    mutants: groups.flatMap(({ picked }) => [...picked]),
    changed: new Set(groups.flatMap(({ ofChange }) => ofChange)),
    lines: groups.map(({ line }) => line),
  }
}

function turnOf(mutants: readonly Mutant[], number: number, now: Date): Mutant[] {
  const turns = byPlace(mutants)
  const first = (dayOf(now) * number) % Math.max(1, turns.length)
  return [...turns, ...turns].slice(first, first + Math.min(number, turns.length))
}
