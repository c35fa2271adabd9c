/**
 * Transfers: bytes from one task to another, from a task to the panel, or from the panel to a task. A stored one can be
 * taken up where it was cut, and is read when it is whole; a live one passes through a window while both sides are there.
 */
import type { Pool } from 'pg'
import type { HandlerContext } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { taskHub } from './hub.ts'
import {
  dropPieces,
  forgetPieces,
  IDLE_MS,
  PIECE_BYTES_MAX,
  putPiece,
  takePieces,
  waitingBytes,
  WINDOW_BYTES,
} from './live-pieces.ts'
import { transferFiles } from './transfer-files.ts'

const LOOK_AGAIN_MS = 1_000

export interface Transfer {
  readonly transferId: string
  readonly mode: 'STORED' | 'LIVE'
  readonly fromTask: string | null
  readonly toTask: string | null
  readonly bytesMax: number
  readonly received: number
  readonly size: number | null
  readonly sha256: string | null
  readonly isOver: boolean
  readonly at: Date
}

const COLUMNS = `transfer_id AS "transferId", mode, from_task AS "fromTask", to_task AS "toTask", bytes_max AS "bytesMax",
  received, size, sha256, is_over AS "isOver", at`
const OPEN = `INSERT INTO telemetry.transfer (transfer_id, mode, from_task, to_task, bytes_max, is_awaited)
  VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`
const FIND = `SELECT ${COLUMNS} FROM telemetry.transfer WHERE transfer_id = $1`
const OF_TASK = (end: 'from' | 'to') =>
  `SELECT ${COLUMNS} FROM telemetry.transfer WHERE ${end}_task = $1 ORDER BY at DESC LIMIT 1`
const OF_TASKS = `SELECT task_id AS "taskId", transfer_id AS "transferId",
  is_awaited AND size IS NULL AS "isComing" FROM telemetry.transfer,
  LATERAL (VALUES (from_task), (to_task)) AS own (task_id) WHERE task_id = ANY ($1::uuid[])
  AND (from_task = ANY ($1::uuid[]) OR to_task = ANY ($1::uuid[]))`
const RECEIVE = `UPDATE telemetry.transfer SET received = $3, at = clock_timestamp()
  WHERE transfer_id = $1 AND received = $2 AND NOT is_over AND size IS NULL`
const END = `UPDATE telemetry.transfer SET size = received, sha256 = $2, at = clock_timestamp()
  WHERE transfer_id = $1 AND size IS NULL`
const TOUCH = 'UPDATE telemetry.transfer SET at = clock_timestamp() WHERE transfer_id = $1'
const CLOSE = 'UPDATE telemetry.transfer SET is_over = true, at = clock_timestamp() WHERE transfer_id = $1'
const FORGET = 'DELETE FROM telemetry.transfer WHERE at < $1 RETURNING transfer_id AS "transferId", mode'

interface OpenedTransfer extends Pick<Transfer, 'transferId' | 'mode' | 'fromTask' | 'toTask' | 'bytesMax'> {
  /** Whether its task waits until all of it is stored. Default: false. */
  readonly isAwaited?: boolean
}

/** The second time does nothing. An envelope of each of its tasks names it. */
export const openTransfer = async (telemetry: Pool, made: OpenedTransfer): Promise<void> => {
  const { transferId, mode, fromTask, toTask, bytesMax, isAwaited = false } = made
  await telemetry.query(OPEN, [transferId, mode, fromTask, toTask, bytesMax, isAwaited])
}

export async function findTransfer(telemetry: Pool, transferId: string): Promise<Transfer | undefined> {
  const { rows } = await telemetry.query<Transfer>(FIND, [transferId])
  return rows[0] && { ...rows[0], at: new Date(rows[0].at) }
}

/** The one that the task uploads or downloads. */
export async function transferOf(telemetry: Pool, end: 'from' | 'to', taskId: string): Promise<Transfer | undefined> {
  const { rows } = await telemetry.query<Transfer>(OF_TASK(end), [taskId])
  return rows[0] && { ...rows[0], at: new Date(rows[0].at) }
}

interface TransferOfTask {
  readonly taskId: string
  readonly transferId: string
  /** Its task waits until all of it is stored. */
  readonly isComing: boolean
}

/** By the task that has one. */
export async function transfersOf(
  telemetry: Pool,
  taskIds: readonly string[],
): Promise<ReadonlyMap<string, TransferOfTask>> {
  if (taskIds.length === 0) return new Map()
  const { rows } = await telemetry.query<TransferOfTask>(OF_TASKS, [taskIds])
  return new Map(rows.map((row) => [row.taskId, row]))
}

