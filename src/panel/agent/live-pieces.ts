/** Pieces that pass through the database, because writer and reader may be in different processes. Nothing keeps them. */
import type { Pool } from 'pg'
import { HINT } from '#kernel/store/hints'

export const WINDOW_BYTES = 8 * 1_024 * 1_024
/** A stream that neither side has touched for this time is over. */
export const IDLE_MS = 30_000
export const PIECE_BYTES_MAX = 256 * 1_024
const PIECES_PER_TAKE = 8
const INT_MAX = 2 ** 31 - 1

const WAITING = `SELECT coalesce(sum(octet_length(bytes)), 0)::int AS bytes FROM telemetry.live_piece WHERE stream_id = $1`
const PUT = (allowed: string) => `WITH allowed AS (${allowed}), waiting AS (${WAITING}),
  put AS (INSERT INTO telemetry.live_piece AS piece (stream_id, place, bytes)
    SELECT $1, $2::bigint, $3::bytea FROM allowed, waiting WHERE $3::bytea IS NOT NULL AND waiting.bytes <= $4::int
    ON CONFLICT (stream_id, place) DO UPDATE SET bytes = excluded.bytes
    WHERE octet_length(piece.bytes) < octet_length(excluded.bytes)
    RETURNING stream_id)
  SELECT waiting.bytes, (SELECT ${HINT('$5')} FROM put) AS told FROM allowed, waiting`
const PUT_ANY = PUT('SELECT')
const LEFT = `SELECT FROM telemetry.live_piece WHERE stream_id = $1 AND at < clock_timestamp() - $2::int * interval '1 millisecond'
  LIMIT 1`
const TAKE = (piece: string) => `WITH taken AS (DELETE FROM telemetry.live_piece WHERE stream_id = $1 AND place IN
  (SELECT place FROM telemetry.live_piece WHERE stream_id = $1 ORDER BY place LIMIT ${PIECES_PER_TAKE})
  RETURNING place, bytes) SELECT ${piece} AS piece FROM taken ORDER BY place`
const [TAKE_BYTES, TAKE_TEXTS] = [TAKE('bytes'), TAKE("convert_from(bytes, 'UTF8')")]
const DROP = 'DELETE FROM telemetry.live_piece WHERE stream_id = $1'
const FORGET = 'DELETE FROM telemetry.live_piece WHERE at < $1'

interface Piece {
  /** Its place in the stream. Of those that are put there, the longest one is kept: it begins as the others do. */
  readonly place: number
  /** Null: none, to hear how many wait. */
  readonly bytes: Uint8Array | null
  /** Those that wait for it sit there, in all processes. */
  readonly wakes: string
}

/** Who may put pieces in a stream: a statement with parameters from $6 on that has a row for those who may. */
export interface Allowed {
  readonly statement: string
  readonly values: readonly unknown[]
}

/**
 * Puts a piece, unless more than `bytesMax` bytes wait already.
 * @param bytesMax default: however many wait @returns how many bytes waited before; undefined for those who may not
 */
export async function putPiece(
  telemetry: Pool,
  streamId: string,
  { place, bytes, wakes }: Piece,
  { bytesMax = INT_MAX, allowed }: { readonly bytesMax?: number; readonly allowed?: Allowed | undefined } = {},
): Promise<number | undefined> {
  const values = [streamId, place, bytes, bytesMax, wakes, ...(allowed?.values ?? [])]
  const { rows } = await telemetry.query<{ bytes: number }>(allowed ? PUT(allowed.statement) : PUT_ANY, values)
  return rows[0]?.bytes
}

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
  const { rows } = await telemetry.query<{ piece: Buffer }>(TAKE_BYTES, [streamId])
  return rows.map(({ piece }) => piece)
}

/** As `takePieces`, of a stream whose pieces are texts in UTF-8. */
export async function takeTexts(telemetry: Pool, streamId: string): Promise<string[]> {
  const { rows } = await telemetry.query<{ piece: string }>(TAKE_TEXTS, [streamId])
  return rows.map(({ piece }) => piece)
}

export const dropPieces = async (telemetry: Pool, streamId: string): Promise<void> =>
  void (await telemetry.query(DROP, [streamId]))

/** Of readers that were killed. */
export const forgetPieces = async (telemetry: Pool, before: Date): Promise<void> =>
  void (await telemetry.query(FORGET, [before]))
