/**
 * When and from which address secret credentials were last used. This is telemetry: not history, and it
 * survives a rebuild.
 */
import type { Pool } from 'pg'
import type { Vault } from '../vault/vault.ts'
import { LastUseRecorder, plainSqlName } from './last-uses.ts'
import type { CredentialUse } from './last-uses.ts'

/** Each kind of credential has its own table in schema telemetry. */
interface UseTable {
  readonly table: string
  /** The column of the credential's id. */
  readonly id: string
}

/** In the order of ids, so that two processes cannot deadlock. */
const upsertStatement = ({ table, id }: UseTable) => `
  INSERT INTO telemetry.${table} AS use (${id}, last_used_at, last_used_ip)
  SELECT * FROM unnest($1::uuid[], $2::timestamptz[], $3::text[]) AS noted(id, at, ip) ORDER BY id
  ON CONFLICT (${id}) DO UPDATE SET last_used_at = excluded.last_used_at, last_used_ip = excluded.last_used_ip
  WHERE excluded.last_used_at >= use.last_used_at + interval '1 minute'`

export interface SecretUseRecorderDependencies extends UseTable {
  readonly pool: Pool
  readonly vault: Vault
  /** The context under which the address of a credential is sealed. */
  address(id: string): { readonly subject: string; readonly type: string; readonly field: string }
  readonly onError?: ((error: unknown) => void) | undefined
}

export function secretUseRecorder({
  pool,
  vault,
  address,
  onError,
  ...kind
}: SecretUseRecorderDependencies): LastUseRecorder {
  const sql = upsertStatement({ table: plainSqlName(kind.table), id: plainSqlName(kind.id) })
  const sealedIp = async ({ id, ip }: CredentialUse) => (ip === undefined ? null : vault.seal(ip, address(id)))
  return new LastUseRecorder({
    onError,
    store: async (uses) =>
      pool.query(sql, [
        uses.map(({ id }) => id),
        uses.map(({ at }) => at.toISOString()),
        await Promise.all(uses.map(sealedIp)),
      ]),
  })
}
