/**
 * What the agent has done, on its disk: each step is there before the next one begins. An id that has ended here is
 * answered from here, so a panel that was restored from a backup repeats no work. Entries are kept for 30 days of
 * the time that the panel has signed. What was issued before is refused, so none is done that was forgotten.
 * A line that the disk has damaged stops nothing: what it names counts as begun, and is never taken for undone.
 */
import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { TaskError } from '../tasks/protocol.ts'
import { ResultFile, TaskError as TaskErrorSchema } from '../tasks/protocol.ts'
import { DamagedLine, openToAppend, parseLines, syncDirectory, toLines } from './ndjson-file.ts'
import type { AppendFile } from './ndjson-file.ts'

export const KEPT_MS = 30 * 86_400_000
const OWNER_ONLY_DIRECTORY = 0o700
const FILE = /^(\d{4}-\d{2}-\d{2})\.ndjson$/

const subject = { id: z.uuid(), attempt: z.int() }

const End = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('SUCCEEDED'), result: z.json(), file: ResultFile.optional() }),
  z.object({ outcome: z.literal('FAILED'), error: TaskErrorSchema }),
  z.object({ outcome: z.literal('CANCELLED') }),
])
/** How an attempt has ended. */
export type TaskEnd = z.output<typeof End>

const Entry = z.discriminatedUnion('is', [
  /** `issuedAt` is absent for one that was refused. */
  z.object({ is: z.literal('received'), ...subject, kind: z.string(), issuedAt: z.iso.datetime().optional() }),
  z.object({ is: z.literal('started'), ...subject }),
  /** Something that the task has made, such as a container, under the id that the engine gave it. */
  z.object({ is: z.literal('made'), ...subject, name: z.string(), ref: z.string() }),
  z.object({ is: z.literal('ended'), ...subject, end: End, lastSeq: z.int() }),
  /** The panel has taken the end. */
  z.object({ is: z.literal('told'), ...subject }),
])
type Entry = z.output<typeof Entry>
export type JournalEntry = Entry
/** UNREAD: a step of the attempt that cannot be read. It may have been any. */
type Step = Entry | { readonly is: 'unread'; readonly id: string; readonly attempt: number }

/** What is known of a task, of its newest attempt. */
export interface JournaledTask {
  readonly id: string
  readonly attempt: number
  /** Empty for one whose receipt cannot be read, or was refused. */
  readonly kind: string
  readonly isStarted: boolean
  readonly made: ReadonlyMap<string, string>
  readonly end: TaskEnd | undefined
  /** The last line that was said, over all attempts. */
  readonly lastSeq: number
  readonly isTold: boolean
}

export interface Journal {
  /** Of one whose end the panel has not taken. */
  find(id: string): JournaledTask | undefined
  /** Of any: what the panel has taken is read from the disk again. */
  recall(id: string): Promise<JournaledTask | undefined>
  /** Those that have not ended, or whose end the panel has not taken. */
  unfinished(): JournaledTask[]
  /** Resolves when the disk has it. */
  note(entry: Entry): Promise<void>
  close(): Promise<void>
}

/** What is in memory of each task, so that its entries are found on the disk. Days are those of files. */
interface Trace {
  readonly attempt: number
  readonly isTold: boolean
  readonly from: string
  readonly to: string
  /** The day that its newest envelope was issued; empty if it is not known. */
  readonly issued: string
}

export const failed = (code: string, message: string): TaskEnd => ({
  outcome: 'FAILED',
  error: { code, message: message.slice(0, 500) } satisfies TaskError,
})

/** Of one that the panel knows to have ended, and the agent does not: the disk has damaged the line. */
const UNKNOWN_END = failed('INTERRUPTED', 'The journal of the agent is damaged: how the task ended is not known')

/**
 * @param now the time that the panel has signed, which never goes back
 * @param warn called for what is wrong with the disk, at each opening
 */
