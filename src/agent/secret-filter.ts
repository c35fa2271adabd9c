/**
 * Takes secrets out of text that arrives in pieces, in each of their forms. The end of a piece that may be the beginning
 * of a secret is held back until the next piece shows whether it is.
 */
import { formsOf, SECRET_CHARACTERS_MIN } from './secret-forms.ts'

const INSTEAD = '***'

export interface SecretFilter {
  /** @returns what can be shown already */
  push(piece: string): string
  /** @returns the rest: nothing follows */
  end(): string
}

export const secretFilter = (secrets: readonly string[]): SecretFilter => secretFilters(secrets)()

/** Looks at the secrets once, for several texts. */
export function secretFilters(secrets: readonly string[]): () => SecretFilter {
  const known = index([...new Set(secrets.flatMap(formsOf))])
  return () => {
    let held = ''
    const take = (piece: string, isLast: boolean): string => {
      const { shown, rest } = without(held + piece, known, isLast)
      held = rest
      return shown
    }
    return { push: (piece) => take(piece, false), end: () => take('', true) }
  }
}

/** All texts within the secrets of a task. */
export function secretsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(secretsIn) : []
}

interface Index {
  /** Whether a secret begins with this character. Most characters of a text are passed by it. */
  readonly firsts: Uint8Array
  /** By their first characters, the longest one first. */
  readonly byHead: ReadonlyMap<string, readonly string[]>
  readonly longest: number
}

const HEAD = SECRET_CHARACTERS_MIN

function index(forms: readonly string[]): Index {
  const firsts = new Uint8Array(65_536)
  for (const form of forms) firsts[form.charCodeAt(0)] = 1
  const sorted = forms.toSorted((one, other) => other.length - one.length)
  return { firsts, byHead: Map.groupBy(sorted, (form) => form.slice(0, HEAD)), longest: sorted[0]?.length ?? 0 }
}

/** Secrets that overlap are one. `rest` is what may become a secret. */
function without(text: string, known: Index, isLast: boolean): { readonly shown: string; readonly rest: string } {
  let [shown, from] = ['', 0]
  /** Of what is taken out; it begins before the place that is looked at. */
  let [begin, end] = [-1, -1]
  const takeOut = () => {
    shown += text.slice(from, begin) + INSTEAD
    from = end
    begin = -1
  }
  for (let at = 0; at < text.length; at += 1) {
    if (begin >= 0 && at === end) takeOut()
    if (known.firsts[text.charCodeAt(at)] === 0) continue
    if (!isLast && mayBegin(text, at, known)) {
      const cut = begin < 0 ? at : begin
      return { shown: shown + text.slice(from, cut), rest: text.slice(cut) }
    }
    const length = lengthAt(text, at, known)
    if (length === 0) continue
    if (begin < 0) begin = at
    end = Math.max(end, at + length)
  }
  if (begin >= 0) takeOut()
  return { shown: shown + text.slice(from), rest: '' }
}

const candidates = (text: string, at: number, { byHead }: Index): readonly string[] =>
  byHead.get(text.slice(at, at + HEAD)) ?? []

/** Of the longest secret there. */
const lengthAt = (text: string, at: number, known: Index): number =>
  candidates(text, at, known).find((form) => text.startsWith(form, at))?.length ?? 0

/** Whether the text ends within a secret that begins there. */
function mayBegin(text: string, at: number, known: Index): boolean {
  if (text.length - at >= known.longest) return false
  const rest = text.slice(at)
  const isBegun = (form: string) => form.length > rest.length && form.startsWith(rest)
  if (rest.length >= HEAD) return candidates(text, at, known).some(isBegun)
  return [...known.byHead.keys()].some((head) => head.startsWith(rest))
}
