/**
 * What the agent has done, on its disk: each step is there before the next one begins. An id that has ended here is
 * answered from here, so a panel that was restored from a backup repeats no work. Entries are kept for 30 days.
 */
import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { TaskError } from '../tasks/protocol.ts'
import { ResultFile, TaskError as TaskErrorSchema } from '../tasks/protocol.ts'
import { openToAppend, parseLines, syncDirectory, toLines } from './ndjson-file.ts'

const KEPT_DAYS = 30
const DAY_MS = 86_400_000
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
  z.object({ is: z.literal('received'), ...subject, kind: z.string() }),
  z.object({ is: z.literal('started'), ...subject }),
  /** Something that the task has made, such as a container, under the id that the engine gave it. */
  z.object({ is: z.literal('made'), ...subject, name: z.string(), ref: z.string() }),
  z.object({ is: z.literal('ended'), ...subject, end: End, lastSeq: z.int() }),
  /** The panel has taken the end. */
  z.object({ is: z.literal('told'), ...subject }),
])
type Entry = z.output<typeof Entry>

/** What is known of a task, of its newest attempt. */
export interface JournaledTask {
  readonly id: string
  readonly attempt: number
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
}

export const failed = (code: string, message: string): TaskEnd => ({
  outcome: 'FAILED',
  error: { code, message: message.slice(0, 500) } satisfies TaskError,
})

/** @throws Error for a damaged file */
export async function openJournal(directory: string, now: () => Date): Promise<Journal> {
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY })
  const traces = new Map<string, Trace>()
  const known = new Map<string, JournaledTask>()
  const write = dailyWriter(directory, now)
  let today = dayOf(now())
  let oldest = await removeOld(directory, now())
  for await (const [entry, day] of entriesOf(directory)) trace(traces, entry, day)
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

  async function forgetOld(): Promise<void> {
    oldest = await removeOld(directory, now())
    for (const [id, { to }] of traces) if (to < oldest && !known.has(id)) traces.delete(id)
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
      await forgetOld()
    },
    close: write.close,
  }
}

interface Wanted {
  has(id: string): boolean
  readonly from?: string
  readonly to?: string
}

/** In the order of their receipt, with the day of their file. One file is in memory at a time. */
async function* entriesOf(directory: string, wanted?: Wanted): AsyncGenerator<[entry: Entry, day: string]> {
  for (const day of await daysOf(directory)) {
    if (day < (wanted?.from ?? day) || day > (wanted?.to ?? day)) continue
    const path = join(directory, fileOf(day))
    for (const line of parseLines(await readFile(path), path))
      if (!wanted || wanted.has((line as Entry).id)) yield [Entry.parse(line), day]
  }
}

const fileOf = (day: string): string => `${day}.ndjson`

async function daysOf(directory: string): Promise<string[]> {
  const names = await readdir(directory)
  return names.flatMap((name) => FILE.exec(name)?.[1] ?? []).toSorted()
}

/** @returns the oldest day that is kept */
async function removeOld(directory: string, now: Date): Promise<string> {
  const oldest = dayOf(new Date(now.getTime() - KEPT_DAYS * DAY_MS))
  const old = (await daysOf(directory)).filter((day) => day < oldest)
  await Promise.all(old.map((day) => rm(join(directory, fileOf(day)), { force: true })))
  return oldest
}

function trace(traces: Map<string, Trace>, { is, id, attempt }: Entry, day: string): void {
  const before = traces.get(id)
  if (is === 'received') traces.set(id, { attempt, isTold: false, from: before?.from ?? day, to: day })
  if (is === 'received' || before?.attempt !== attempt) return
  const isTold = is === 'told' || (before.isTold && is !== 'ended')
  traces.set(id, { ...before, isTold, to: day })
}

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

function apply(known: Map<string, JournaledTask>, entry: Entry): void {
  const { id, attempt } = entry
  const before = known.get(id)
  if (entry.is === 'received') {
    const lastSeq = before?.lastSeq ?? 0
    const made = before?.made ?? new Map<string, string>()
    known.set(id, { id, attempt, kind: entry.kind, isStarted: false, made, end: undefined, lastSeq, isTold: false })
    return
  }
  // The day of its receipt may be over for so long that its file is removed.
  if (!before || before.attempt !== attempt) return
  if (entry.is === 'started') known.set(id, { ...before, isStarted: true })
  if (entry.is === 'made') known.set(id, { ...before, made: new Map([...before.made, [entry.name, entry.ref]]) })
  if (entry.is === 'ended') known.set(id, { ...before, end: entry.end, lastSeq: entry.lastSeq, isTold: false })
  if (entry.is === 'told') known.set(id, { ...before, isTold: true })
}

interface LineWriter {
  /** @returns the day of its file */
  line(entry: Entry): Promise<string>
  close(): Promise<void>
}

/** Lines that are noted at the same time share one write and one sync. */
function dailyWriter(directory: string, now: () => Date): LineWriter {
  let current: { readonly day: string; readonly handle: FileHandle } | undefined
  let waiting: Entry[] = []
  let next: Promise<string> | undefined
  let running: Promise<unknown> = Promise.resolve()

  async function handleOf(day: string): Promise<FileHandle> {
    if (current?.day === day) return current.handle
    await current?.handle.close()
    const { handle } = await openToAppend(join(directory, fileOf(day)))
    current = { day, handle }
    await syncDirectory(directory)
    return handle
  }

  async function writeAll(): Promise<string> {
    const entries = waiting
    waiting = []
    next = undefined
    const day = dayOf(now())
    const handle = await handleOf(day)
    await handle.appendFile(toLines(entries))
    await handle.datasync()
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
      await current?.handle.close()
      current = undefined
    },
  }
}
