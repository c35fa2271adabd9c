/** Results that are too long for an event: the agent uploads them, and they are there for a day. */
import type { HandlerContext } from '#kernel/http/route'
import { jsonMeter } from '#kernel/lib/json-bounds'
import { found } from '#kernel/lib/rejection'
import { ResultFile, RESULT_LEVELS_MAX } from '../../tasks/protocol.ts'
import { transferFiles } from './transfer-files.ts'
import { transferOf } from './transfers.ts'

type Call = Pick<HandlerContext, 'telemetry' | 'service'>

const BOUNDS = { levels: RESULT_LEVELS_MAX, values: 200_000 }

/** No field of a kind begins so. */
const FILE = '$file'

/** What the event says of it. */
export const textOfFile = (file: ResultFile): string => JSON.stringify({ [FILE]: file })

/** @returns undefined if the task has not uploaded this file, or it is no JSON within the bounds */
export async function readResultFile(call: Call, taskId: string, { bytes, sha256 }: ResultFile): Promise<unknown> {
  const transfer = await transferOf(call.telemetry, 'from', taskId)
  if (transfer?.size !== bytes || transfer.sha256 !== sha256) return undefined
  const [pieces, isWithin] = [[] as Uint8Array[], jsonMeter(BOUNDS)]
  for await (const piece of call.service(transferFiles).read(transfer.transferId, 0)) {
    if (!isWithin(piece)) return undefined
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString())
  } catch {
    return undefined
  }
}

/**
 * The result of a task that has succeeded, however long it is.
 * @throws Rejection 404 for a long one after a day
 */
export async function resultOfTask(
  call: Call,
  task: { readonly id: string; readonly result: string },
): Promise<unknown> {
  const result: unknown = JSON.parse(task.result)
  const file = ResultFile.safeParse((result as Record<string, unknown>)[FILE])
  return file.success ? found(await readResultFile(call, task.id, file.data)) : result
}
