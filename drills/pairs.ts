/**
 * Whether the times of two kinds of answers differ. The kinds are requested in turn, in a random order for
 * each round, so that other work on the machine affects all of them alike. The median of the differences
 * within each round is compared. A difference counts if its whole confidence interval is above the allowed
 * value in three measurements in a row.
 */
import { median } from '../scripts/figures/spread.ts'

/** A quantile of the normal distribution: one in a thousand lies beyond. */
const Z = 3.29
const TRIES = 3

export interface Allowed {
  readonly ms: number
  /** The allowed share of an answer's time, where the machine is so slow that this is more. */
  readonly share: number
  /**
   * If answers of all kinds take longer than this, the machine is too busy to keep them even. Then a
   * difference counts only if one kind takes twice as long as another.
   */
  readonly busyMs?: number
}

/** The first kind is the reference. Each function sends one request and returns its time in ms. */
export type Kinds = Readonly<Record<string, (round: number) => Promise<number>>>

export interface Compared {
  readonly name: string
  /** Median of the differences, in ms. */
  readonly byMs: number
  readonly isTold: boolean
}

/** @param lanes rounds that run at once */
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
