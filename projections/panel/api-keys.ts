import { ipSealField } from '#kernel/events/codec'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  id,
  key,
  nullable,
  otherTable,
  readModel,
  sealedText,
  sql,
  text,
  texts,
  timestamptz,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import type { Vault } from '#kernel/vault/vault'
import { apiKeyEvents, sealedForKey } from '#panel/api-keys/events'

const columns = {
  id: key,
  /** Null for a MACHINE key. */
  ownerId: nullable(id),
  name: sealedText('name', sealedForKey),
  prefix: text,
  hash: text,
  scopes: texts,
  projectIds: nullable(texts),
  allowedIps: texts,
  expiresAt: nullable(timestamptz),
  createdAt: timestamptz,
  mintedBy: text,
  revokedAt: nullable(timestamptz),
  revokedBy: nullable(text),
  /** When the owner was last notified that the key is not used. */
  idleNotedAt: nullable(timestamptz),
  /** Lists omit the key from this time on. */
  deletedAt: nullable(timestamptz),
}

export type ApiKeyRow = RowOf<typeof columns>

export const apiKeyTable = readModel('apiKeys', 2, columns, [
  '(hash)',
  '(created_at, id)',
  '(owner_id, created_at, id)',
])
  .from(apiKeyEvents, {
    ApiKeyMinted: (table, { apiKeyId, ...minted }, { at, metadata }) =>
      table.insert({
        ...minted,
        id: apiKeyId,
        createdAt: at,
        mintedBy: metadata.actor.id,
        revokedAt: null,
        revokedBy: null,
        idleNotedAt: null,
        deletedAt: null,
      }),
    ApiKeyRevoked: (table, { apiKeyId }, { at, metadata }) =>
      table.update({ id: apiKeyId }, { revokedAt: at, revokedBy: metadata.actor.id }),
    ApiKeyIdleNoted: (table, { apiKeyId }, { at }) => table.update({ id: apiKeyId }, { idleNotedAt: at }),
    ApiKeyDeleted: (table, { apiKeyId }, { at }) => table.update({ id: apiKeyId }, { deletedAt: at }),
  })
  .forGate()

export const KEY_KINDS = ['PERSONAL', 'MACHINE'] as const
export type KeyKind = (typeof KEY_KINDS)[number]
export const KEY_STATUSES = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const
export type KeyStatus = (typeof KEY_STATUSES)[number]

export interface KeyRow extends Omit<ApiKeyRow, 'hash' | 'idleNotedAt' | 'deletedAt'> {
  readonly kind: KeyKind
  readonly status: KeyStatus
  readonly lastUsedAt: string | null
  /** Sealed. */
  readonly lastUsedIp: string | null
}

/** Computed from the dates on each read, so that no timer can leave a wrong status. */
const statusAt = (now: Date) =>
  sql<KeyStatus>`CASE WHEN revoked_at IS NOT NULL THEN 'REVOKED' WHEN expires_at <= ${now} THEN 'EXPIRED' ELSE 'ACTIVE' END`

const kind = sql<KeyKind>`CASE WHEN owner_id IS NULL THEN 'MACHINE' ELSE 'PERSONAL' END`

const keyUses = otherTable<{ apiKeyId: string; lastUsedAt: string; lastUsedIp: string | null }>('telemetry.apiKeyUse')

/** Keys that were not deleted, with their last use. */
export const keysAt = (read: ReadDatabase, now: Date) =>
  read
    .selectFrom(apiKeyTable.as('key'))
    .leftJoin(keyUses.as('use'), 'use.apiKeyId', 'key.id')
    .where('deletedAt', 'is', null)
    .select(['id', 'ownerId', 'name', 'prefix', 'scopes', 'projectIds', 'allowedIps', 'expiresAt', 'createdAt'])
    .select(['mintedBy', 'revokedAt', 'revokedBy', 'use.lastUsedAt', 'use.lastUsedIp'])
    .select([kind.as('kind'), statusAt(now).as('status')])

export interface IdleKey {
  readonly id: string
  readonly ownerId: string
  readonly idleSince: string
}

/** PERSONAL keys without a use, or creation, since `before`, whose owner was not notified yet. */
export async function idleKeys(
  read: ReadDatabase,
  { now, before, limit }: { readonly now: Date; readonly before: Date; readonly limit: number },
): Promise<readonly IdleKey[]> {
  const { rows } = await sql<IdleKey>`
    SELECT id, owner_id AS "ownerId", idle_since AS "idleSince" FROM (
      SELECT key.*, coalesce(use.last_used_at, created_at) AS idle_since
        FROM read.api_keys key LEFT JOIN telemetry.api_key_use use ON use.api_key_id = key.id
        WHERE owner_id IS NOT NULL AND revoked_at IS NULL AND deleted_at IS NULL AND (expires_at IS NULL OR expires_at > ${now})
    ) AS good
    WHERE idle_since <= ${before} AND (idle_noted_at IS NULL OR idle_noted_at < idle_since)
    ORDER BY idle_since, id LIMIT ${limit}`.execute(read)
  return rows
}

/** Seals the last address of an API key with the data key of the addresses in that key's audit entries. */
export const sealOfKeyAddress = (apiKeyId: string) => ({
  subject: ipSealField({ type: 'API_KEY', id: apiKeyId }).subject,
  type: 'apiKeyUse',
  field: 'lastUsedIp',
})

/** Decrypts names and addresses. */
export async function openKeys(vault: Vault, rows: readonly KeyRow[]): Promise<KeyRow[]> {
  await vault.loadKeys(rows.map(({ id }) => sealOfKeyAddress(id).subject))
  const open = (id: string, ip: string | null) => (ip === null ? null : vault.open(ip, sealOfKeyAddress(id)))
  const named = await apiKeyTable.open(vault, rows)
  return Promise.all(named.map(async (row) => ({ ...row, lastUsedIp: await open(row.id, row.lastUsedIp) })))
}
