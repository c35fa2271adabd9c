/**
 * The lines that a task says, on the agent's disk until the panel has them. Their numbers have no gap and go on after a
 * kill, so that the panel has each line once. A spool that is full says how many lines it has not taken.
 */
import { mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { LINE_BYTES_MAX, LogLine } from '../tasks/protocol.ts'
import { openToAppend, parseLines, toLines } from './ndjson-file.ts'
import { turns } from './turns.ts'

const TASK_BYTES_MAX = 16 * 1_024 * 1_024
const ALL_BYTES_MAX = 256 * 1_024 * 1_024
/** Of one request. It is repeated until the panel has it: slow connections must get it through, too. */
export const REQUEST_LINES = 500
const REQUEST_BYTES = 32_768
const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY = 0o600
const END = '.ndjson'
/** A number that is further ahead is damaged itself. */
const GAP_MAX = 1_000

export interface Said {
  readonly of: LogLine['of']
  readonly text: string
}

export interface Spool {
  /** The number of the last line, over all attempts and processes. */
  readonly lastSeq: number
  say(lines: readonly Said[]): Promise<void>
  /** Adds the line that says how many were not taken, if any. */
  end(): Promise<void>
  /** The lines from this number on, as many as one request takes. */
  from(seq: number): Promise<LogLine[]>
  /** Closes the file. */
  close(): Promise<void>
  /** The panel has all. */
  remove(): Promise<void>
}

export interface SpoolLimits {
  readonly taskBytesMax?: number
  readonly allBytesMax?: number
}

export interface Spools {
  /** @param lastSeq of what earlier attempts have said */
  open(taskId: string, lastSeq: number): Promise<Spool>
  /** What a killed process has not removed. */
  removeAllBut(isWanted: (taskId: string) => boolean): Promise<void>
}

export async function openSpools(
  directory: string,
  now: () => Date,
  { taskBytesMax = TASK_BYTES_MAX, allBytesMax = ALL_BYTES_MAX }: SpoolLimits = {},
): Promise<Spools> {
  await mkdir(directory, { recursive: true, mode: OWNER_ONLY_DIRECTORY })
  let allBytes = 0
  return {
    async removeAllBut(isWanted) {
      for (const name of await readdir(directory))
        if (!name.endsWith(END) || !isWanted(name.slice(0, -END.length)))
          await rm(join(directory, name), { force: true })
    },

    async open(taskId, earlierSeq) {
      const path = join(directory, taskId + END)
      await mend(path, earlierSeq + 1, now)
      const file = await openToAppend(path)
      const { handle, size } = file
      const places = placesOf(await readFile(path))
      allBytes += size
      let [bytes, missing] = [size, 0]
      let lastSeq = Math.max(earlierSeq, places.last)
      /** Runs one write after the other, so that the numbers are in the order of the lines. */
      const inTurn = turns()

      async function write(lines: readonly Said[]): Promise<void> {
        const entries = lines.map((line, nth): LogLine => ({
          seq: lastSeq + nth + 1,
          at: now().toISOString(),
          ...line,
        }))
        const text = Buffer.from(toLines(entries))
        await file.append(text)
        places.add(entries, text)
        lastSeq += lines.length
        bytes += text.length
        allBytes += text.length
      }

      /** A disk that takes no lines does not stop the task. */
      const isWritten = (lines: readonly Said[]): Promise<boolean> =>
        write(lines).then(
          () => true,
          () => false,
        )

      return {
        get lastSeq() {
          return lastSeq
        },
        say: (said) =>
          inTurn(async () => {
            const lines = said.flatMap(shortLines)
            const isFull = bytes >= taskBytesMax || allBytes >= allBytesMax
            if (lines.length === 0) return
            const isTaken = !isFull && (await isWritten(lines))
            if (!isTaken) missing += lines.length
          }),
        end: () =>
          inTurn(async () => {
            const text = `${missing} lines are missing here: the log was full`
            if (missing > 0 && (await isWritten([{ of: 'STEP', text }]))) missing = 0
          }),
        from: (seq) => readPiece(handle, places, seq),
        async close() {
          await inTurn(async () => {})
          allBytes -= bytes
          await handle.close()
        },
        async remove() {
          await inTurn(async () => {})
          allBytes -= bytes
          await handle.close()
          await rm(path, { force: true })
        },
      }
    },
  }
}

/** Where each line is in the file. */
interface Places {
  readonly last: number
  add(lines: readonly LogLine[], text: Buffer): void
  /** The bytes from this line on, up to the limit of a request. */
  span(seq: number): { readonly start: number; readonly end: number }
}

function placesOf(bytes: Buffer): Places {
  const starts: number[] = []
  let [first, end] = [0, 0]
  const add = (lines: readonly LogLine[], text: Buffer): void => {
    first ||= lines[0]?.seq ?? 0
    let at = 0
    for (let nth = 0; nth < lines.length; nth += 1) {
      starts.push(end + at)
      at = text.indexOf('\n', at) + 1
    }
    end += text.length
  }
  const lines = parseLines(bytes).map((line) => LogLine.parse(line))
  add(lines, bytes.subarray(0, bytes.lastIndexOf('\n') + 1))
  return {
    last: lines.at(-1)?.seq ?? 0,
    add,
    span(seq) {
      const from = Math.max(0, seq - first)
      const start = starts[from]
      if (start === undefined) return { start: end, end }
      let to = from + 1
      while (to < starts.length && to - from < REQUEST_LINES && starts[to]! - start < REQUEST_BYTES) to += 1
      return { start, end: starts[to] ?? end }
    },
  }
}

/** Numbers must have no gap: a line that the disk has damaged is replaced by one that says so. */
async function mend(path: string, firstSeq: number, now: () => Date): Promise<void> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return Buffer.alloc(0)
  })
  const lines = parseLines(bytes).map((line) => LogLine.safeParse(line).data)
  const known = lines.findIndex((line) => line !== undefined)
  const first = Math.max(1, known < 0 ? firstSeq : lines[known]!.seq - known)
  if (lines.every((line, nth) => line?.seq === first + nth)) return
  const damaged = { at: now().toISOString(), of: 'STEP' as const, text: 'The disk of the server has damaged this line' }
  const mended: LogLine[] = []
  for (const line of lines) {
    const gap = line ? line.seq - first - mended.length : 0
    for (let nth = 0; gap <= GAP_MAX && nth < gap; nth += 1) mended.push({ ...damaged, seq: first + mended.length })
    mended.push({ ...(line ?? damaged), seq: first + mended.length })
  }
  await writeFile(`${path}.part`, toLines(mended), { mode: OWNER_ONLY })
  await rename(`${path}.part`, path)
}

async function readPiece(handle: FileHandle, places: Places, seq: number): Promise<LogLine[]> {
  const { start, end } = places.span(seq)
  if (start === end) return []
  const bytes = Buffer.alloc(end - start)
  await handle.read(bytes, 0, bytes.length, start)
  return bytes
    .toString()
    .split('\n')
    .slice(0, -1)
    .map((line) => LogLine.parse(JSON.parse(line)))
}

/** No column of the panel holds NUL or half of a surrogate pair; longer lines become several. */
export function shortLines({ of, text }: Said): Said[] {
  const plain = text.toWellFormed().replaceAll('\0', '\uFFFD')
  if (Buffer.byteLength(plain) <= LINE_BYTES_MAX) return [{ of, text: plain }]
  const pieces: Said[] = []
  let rest = Buffer.from(plain)
  while (rest.length > 0) {
    let end = Math.min(LINE_BYTES_MAX, rest.length)
    // A byte 10xxxxxx continues a character.
    while (end < rest.length && (rest[end]! & 0xc0) === 0x80) end -= 1
    pieces.push({ of, text: rest.subarray(0, end).toString() })
    rest = rest.subarray(end)
  }
  return pieces
}
