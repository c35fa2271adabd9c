/**
 * Whether two kinds of answers can be told apart by their time. They are asked for in turn, in an order that is drawn anew each round, so
 * whatever else the machine does happens to all of them alike; what is compared is the median of the differences within each round. A
 * difference counts when not even its confidence interval reaches down to what is allowed, in three measurements in a row.
 */
import { median } from '../scripts/figures/spread.ts'

/** Of the normal distribution: one in a thousand lies beyond. */
const Z = 3.29
const TRIES = 3

export interface Allowed {
  readonly ms: number
  /** Of the time that an answer takes, where the machine is so slow that this is more. */
  readonly share: number
  /**
   * Where answers of any kind take longer, the machine is too busy for what keeps them even: then one has to take twice as long as another
   * before it is told.
   */
  readonly busyMs?: number
}

/** The first is what the others are compared with. Each asks once and tells how many ms it took. */
export type Kinds = Readonly<Record<string, (round: number) => Promise<number>>>

export interface Compared {
  readonly name: string
  /** Median of the differences, in ms. */
  readonly byMs: number
  readonly isTold: boolean
}

/** @param lanes so many rounds at once */
export async function compared(kinds: Kinds, rounds: number, allowed: Allowed, lanes = 1): Promise<Compared[]> {
  for (let tries = 1; ; tries += 1) {
    const all = judged(Object.keys(kinds), await measured(kinds, rounds, lanes), allowed)
    if (tries === TRIES || !all.some(({ isTold }) => isTold)) return all
  }
}

type Round = Readonly<Record<string, number>>

async function measured(kinds: Kinds, rounds: number, lanes: number): Promise<Round[]> {
  const all: Round[] = []
  let next = 0
  const lane = async () => {
    while (next < rounds) all.push(await once(kinds, next++))
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return all
}

async function once(kinds: Kinds, round: number): Promise<Round> {
  const took: Record<string, number> = {}
  for (const name of shuffled(Object.keys(kinds))) took[name] = await kinds[name]!(round)
  return took
}

function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
}

function judged([first = '', ...others]: readonly string[], rounds: readonly Round[], allowed: Allowed): Compared[] {
  const tookMs = (name: string) => median(rounds.map((round) => round[name]!))
  const isBusy = [first, ...others].some((name) => tookMs(name) > (allowed.busyMs ?? Infinity))
  const most = Math.max(allowed.ms, (isBusy ? 1 : allowed.share) * tookMs(first))
  return others.map((name) => {
    const differences = rounds.map((round) => round[name]! - round[first]!).toSorted((one, other) => one - other)
    const reach = Math.ceil((Z * Math.sqrt(differences.length)) / 2)
    const middle = differences.length / 2
    const low = differences[Math.max(0, Math.floor(middle) - reach)]!
    const high = differences[Math.min(differences.length - 1, Math.ceil(middle) + reach)]!
    return { name, byMs: median(differences), isTold: low > most || high < -most }
  })
}

export const inWords = (all: readonly Compared[]): string =>
  all.map(({ name, byMs }) => `${name} ${byMs >= 0 ? '+' : ''}${(byMs * 1_000).toFixed(0)} µs`).join(', ')
