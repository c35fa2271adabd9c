/**
 * The lines that a task says, on the agent's disk until the panel has them. Their numbers have no gap and go on after a
 * kill, so that the panel has each line once. A spool that is full says how many lines it has not taken.
 */
import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { LINES_PER_PIECE, LINE_BYTES_MAX, LogLine, PIECE_BYTES_MAX } from '../tasks/protocol.ts'
import { openToAppend, parseLines, toLines } from './ndjson-file.ts'

const TASK_BYTES_MAX = 16 * 1_024 * 1_024
const ALL_BYTES_MAX = 256 * 1_024 * 1_024
const OWNER_ONLY_DIRECTORY = 0o700

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
        if (!isWanted(name.replace('.ndjson', ''))) await rm(join(directory, name), { force: true })
    },

    async open(taskId, earlierSeq) {
      const path = join(directory, `${taskId}.ndjson`)
      const { handle, size } = await openToAppend(path)
      const places = placesOf(await readFile(path), path)
      allBytes += size
      let [bytes, missing] = [size, 0]
      let lastSeq = Math.max(earlierSeq, places.last)
      let turn: Promise<unknown> = Promise.resolve()

      /** Runs one write after the other, so that the numbers are in the order of the lines. */
      const inTurn = (work: () => Promise<void>): Promise<void> => {
        const mine = turn.then(work)
        turn = mine.catch(() => {})
        return mine
      }

      async function write(lines: readonly Said[]): Promise<void> {
        const entries = lines.map((line, nth): LogLine => ({
          seq: lastSeq + nth + 1,
          at: now().toISOString(),
          ...line,
        }))
        const text = Buffer.from(toLines(entries))
        await handle.appendFile(text)
        places.add(entries, text)
        lastSeq += lines.length
        bytes += text.length
        allBytes += text.length
      }

      return {
        get lastSeq() {
          return lastSeq
        },
        say: (said) =>
          inTurn(async () => {
            const lines = said.flatMap(shortLines)
            const isFull = bytes >= taskBytesMax || allBytes >= allBytesMax
            if (isFull) missing += lines.length
            else if (lines.length > 0) await write(lines)
          }),
        end: () =>
          inTurn(async () => {
            if (missing > 0) await write([{ of: 'STEP', text: `${missing} lines are missing here: the log was full` }])
            missing = 0
          }),
        from: (seq) => readPiece(handle, places, seq),
        async close() {
          await turn
          allBytes -= bytes
          await handle.close()
        },
        async remove() {
          await turn
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

function placesOf(bytes: Buffer, path: string): Places {
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
  const lines = parseLines(bytes, path).map((line) => LogLine.parse(line))
  add(lines, bytes.subarray(0, bytes.lastIndexOf('\n') + 1))
  return {
    last: lines.at(-1)?.seq ?? 0,
    add,
    span(seq) {
      const from = Math.max(0, seq - first)
      const start = starts[from]
      if (start === undefined) return { start: end, end }
      let to = from + 1
      while (to < starts.length && to - from < LINES_PER_PIECE && starts[to]! - start < PIECE_BYTES_MAX / 2) to += 1
      return { start, end: starts[to] ?? end }
    },
  }
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
