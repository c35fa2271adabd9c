/**
 * How far a reader of logs is: the last line of each output of each container, and of each log of a task. A reader resumes
 * with its text, in any process, and neither misses a line nor gets one twice.
 */
import { isLater } from '../../../tasks/applications.ts'
import type { LogPlace } from '../../../tasks/applications.ts'

const VERSION = '1'
const NONE = '-'
const RADIX = 36
const NANOS_PER_MS = 1_000_000n
const NANO_DIGITS = 9
const NANOS_AT = 20
/** Of containers that have been silent for longest, the moment is enough: all of that time was read. */
export const PLACES_MAX = 64
/** Of a column of Postgres. */
const SEQ_MAX = 2 ** 31 - 1
/** Less than the headers of a request may have. */
export const CURSOR_CHARACTERS_MAX = 8_000

const TEXT =
  /^1\.(?:-|[0-9a-z]{1,13})(?:\.[oe][0-9a-f]{12}-[0-9a-z]{1,13}-[0-9a-z]{1,7}|\.t[0-9a-f]{32}-[0-9a-z]{1,7})*$/

export interface LogCursor {
  /** What is older is not shown. Null: all is. */
  readonly from: string | null
  places(): readonly LogPlace[]
  seqOf(taskId: string): number
  isNew(line: LogPlace): boolean
  read(line: LogPlace): void
  readTask(taskId: string, seq: number): void
  startAt(moment: string): void
  /** The text but for what ends it: the places of these outputs, in any order. Undefined where there is no room for them. */
  textBefore(outputs: ReadonlySet<string>): string | undefined
  /** What they say more is not known. @returns whether one of them was known */
  forgetOthers(containers: readonly string[]): boolean
  toString(): string
}

/** Names an output of a container. */
export const keyOf = ({ container, of }: Pick<LogPlace, 'container' | 'of'>): string =>
  (of === 'OUT' ? 'o' : 'e') + container

/** As it is in the text of a cursor. */
export const placeText = (place: LogPlace): string =>
  `.${keyOf(place)}-${nanosText(place.at)}-${place.nth.toString(RADIX)}`

export function logCursor(
  start: string | null,
  known: readonly LogPlace[] = [],
  tasks: readonly (readonly [string, number])[] = [],
): LogCursor {
  const [places, seqs] = [new Map(known.map((place) => [keyOf(place), withText(place)])), new Map(tasks)]
  let from = start
  return {
    get from() {
      return from
    },
    places: () => [...places.values()].map(({ text, ...place }) => place),
    seqOf: (taskId) => seqs.get(taskId) ?? 0,
    isNew(line) {
      const last = places.get(keyOf(line))
      if (last) return isLater(line, last)
      return from === null || line.at >= from
    },
    read({ container, of, at, nth }) {
      places.set(keyOf({ container, of }), withText({ container, of, at, nth }))
      if (places.size <= PLACES_MAX) return
      const [[key, oldest] = []] = [...places].toSorted(([, one], [, other]) => (one.at < other.at ? -1 : 1))
      places.delete(key!)
      from = later(from, oldest!.at)
    },
    readTask: (taskId, seq) => void seqs.set(taskId, seq),
    startAt: (moment) => void (from = later(from, moment)),
    forgetOthers(containers) {
      const gone = [...places].filter(([, { container }]) => !containers.includes(container))
      for (const [key] of gone) places.delete(key)
      return gone.length > 0
    },
    textBefore(outputs) {
      const others = [...places].filter(([key]) => !outputs.has(key))
      return others.length + outputs.size > PLACES_MAX ? undefined : textOf(others.map(([, { text }]) => text))
    },
    toString: () => textOf([...places.values()].map(({ text }) => text)),
  }

  function textOf(read: readonly string[]): string {
    const told = [...seqs].map(([id, seq]) => `.t${id.replaceAll('-', '')}-${seq.toString(RADIX)}`)
    return [VERSION, '.', from === null ? NONE : nanosText(from), ...told, ...read].join('')
  }
}

const withText = (place: LogPlace) => ({ ...place, text: placeText(place) })

const later = (one: string | null, other: string): string => (one !== null && one > other ? one : other)

/** @returns undefined for a text that is none */
export function parseLogCursor(text: string): LogCursor | undefined {
  if (text.length > CURSOR_CHARACTERS_MAX || !TEXT.test(text)) return undefined
  const [, from = NONE, ...rest] = text.split('.')
  const places: LogPlace[] = []
  const tasks: (readonly [string, number])[] = []
  for (const each of rest) {
    const [key = '', one = '', two = ''] = each.split('-')
    if (key.startsWith('t')) tasks.push([uuidIn(key.slice(1)), Math.min(Number.parseInt(one, RADIX), SEQ_MAX)])
    else
      places.push({
        container: key.slice(1),
        of: key.startsWith('o') ? 'OUT' : 'ERR',
        at: momentIn(one),
        nth: Math.max(1, Number.parseInt(two, RADIX)),
      })
  }
  return logCursor(from === NONE ? null : momentIn(from), places, tasks)
}

const uuidIn = (digits: string): string => digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Most lines are of the same second as the one before. */
let lastSecond = { text: '', nanos: 0n }

function nanosText(moment: string): string {
  const text = moment.slice(0, NANOS_AT - 1)
  if (text !== lastSecond.text) lastSecond = { text, nanos: BigInt(Date.parse(`${text}Z`)) * NANOS_PER_MS }
  return (lastSecond.nanos + BigInt(moment.slice(NANOS_AT, -1))).toString(RADIX)
}

function momentIn(text: string): string {
  const nanos = text.split('').reduce((sum, digit) => sum * BigInt(RADIX) + BigInt(Number.parseInt(digit, RADIX)), 0n)
  // So many digits reach until the year 7375.
  const ms = Number(nanos / NANOS_PER_MS)
  const rest = nanos % (NANOS_PER_MS * 1_000n)
  return `${new Date(ms).toISOString().slice(0, NANOS_AT)}${rest.toString().padStart(NANO_DIGITS, '0')}Z`
}

/** As the engine writes it. @param iso in UTC, with any fraction of a second */
export function momentOf(iso: string): string {
  const [, fraction = ''] = /\.(\d+)Z$/.exec(iso) ?? []
  const seconds = new Date(iso).toISOString().slice(0, NANOS_AT)
  return `${seconds}${fraction.slice(0, NANO_DIGITS).padEnd(NANO_DIGITS, '0')}Z`
}
