/** The bytes of the transfers of an agent's own tasks. */
import { z } from 'zod'
import { answer, bytesReply, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { LONG_BYTES_MAX, UploadAnswer, UPLOAD_BYTES_MAX } from '../../tasks/protocol.ts'
import { byAgent } from './agent-caller.ts'
import { hasEnded } from './decider.ts'
import { ownTask } from './own-task.ts'
import { openTransfer, readTransfer, receivePart, transferOf } from './transfers.ts'
import type { Transfer, TransferCall } from './transfers.ts'

const PARTIAL = 206

const params = z.object({ taskId: uuid })
type Call = HandlerContext<z.output<typeof params>>

/** @throws Rejection 404 for a foreign task, one that is over, and one without such a transfer */
async function ownTransfer(call: Call, end: 'from' | 'to'): Promise<Transfer> {
  const task = await ownTask(call, call.params.taskId)
  if (hasEnded(task)) found(undefined)
  return found((await transferOf(call.telemetry, end, task.id)) ?? (end === 'from' ? await ofResult(call) : undefined))
}

/** A task without an upload of its own may have a long result. */
async function ofResult({ telemetry, params: { taskId } }: Call): Promise<Transfer | undefined> {
  const made = { transferId: taskId, fromTask: taskId, toTask: null, bytesMax: LONG_BYTES_MAX }
  await openTransfer(telemetry, { ...made, mode: 'STORED' })
  return transferOf(telemetry, 'from', taskId)
}

/** RFC 9110, 14.4. Without a first byte it says the length alone. */
const CONTENT_RANGE = /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/

/** @throws Rejection 400 */
function partOf(call: Call): { readonly at: number; readonly total: number | null; readonly isEmpty: boolean } {
  const [, first, last, total] = CONTENT_RANGE.exec(call.header('content-range') ?? '') ?? []
  const size = total === undefined || total === '*' ? null : Number(total)
  const isEmpty = first === undefined
  const at = isEmpty ? size : Number(first)
  if (
    total === undefined ||
    at === null ||
    (last !== undefined && (Number(last) < at || Number(last) >= (size ?? Infinity)))
  )
    reject('invalid', 'The header Content-Range must be "bytes a-b/n", with n or * for an unknown length', 'BAD_RANGE')
  return { at, total: size, isEmpty }
}

/** Each look at the signal of a call adds a listener. */
const partsOf = ({ telemetry, service, abortSignal }: Call): TransferCall => ({ telemetry, service, abortSignal })

const RANGE = /^bytes=(\d{1,15})-$/

export const transferRoutes = [
  route('GET /api/agent/transfers/:taskId/download', {
    does: 'Download the bytes that a task needs: all, or with Range from a byte on. Those of a live transfer come as they are sent.',
    access: byAgent,
    isQuiet: true,
    params,
    status: [200, PARTIAL],
    reply: bytesReply('application/octet-stream'),
    async handle(call) {
      const transfer = await ownTransfer(call, 'to')
      const from = RANGE.exec(call.header('range') ?? '')?.[1]
      const bytes = readTransfer(partsOf(call), transfer, Number(from ?? 0))
      const { size, sha256 } = transfer
      const tag: Record<string, string> = sha256 === null ? {} : { ETag: `"${sha256}"` }
      if (from === undefined || size === null || Number(from) >= size) return answer(bytes, 200, tag)
      return answer(bytes, PARTIAL, { ...tag, 'Content-Range': `bytes ${from}-${size - 1}/${size}` })
    },
  }),

  route('POST /api/agent/transfers/:taskId/upload', {
    does: 'Upload bytes of a task. Content-Range says which; after a cut, Upload-Offset of the 409 says where to go on.',
    access: byAgent,
    isQuiet: true,
    refuses: [409],
    params,
    upload: { bytesMax: UPLOAD_BYTES_MAX },
    reply: UploadAnswer,
    async handle(call) {
      const { at, total, isEmpty } = partOf(call)
      const transfer = await ownTransfer(call, 'from')
      return {
        received: await receivePart(partsOf(call), transfer, { at, total, bytes: isEmpty ? undefined : call.upload() }),
      }
    },
  }),
]
