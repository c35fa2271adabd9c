/**
 * Lines of a follow, which all of its readers get. They are read from their text once, and what a reader is sent differs
 * only in how the ids begin: with the places of those outputs that have said nothing here.
 */
import { formatServerSentEvent, sharedEvents } from '#kernel/http/sse'
import type { SharedEvent } from '#kernel/http/sse'
import { LruMap } from '#kernel/lib/lru-map'
import { FollowedLine, isLater } from '../../../tasks/applications.ts'
import type { ContainerLine } from '../../../tasks/applications.ts'
import type { LogLine } from '../../../tasks/protocol.ts'
import { keyOf, PLACES_MAX, placeText } from './cursor.ts'
import type { LogCursor } from './cursor.ts'
import { lineView } from './log-line-view.ts'

/** By the array that all readers of a follow get. */
const known = new WeakMap<readonly LogLine[], SharedLines>()

interface SharedLines {
  readonly lines: readonly ContainerLine[]
  /** Undefined: of more outputs than a cursor has places for. */
  readonly runs: readonly Run[] | undefined
  /** The last line of each output. */
  readonly last: readonly ContainerLine[]
  /** What readers got, by how their ids begin. */
  readonly sent: LruMap<Buffer>
}

/** Readers that began at the same time get the same ids. */
const SENT_MAX = 8

/** From the first line of an output on to that of the next one. */
interface Run {
  readonly first: ContainerLine
  /** Those that have said something until then: their places end the ids. */
  readonly outputs: ReadonlySet<string>
  readonly text: (idBegin: string) => string
}

/** The events of those lines that the reader does not have, and moves its cursor. Empty without any. */
export function eventsOf(logLines: readonly LogLine[], cursor: LogCursor): Uint8Array | string {
  const shared = known.get(logLines) ?? sharedLines(logLines)
  known.set(logLines, shared)
  if (shared.lines.length === 0) return ''
  if (!shared.runs) return eventsOneByOne(shared.lines, cursor)
  const begins = shared.runs.map(({ first, outputs }) => (cursor.isNew(first) ? cursor.textBefore(outputs) : undefined))
  if (!begins.every((begin) => begin !== undefined)) return eventsOneByOne(shared.lines, cursor)
  for (const line of shared.last) cursor.read(line)
  const key = begins.join(' ')
  const sent = shared.sent.get(key)
  if (sent) return sent
  const bytes = Buffer.from(shared.runs.map((run, nth) => run.text(begins[nth]!)).join(''))
  shared.sent.set(key, bytes)
  return bytes
}

/** As `eventsOf`, of lines that no other reader gets. */
export function eventsOneByOne(lines: readonly ContainerLine[], cursor: LogCursor): string {
  const events = lines.map((line) => {
    if (!cursor.isNew(line)) return ''
    cursor.read(line)
    return formatServerSentEvent({ id: cursor.toString(), event: 'line', data: lineView(line) })
  })
  return events.join('')
}

function sharedLines(logLines: readonly LogLine[]): SharedLines {
  const lines = logLines.flatMap(({ of, text }) => (of === 'STEP' ? [] : [followedLine(of, text)]))
  const last = new Map<string, { readonly line: ContainerLine; readonly text: string }>()
  const begun: { first: ContainerLine; outputs: Set<string>; events: SharedEvent[] }[] = []
  const sent = new LruMap<Buffer>(SENT_MAX)
  for (const line of lines) {
    const key = keyOf(line)
    const before = last.get(key)
    if (before && !isLater(line, before.line)) continue
    last.set(key, { line, text: placeText(line) })
    // Each id would name all of them.
    if (last.size > PLACES_MAX) return { lines, runs: undefined, last: [], sent }
    if (!before) begun.push({ first: line, outputs: new Set(last.keys()), events: [] })
    const idEnd = last.size === 1 ? last.get(key)!.text : [...last.values()].map(({ text }) => text).join('')
    begun.at(-1)!.events.push({ idEnd, event: 'line', json: JSON.stringify(lineView(line)) })
  }
  return {
    lines,
    runs: begun.map(({ first, outputs, events }) => ({ first, outputs, text: sharedEvents(events) })),
    last: [...last.values()].map(({ line }) => line),
    sent,
  }
}

function followedLine(of: ContainerLine['of'], text: string): ContainerLine {
  const [container, at, nth, service, replica, deploymentId, said] = FollowedLine.parse(JSON.parse(text))
  return { container, of, at, nth, service, replica, deploymentId, text: said }
}
