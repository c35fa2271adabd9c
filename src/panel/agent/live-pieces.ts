/** Pieces that pass through the database, because writer and reader may be in different processes. Nothing keeps them. */
import type { Pool } from 'pg'
import { HINT } from '#kernel/store/hints'

export const WINDOW_BYTES = 8 * 1_024 * 1_024
/** A stream that neither side has touched for this time is over. */
export const IDLE_MS = 30_000
export const PIECE_BYTES_MAX = 256 * 1_024
const PIECES_PER_TAKE = 8

const PUT = `WITH put AS (INSERT INTO telemetry.live_piece AS piece (stream_id, place, bytes) VALUES ($1, $2, $3)
  ON CONFLICT (stream_id, place) DO UPDATE SET bytes = excluded.bytes
  WHERE octet_length(piece.bytes) < octet_length(excluded.bytes)
  RETURNING stream_id) SELECT ${HINT('$4')} FROM put`
const WAITING = `SELECT coalesce(sum(octet_length(bytes)), 0)::int AS bytes FROM telemetry.live_piece WHERE stream_id = $1`
const LEFT = `SELECT FROM telemetry.live_piece WHERE stream_id = $1 AND at < clock_timestamp() - $2::int * interval '1 millisecond'
  LIMIT 1`
const TAKE = `WITH taken AS (DELETE FROM telemetry.live_piece WHERE stream_id = $1 AND place IN
  (SELECT place FROM telemetry.live_piece WHERE stream_id = $1 ORDER BY place LIMIT ${PIECES_PER_TAKE})
  RETURNING place, bytes) SELECT place, bytes FROM taken ORDER BY place`
const DROP = 'DELETE FROM telemetry.live_piece WHERE stream_id = $1'
const FORGET = 'DELETE FROM telemetry.live_piece WHERE at < $1'

interface Piece {
  /** Its place in the stream. Of those that are put there, the longest one is kept: it begins as the others do. */
  readonly place: number
  readonly bytes: Uint8Array
  /** Those that wait for it sit there, in all processes. */
  readonly wakes: string
}

export const putPiece = async (telemetry: Pool, streamId: string, { place, bytes, wakes }: Piece): Promise<void> =>
  void (await telemetry.query(PUT, [streamId, place, bytes, wakes]))

/** How far the reader is behind, in bytes. */
export async function waitingBytes(telemetry: Pool, streamId: string): Promise<number> {
  const { rows } = await telemetry.query<{ bytes: number }>(WAITING, [streamId])
  return rows[0]!.bytes
}

/** Whether its reader has taken nothing for so long that it is gone. */
export const isLeft = async (telemetry: Pool, streamId: string): Promise<boolean> =>
  (await telemetry.query(LEFT, [streamId, IDLE_MS])).rowCount === 1

/** The next pieces in their order, which are gone then. */
export async function takePieces(telemetry: Pool, streamId: string): Promise<Buffer[]> {
  const { rows } = await telemetry.query<{ bytes: Buffer }>(TAKE, [streamId])
  return rows.map(({ bytes }) => bytes)
}

export const dropPieces = async (telemetry: Pool, streamId: string): Promise<void> =>
  void (await telemetry.query(DROP, [streamId]))

/** Of readers that were killed. */
export const forgetPieces = async (telemetry: Pool, before: Date): Promise<void> =>
  void (await telemetry.query(FORGET, [before]))
