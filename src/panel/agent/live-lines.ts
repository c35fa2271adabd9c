/** Lines that are shown while they are said: those of follows, and of tasks whose output is no history. */
import type { Pool } from 'pg'
import { v5 } from 'uuid'
import type { HandlerContext } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import { taskTable } from '#projections/panel/agent'
import type { LogLine, ProgressAnswer } from '../../tasks/protocol.ts'
import { hasEnded } from './decider.ts'
import { taskHub } from './hub.ts'
import { dropPieces, isLeft, putPiece, takeTexts, WINDOW_BYTES } from './live-pieces.ts'
import type { Allowed } from './live-pieces.ts'

const LOOK_AGAIN_MS = 1_000

/** A transfer may have the id of its task: the lines of the task are another stream. */
const streamOf = (id: string): string => v5('lines', id)

export const dropLines = (telemetry: Pool, id: string): Promise<void> => dropPieces(telemetry, streamOf(id))

type Put = Pick<ProgressAnswer, 'next' | 'pause'>

/**
 * Nothing is kept while the reader is behind.
 * @returns `pause` then, and `next`: the first line that is not kept; undefined where no lines are allowed
 */
export async function putLines(
  telemetry: Pool,
  id: string,
  lines: readonly LogLine[],
  allowed?: Allowed,
): Promise<Put | undefined> {
  const [first, last] = [lines[0], lines.at(-1)]
  const bytes = last ? Buffer.from(JSON.stringify(lines)) : null
  const piece = { place: first?.seq ?? 1, bytes, wakes: id }
  const waited = await putPiece(telemetry, streamOf(id), piece, { bytesMax: WINDOW_BYTES, allowed })
  if (waited === undefined) return undefined
  if (waited > WINDOW_BYTES) return { next: first?.seq ?? 1, pause: true }
  return { next: (last?.seq ?? 0) + 1, pause: waited + (bytes?.length ?? 0) > WINDOW_BYTES }
}

/** Of a task, which must end although no caller reads what it says. */
export async function putLinesOfTask(telemetry: Pool, id: string, lines: readonly LogLine[]): Promise<Put> {
  const { next, pause } = found(await putLines(telemetry, id, lines))
  if (!pause || !(await isLeft(telemetry, streamOf(id)))) return { next, pause }
  await dropLines(telemetry, id)
  return { next, pause: false }
}

/** Those that come next. An agent that was not answered sends lines again, so what is not after `seq` is left out. */
export async function takeLines(telemetry: Pool, id: string, seq: number): Promise<LogLine[]> {
  const texts = await takeTexts(telemetry, streamOf(id))
  // They were checked when they came.
  const lines = texts.flatMap((text) => JSON.parse(text) as LogLine[])
  let last = seq
  return lines.filter((line) => {
    const isNew = line.seq > last
    if (isNew) last = line.seq
    return isNew
  })
}

type LiveCall = Pick<HandlerContext, 'read' | 'telemetry' | 'service' | 'abortSignal'>

/** The lines of a task whose kind is live, until it ends. One reader at a time has them. */
export async function* linesOfTask(call: LiveCall, taskId: string): AsyncGenerator<readonly LogLine[]> {
  const { read, telemetry, service, abortSignal } = call
  const seat = await service(taskHub).ofTask(taskId)
  let last = 0
  try {
    while (!abortSignal.aborted) {
      seat.reset()
      const isOver = hasEnded(found(await findRow(read, taskTable, { id: taskId })))
      const lines = await takeLines(telemetry, taskId, last)
      last = lines.at(-1)?.seq ?? last
      if (lines.length > 0) yield lines
      else if (isOver) return
      else await seat.wait(LOOK_AGAIN_MS, abortSignal)
    }
  } finally {
    seat.leave()
    await dropLines(telemetry, taskId)
  }
}
