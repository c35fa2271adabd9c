/** The performers of the test kinds. What they do to the host is files in a directory. */
import { createHash } from 'node:crypto'
import { appendFile, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { asker, follower, performer, TaskFailure } from '../../../src/agent/performer.ts'
import type { Performer } from '../../../src/agent/performer.ts'
import { planner } from '../../../src/agent/plans.ts'
import { answerMuch, append, count, crash, echo, lines, look, send, shout, sign, sleep, take } from './kinds.ts'

/** Effects without a name, one line each: the task. */
export const EFFECTS = 'effects'

/** @param directory of the effects */
export const testPerformers = (directory: string): Performer[] => [
  /** As an engine does, the directory refuses a second object with the name of the task. */
  performer(echo, async ({ taskId, attempt, payload: { text }, secrets, say }) => {
    if (secrets !== null) await say(`with ${JSON.stringify(secrets)}`)
    const file = await open(join(directory, taskId), 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await file?.writeFile(`${attempt}\n`)
    await file?.close()
    return { text }
  }),

  performer(append, async ({ taskId }) => {
    await appendFile(join(directory, EFFECTS), `${taskId}\n`)
    // Long enough for a kill between the effect and the journal.
    await pause(60)
    return {}
  }),

  performer(sleep, async ({ payload: { ms }, signal }) => {
    await pause(ms, undefined, { signal })
    return {}
  }),

  performer(lines, async (work) => {
    const { count, everyMs } = work.payload
    while (work.linesSaid < count) {
      work.signal.throwIfAborted()
      await work.say(`line ${work.linesSaid + 1}`, 'OUT')
      if (everyMs > 0) await pause(everyMs)
    }
    return { count }
  }),

  performer(crash, async ({ taskId, payload: { times } }) => {
    const path = join(directory, `${taskId}.starts`)
    const starts = Number(await readFile(path, 'utf8').catch(() => '0')) + 1
    await writeFile(path, String(starts))
    if (starts <= times) process.kill(process.pid, 'SIGKILL')
    return { starts }
  }),

  /** Says what its transfer brings last. */
  performer(shout, async ({ payload: { count: most, characters }, say, download }) => {
    for (let nth = 1; nth <= most; nth += 1) await say(longLine(nth, characters), 'OUT')
    const pieces: Uint8Array[] = []
    for await (const piece of download()) pieces.push(piece)
    return { heard: Buffer.concat(pieces).toString() }
  }),

  performer(answerMuch, async ({ payload: { characters }, secrets }) => ({
    text: 'y'.repeat(characters),
    heard: JSON.stringify(secrets).length,
  })),

  performer(send, ({ payload: { bytes }, upload }) => upload(testBytes(bytes))),

  performer(take, async ({ download }) => {
    const hash = createHash('sha256')
    let bytes = 0
    for await (const piece of download()) {
      hash.update(piece)
      bytes += piece.length
    }
    return { bytes, sha256: hash.digest('hex') }
  }),
]

const longLine = (nth: number, characters: number): string => `${nth} `.padEnd(characters, 'x')

/** What they follow now, by the test's own count of lines. */
export const followed = { open: 0, said: 0 }

export const testFollowers = [
  follower(count, async ({ to, everyMs, characters }, { signal, secrets, say }) => {
    followed.open += 1
    try {
      if (secrets) await say(`with ${JSON.stringify(secrets)}`)
      for (let nth = 1; nth <= to && !signal.aborted; nth += 1) {
        await say(longLine(nth, characters))
        followed.said = nth
        if (everyMs > 0) await pause(everyMs, undefined, { signal }).catch(() => {})
      }
      if (to === 0) throw new TaskFailure('NOT_THERE', 'There is nothing to count')
    } finally {
      followed.open -= 1
    }
  }),
]

const TEST_PIECE_BYTES = 100_000

/** In pieces, of which no two are equal. */
export async function* testBytes(bytes: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += TEST_PIECE_BYTES)
    yield Buffer.alloc(Math.min(TEST_PIECE_BYTES, bytes - at), `piece at ${at} `)
}

export const testAskers = [
  asker(look, async ({ at, afterMs = 0 }, { secrets, signal }) => {
    await pause(afterMs, undefined, { signal })
    if (at === 'nothing') throw new TaskFailure('NOT_THERE', 'There is nothing to see')
    return { seen: at === 'much' ? 'x'.repeat(900_000) : at, secrets: secrets as never }
  }),
]

/** The file of the plan, in the directory of the effects. */
export const SIGN = 'sign'

export const testPlanners = (directory: string) => [
  planner(sign, async ({ text }) => {
    await appendFile(join(directory, SIGN), `${text}\n`)
    return { length: text.length }
  }),
]

export const testBeat = async () => ({
  cpuPercent: 1,
  memoryBytes: 1,
  memoryUsedBytes: 1,
  diskBytes: 1,
  diskUsedBytes: 1,
  load: 0,
  containers: null,
  engine: 'NONE' as const,
})
