/** Where the last uses of machine tokens are kept: telemetry, which is no history and survives a rebuild. */
import type { Pool } from 'pg'
import { LastUses } from '#kernel/identity/last-uses'
import type { Use } from '#kernel/identity/last-uses'
import type { Vault } from '#kernel/vault'
import { tokenAddress } from '#projections/licensing/machine-tokens'

/** In the order of ids, so that the writers of two processes cannot wait for each other. */
const STORE_TOKENS = `
  INSERT INTO telemetry.machine_token_use AS use (token_id, last_used_at, last_used_ip)
  SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS noted(token_id, at, ip) ORDER BY token_id
  ON CONFLICT (token_id) DO UPDATE SET last_used_at = excluded.last_used_at, last_used_ip = excluded.last_used_ip
  WHERE excluded.last_used_at >= use.last_used_at + interval '1 minute'`

type OnError = (error: unknown) => void

const whenOf = (uses: readonly Use[]): [string[], string[]] => [
  uses.map(({ id }) => id),
  uses.map(({ at }) => at.toISOString()),
]

/** The address is sealed with the token's key. */
export function tokenUses({ pool, vault, onError }: { pool: Pool; vault: Vault; onError?: OnError }): LastUses {
  const sealedIp = async ({ id, ip }: Use) => (ip === undefined ? null : vault.seal(ip, tokenAddress(id)))
  return new LastUses({
    onError,
    store: async (uses) => pool.query(STORE_TOKENS, [...whenOf(uses), await Promise.all(uses.map(sealedIp))]),
  })
}