export async function openJournal(
  directory: string,
  now: () => Date,
  warn: (message: string, error?: unknown) => void = () => {},
): Promise<Journal> {
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY })
  const traces = new Map<string, Trace>()
  const known = new Map<string, JournaledTask>()
  const write = dailyWriter(directory, now, (await daysOf(directory)).at(-1) ?? '')
  let today = dayOf(now())
  const onDamaged = (path: string, nth: number): void =>
    warn(`Line ${nth} of ${path} is damaged: tasks that it names count as begun. Check the disk`)
  for await (const [entry, day] of entriesOf(directory, { onDamaged })) trace(traces, entry, day)
  await forgetOld()
  const isOpen = (id: string): boolean => traces.get(id)?.isTold === false
  for await (const [entry] of entriesOf(directory, { has: isOpen })) apply(known, entry)

  async function recall(id: string): Promise<JournaledTask | undefined> {
    const found = traces.get(id)
    if (!found || known.has(id)) return known.get(id)
    const recalled = new Map<string, JournaledTask>()
    for await (const [entry] of entriesOf(directory, { has: (each) => each === id, ...found })) apply(recalled, entry)
    const task = recalled.get(id)
    if (task) known.set(id, task)
    return task
  }

  /** A file stays while a task of it was issued, or has changed, within the time. */
  async function forgetOld(): Promise<void> {
    const oldest = dayOf(new Date(now().getTime() - KEPT_MS))
    const isKept = ({ to, issued }: Trace) => to >= oldest || issued >= oldest
    const spans = [...traces.values()].filter((each) => each.from < oldest && isKept(each))
    const isOld = (day: string) => day < oldest && !spans.some(({ from, to }) => from <= day && day <= to)
    const old = (await daysOf(directory)).filter(isOld)
    await Promise.all(old.map((day) => rm(join(directory, fileOf(day)), { force: true })))
    for (const [id, each] of traces) if (!isKept(each) && !known.has(id)) traces.delete(id)
  }

  return {
    find: (id) => known.get(id),
    recall,
    unfinished: () => [...known.values()].filter(({ isTold }) => !isTold),
    async note(entry) {
      const day = await write.line(entry)
      trace(traces, entry, day)
      apply(known, entry)
      if (known.get(entry.id)?.isTold) known.delete(entry.id)
      if (day === today) return
      today = day
      await forgetOld().catch((error: unknown) => warn('old days of the journal cannot be removed', error))
    },
    close: write.close,
  }
}

interface Wanted {
  has?(id: string): boolean
  readonly from?: string
  readonly to?: string
  onDamaged?(path: string, nth: number): void
}

/** In the order of their receipt, with the day of their file. One file is in memory at a time. */
async function* entriesOf(directory: string, wanted: Wanted): AsyncGenerator<[step: Step, day: string]> {
  const { has = () => true, onDamaged } = wanted
  for (const day of await daysOf(directory)) {
    if (day < (wanted.from ?? day) || day > (wanted.to ?? day)) continue
    const path = join(directory, fileOf(day))
    for (const line of parseLines(await readFile(path))) {
      if (line instanceof DamagedLine) onDamaged?.(path, line.nth)
      for (const step of stepsIn(line, has)) yield [step, day]
    }
  }
}