export type TransferCall = Pick<HandlerContext, 'telemetry' | 'service' | 'abortSignal'>

/** What one request of an upload brings. `total` is null until the sender knows it. */
export interface Part {
  readonly at: number
  readonly total: number | null
  readonly bytes: AsyncIterable<Uint8Array> | undefined
}

/**
 * @returns the offset of the next byte
 * @throws Rejection 409 OFFSET with the right one · 413 · 404 for one that is over
 */
export async function receivePart(call: TransferCall, transfer: Transfer, { at, total, bytes }: Part): Promise<number> {
  const { mode, bytesMax, size } = transfer
  if (size !== null && at === size) return size
  if (transfer.isOver || size !== null || at !== transfer.received) rejectOffset(transfer)
  const limited = bytes && withLimit(bytes, at, total ?? bytesMax, bytesMax)
  const received = limited ? await RECEIVERS[mode](call, transfer, limited) : at
  if (received === total) await endTransfer(call, transfer, received)
  return received
}

async function endTransfer({ telemetry, service }: TransferCall, { transferId, mode }: Transfer, bytes: number) {
  const sha256 = mode === 'STORED' ? await service(transferFiles).seal(transferId, bytes) : null
  await telemetry.query(END, [transferId, sha256])
  service(taskHub).wakeTask(transferId)
}

const RECEIVERS = { STORED: receiveStored, LIVE: receiveLive }

async function receiveStored(
  call: TransferCall,
  transfer: Transfer,
  bytes: AsyncIterable<Uint8Array>,
): Promise<number> {
  const { transferId, received: at } = transfer
  let until = at
  try {
    await call.service(transferFiles).write(transferId, at, bytes, (written) => void (until = written))
  } finally {
    // Also of an upload that was cut: it goes on from there.
    if (until > at) await advance(call, transfer, at, until)
  }
  return until
}

async function receiveLive(call: TransferCall, transfer: Transfer, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const { transferId } = transfer
  let until = transfer.received
  for await (const piece of bytes)
    for (let start = 0; start < piece.length; start += PIECE_BYTES_MAX) {
      const part = piece.subarray(start, start + PIECE_BYTES_MAX)
      await untilWindow(call, transfer)
      await advance(call, transfer, until, until + part.length)
      await putPiece(call.telemetry, transferId, { place: until, bytes: part, wakes: transferId })
      until += part.length
    }
  return until
}

async function advance({ telemetry }: TransferCall, transfer: Transfer, at: number, until: number): Promise<void> {
  const { rowCount } = await telemetry.query(RECEIVE, [transfer.transferId, at, until])
  if (rowCount === 0) rejectOffset(found(await findTransfer(telemetry, transfer.transferId)))
}

/** Waits for the reader. @throws Rejection 404 if it is gone */
async function untilWindow(call: TransferCall, { transferId }: Transfer): Promise<void> {
  const { telemetry, service, abortSignal } = call
  if ((await waitingBytes(telemetry, transferId)) < WINDOW_BYTES) return
  const untilMs = performance.now() + IDLE_MS
  const seat = await service(taskHub).ofTask(transferId)
  try {
    for (;;) {
      seat.reset()
      if ((await waitingBytes(telemetry, transferId)) < WINDOW_BYTES) return
      if (performance.now() >= untilMs || abortSignal.aborted) {
        await closeTransfer(call, transferId)
        found(undefined)
      }
      await telemetry.query(TOUCH, [transferId])
      await seat.wait(LOOK_AGAIN_MS, abortSignal)
    }
  } finally {
    seat.leave()
  }
}

async function* withLimit(bytes: AsyncIterable<Uint8Array>, at: number, total: number, bytesMax: number) {
  let until = at
  for await (const piece of bytes) {
    until += piece.length
    if (until > bytesMax) reject('tooLarge', `The transfer is longer than ${bytesMax} bytes`)
    if (until > total) reject('invalid', 'The body is longer than its Content-Range says', 'RANGE_EXCEEDED')
    yield piece
  }
}

function rejectOffset({ isOver, received }: Transfer): never {
  if (isOver) return found(undefined) as never
  return reject('conflict', `The transfer goes on at byte ${received}`, 'OFFSET', { 'Upload-Offset': String(received) })
}

