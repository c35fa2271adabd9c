/**
 * Takes secrets out of text that arrives in pieces, in each of their forms. The end of a piece that may be the beginning
 * of a secret is held back until the next piece shows whether it is.
 */
import { createHash } from 'node:crypto'
import { formsOfAll } from './secret-forms.ts'
import { ROOT, secretIndex } from './secret-index.ts'
import type { SecretIndex } from './secret-index.ts'

const INSTEAD = '***'

export interface SecretFilter {
  /** @returns what can be shown already */
  push(piece: string): string
  /** @returns the rest: nothing follows */
  end(): string
}

export const secretFilter = (secrets: readonly string[]): SecretFilter => secretFilters(secrets)()

const UNFILTERED: SecretFilter = { push: (piece) => piece, end: () => '' }

/** By their secrets, as long as anything filters with them: the logs of the replicas of an application have the same ones. */
const known = new Map<string, WeakRef<SecretIndex>>()
const forgotten = new FinalizationRegistry((key: string) => {
  if (!known.get(key)?.deref()) known.delete(key)
})

/** Looks at the secrets once, for several texts, and for all who ask with the same ones meanwhile. */
export function secretFilters(secrets: readonly string[]): () => SecretFilter {
  const all = [...new Set(secrets)].toSorted()
  const key = createHash('sha256').update(JSON.stringify(all)).digest('base64')
  const index = known.get(key)?.deref() ?? made(key, all)
  return index ? () => filterBy(index) : () => UNFILTERED
}

function made(key: string, secrets: readonly string[]): SecretIndex | undefined {
  const forms = formsOfAll(secrets)
  if (forms.length === 0) return undefined
  const index = secretIndex(forms)
  known.set(key, new WeakRef(index))
  forgotten.register(index, key)
  return index
}

/** All texts within the secrets of a task. */
export function secretsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsIn) : []
}

interface Range {
  readonly begin: number
  readonly end: number
}

function filterBy(index: SecretIndex): SecretFilter {
  const held = heldText()
  let [place, read] = [ROOT, 0]
  /** Those that are not shown yet, in their order. Secrets that overlap are one. */
  let ranges: Range[] = []

  function find(piece: string): void {
    place = index.read(place, piece, (end, length) => add(read + end - length, read + end))
    read += piece.length
  }

  function add(from: number, end: number): void {
    let begin = from
    while ((ranges.at(-1)?.end ?? 0) > from) begin = Math.min(begin, ranges.pop()!.begin)
    ranges.push({ begin, end })
  }

  /** @param until what begins before it and ends after it stays */
  function show(until: number): string {
    let shown = ''
    let count = 0
    for (const { begin, end } of ranges) {
      if (end > until) break
      shown += held.take(begin) + INSTEAD
      held.take(end)
      count += 1
    }
    if (count > 0) ranges = ranges.slice(count)
    return shown + held.take(Math.min(until, ranges[0]?.begin ?? until))
  }

  return {
    push(piece) {
      held.add(piece)
      find(piece)
      return show(read - index.begun(place))
    },
    end() {
      place = ROOT
      return show(read)
    },
  }
}

/** Text in pieces, of which what is taken costs alone. */
function heldText() {
  let pieces: string[] = []
  let [first, taken] = [0, 0]
  return {
    add: (piece: string) => void pieces.push(piece),
    /** @param until counted from the first character of all */
    take(until: number): string {
      let text = ''
      while (taken < until) {
        const piece = pieces[first]!
        const part = piece.slice(0, until - taken)
        text += part
        taken += part.length
        if (part.length < piece.length) pieces[first] = piece.slice(part.length)
        else first += 1
      }
      if (first > pieces.length / 2) {
        pieces = pieces.slice(first)
        first = 0
      }
      return text
    },
  }
}