const BEGIN = /(?=\{"is":")/
const NAMED = /"id":"([0-9a-f-]{36})","attempt":(\d{1,9})\b/

/** A damaged line may be half of one before a whole one. */
function stepsIn(line: unknown, isWanted: (id: string) => boolean): Step[] {
  if (line instanceof DamagedLine)
    return line.text
      .split(BEGIN)
      .flatMap((part) => wholeIn(part) ?? unreadIn(part) ?? [])
      .filter(({ id }) => isWanted(id))
  const { id } = (line ?? {}) as Partial<Entry>
  if (id === undefined || !isWanted(id)) return []
  const step = Entry.safeParse(line).data ?? unreadIn(JSON.stringify(line))
  return step ? [step] : []
}

function wholeIn(text: string): Entry | undefined {
  try {
    return Entry.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

function unreadIn(text: string): Step | undefined {
  const [, id, attempt] = NAMED.exec(text) ?? []
  return id === undefined ? undefined : { is: 'unread', id, attempt: Number(attempt) }
}

const fileOf = (day: string): string => `${day}.ndjson`

async function daysOf(directory: string): Promise<string[]> {
  const names = await readdir(directory)
  return names.flatMap((name) => FILE.exec(name)?.[1] ?? []).toSorted()
}

function trace(traces: Map<string, Trace>, entry: Step, day: string): void {
  const { is, id, attempt } = entry
  const before = traces.get(id)
  const issued = (is === 'received' && entry.issuedAt?.slice(0, 10)) || (before?.issued ?? '')
  const isNew = is === 'received' || (is === 'unread' && attempt > (before?.attempt ?? 0))
  if (isNew) traces.set(id, { attempt, isTold: false, from: before?.from ?? day, to: day, issued })
  if (isNew || before?.attempt !== attempt) return
  const isTold = is === 'told' || (before.isTold && is !== 'ended')
  traces.set(id, { ...before, isTold, to: day })
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

function apply(known: Map<string, JournaledTask>, entry: Step): void {
  const { id, attempt } = entry
  const before = known.get(id)
  const isUnread = entry.is === 'unread'
  if (entry.is === 'received' || (isUnread && attempt > (before?.attempt ?? 0))) {
    const lastSeq = before?.lastSeq ?? 0
    const made = before?.made ?? new Map<string, string>()
    const kind = isUnread ? (before?.kind ?? '') : entry.kind
    known.set(id, { id, attempt, kind, isStarted: isUnread, made, end: undefined, lastSeq, isTold: false })
    return
  }
  // The day of its receipt may be over for so long that its file is removed.
  if (!before || before.attempt !== attempt) return
  if (entry.is === 'started' || isUnread) known.set(id, { ...before, isStarted: true })
  if (entry.is === 'made') known.set(id, { ...before, made: new Map([...before.made, [entry.name, entry.ref]]) })
  if (entry.is === 'ended') known.set(id, { ...before, end: entry.end, lastSeq: entry.lastSeq, isTold: false })
  if (entry.is === 'told') known.set(id, { ...before, end: before.end ?? UNKNOWN_END, isTold: true })
}

interface LineWriter {
  /** @returns the day of its file */
  line(entry: Entry): Promise<string>
  close(): Promise<void>
}

/**
 * Lines that are noted at the same time share one write and one sync.
 * @param newest the day of the newest file: lines must not be before those that were noted earlier
 */
function dailyWriter(directory: string, now: () => Date, newest: string): LineWriter {
  let day = newest
  let current: { readonly day: string; readonly file: AppendFile } | undefined
  let waiting: Entry[] = []
  let next: Promise<string> | undefined
  let running: Promise<unknown> = Promise.resolve()

  async function close(): Promise<void> {
    const former = current
    current = undefined
    await former?.file.handle.close()
  }

  async function fileFor(wanted: string): Promise<AppendFile> {
    if (current?.day === wanted) return current.file
    await close()
    const file = await openToAppend(join(directory, fileOf(wanted)), { isSynced: true })
    current = { day: wanted, file }
    try {
      await syncDirectory(directory)
    } catch (error) {
      await close()
      throw error
    }
    return file
  }

  async function writeAll(): Promise<string> {
    const entries = waiting
    waiting = []
    next = undefined
    const today = dayOf(now())
    day = today > day ? today : day
    const file = await fileFor(day)
    await file.append(toLines(entries))
    return day
  }

  return {
    line(entry) {
      waiting.push(entry)
      if (next) return next
      next = running.then(writeAll)
      running = next.catch(() => {})
      return next
    },
    async close() {
      await running
      await close()
    },
  }
}
