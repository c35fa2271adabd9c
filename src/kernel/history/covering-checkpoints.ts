/** Which signed checkpoint covers an event: the first one at its position or later. */
import type { Pool } from 'pg'
import type { Position } from '../events/store-port.ts'
import type { Vault } from '../vault/vault.ts'
import { checkpointKey } from './checkpoint-key.ts'
import type { SignedCheckpoint } from './checkpoint-key.ts'

const COVERING = `SELECT entry.position, sealed.jws FROM unnest($1::bigint[]) AS entry (position)
  CROSS JOIN LATERAL (SELECT checkpoint.jws FROM store.checkpoint WHERE checkpoint.position >= entry.position
    ORDER BY checkpoint.position LIMIT 1) AS sealed`

interface Row {
  readonly position: Position
  readonly jws: string
}

/**
 * The log itself is not verified here.
 * @returns by position; an event is missing while no checkpoint covers it, and where its checkpoint is not signed by
 *   this installation
 */
export async function coveringCheckpoints(
  pool: Pool,
  vault: Vault,
  positions: readonly Position[],
): Promise<ReadonlyMap<Position, SignedCheckpoint>> {
  if (positions.length === 0) return new Map()
  const { rows } = await pool.query<Row>(COVERING, [positions])
  const key = await checkpointKey(vault)
  const texts = [...new Set(rows.map(({ jws }) => jws))]
  const opened = new Map(await Promise.all(texts.map(async (jws) => [jws, await key.open(jws)] as const)))
  return new Map(
    rows.flatMap(({ position, jws }) => {
      const checkpoint = opened.get(jws)
      return checkpoint && checkpoint.position >= position ? [[position, checkpoint] as const] : []
    }),
  )
}