/**
 * The bytes of a transfer: of a stored one that is whole, from any place; of a live one as they come, once.
 * @throws Rejection 404 if there is nothing to read · in the middle: Error if the other side is gone
 */
export function readTransfer(call: TransferCall, transfer: Transfer, from = 0): AsyncIterable<Uint8Array> {
  const { mode, transferId, size, isOver } = transfer
  if (isOver) found(undefined)
  if (mode === 'LIVE') return from === 0 ? liveBytes(call, transferId) : (found(undefined) as never)
  if (size === null || from > size) found(undefined)
  return call.service(transferFiles).read(transferId, from)
}

async function* liveBytes(call: TransferCall, transferId: string): AsyncGenerator<Uint8Array> {
  const { telemetry, service, abortSignal } = call
  const hub = service(taskHub)
  const seat = await hub.ofTask(transferId)
  let taken = 0
  try {
    while (!abortSignal.aborted) {
      seat.reset()
      const known = await findTransfer(telemetry, transferId)
      const pieces = await takePieces(telemetry, transferId)
      for (const piece of pieces) {
        taken += piece.length
        yield piece
      }
      if (pieces.length > 0) hub.wakeTask(transferId)
      else if (!known || known.isOver) throw new Error('The other side of the transfer has left')
      else if (known.size === taken) return
      else if (known.size === null && (await ageMs(telemetry, transferId)) > IDLE_MS)
        throw new Error('The other side of the transfer is silent')
      else await seat.wait(LOOK_AGAIN_MS, abortSignal)
    }
  } finally {
    seat.leave()
    await closeTransfer(call, transferId)
  }
}

const AGE = `SELECT extract(epoch FROM clock_timestamp() - at) * 1000 AS ms FROM telemetry.transfer WHERE transfer_id = $1`

async function ageMs(telemetry: Pool, transferId: string): Promise<number> {
  const { rows } = await telemetry.query<{ ms: string }>(AGE, [transferId])
  return Number(rows[0]?.ms ?? Infinity)
}

/** Tells the other side. What a live one has not delivered is dropped. */
export async function closeTransfer({ telemetry, service }: TransferCall, transferId: string): Promise<void> {
  await telemetry.query(CLOSE, [transferId])
  await dropPieces(telemetry, transferId)
  service(taskHub).wakeTask(transferId)
}

const REMOVE = 'DELETE FROM telemetry.transfer WHERE transfer_id = $1'
const STORE = `UPDATE telemetry.transfer SET received = $2, size = $2, sha256 = $3, at = clock_timestamp()
  WHERE transfer_id = $1 AND size IS NULL`

type Storage = Pick<TransferCall, 'telemetry' | 'service'>

interface ForTask {
  readonly transferId: string
  readonly toTask: string
  readonly bytesMax: number
}

/**
 * Keeps bytes of the panel for the task that downloads them. The second time does nothing, also while the first one runs.
 * @returns their SHA-256 in hex @throws Error if it is dropped meanwhile · Rejection 413 · 503 NO_DATA_DIR · what `bytes` throws
 */
export async function storeForTask(
  { telemetry, service }: Storage,
  { transferId, toTask, bytesMax }: ForTask,
  bytes: AsyncIterable<Uint8Array>,
): Promise<string> {
  await openTransfer(telemetry, { transferId, mode: 'STORED', fromTask: null, toTask, bytesMax })
  if ((await findTransfer(telemetry, transferId))?.size === null) {
    const { size, sha256 } = await service(transferFiles).store(transferId, withLimit(bytes, 0, bytesMax, bytesMax))
    await telemetry.query(STORE, [transferId, size, sha256])
  }
  const stored = await findTransfer(telemetry, transferId)
  // It was dropped meanwhile.
  if (!stored) await service(transferFiles).remove(transferId)
  return found(stored?.sha256 ?? undefined)
}

/** Removes what is stored, before its day is over. */
export async function dropStored({ telemetry, service }: Storage, transferId: string): Promise<void> {
  const { rowCount } = await telemetry.query(REMOVE, [transferId])
  if (rowCount !== 0) await service(transferFiles).remove(transferId)
}

export async function forgetTransfers({ telemetry, service }: Storage, before: Date) {
  const { rows } = await telemetry.query<Pick<Transfer, 'transferId' | 'mode'>>(FORGET, [before])
  for (const { transferId, mode } of rows) if (mode === 'STORED') await service(transferFiles).remove(transferId)
  await forgetPieces(telemetry, before)
}
