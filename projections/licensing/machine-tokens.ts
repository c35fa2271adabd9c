import { lookup } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { key, nullable, otherTable, readModel, sql, text, texts, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import type { Vault } from '#kernel/vault/vault'
import { machineTokenEvents } from '#licensing/machine-tokens/events'

const columns = {
  id: key,
  name: text,
  prefix: text,
  hash: text,
  permissions: texts,
  grants: texts,
  allowedIps: texts,
  expiresAt: nullable(timestamptz),
  createdAt: timestamptz,
  createdBy: text,
  revokedAt: nullable(timestamptz),
  revokedBy: nullable(text),
}

export const machineTokenTable = readModel('machineTokens', 1, columns, ['(hash)', '(created_at, id)'])
  .from(machineTokenEvents, {
    MachineTokenMinted: (table, { machineTokenId, rotatedFrom: _, ...token }, { at, metadata }) =>
      table.insert({
        ...token,
        id: machineTokenId,
        createdAt: at,
        createdBy: metadata.actor.id,
        revokedAt: null,
        revokedBy: null,
      }),
    MachineTokenRevoked: (table, { machineTokenId }, { at, metadata }) =>
      table.update({ id: machineTokenId }, { revokedAt: at, revokedBy: metadata.actor.id }),
    MachineTokenRotated: (table, { machineTokenId, expiresAt }) => table.update({ id: machineTokenId }, { expiresAt }),
  })
  .forGate()

export const TOKEN_STATUSES = ['ACTIVE', 'REVOKED', 'EXPIRED'] as const
export type TokenStatus = (typeof TOKEN_STATUSES)[number]

/** The fields that authentication needs. */
export type PresentedToken = Pick<RowOf<typeof columns>, 'id' | 'grants' | 'allowedIps' | 'expiresAt' | 'revokedAt'>

export const findPresentedToken = lookup(machineTokenTable, ['hash'], (tokens) =>
  tokens.select(['id', 'grants', 'allowedIps', 'expiresAt', 'revokedAt']),
)

const statusAt = (now: Date) =>
  sql<TokenStatus>`CASE WHEN revoked_at IS NOT NULL THEN 'REVOKED' WHEN expires_at <= ${now} THEN 'EXPIRED' ELSE 'ACTIVE' END`

export interface TokenRow extends Omit<RowOf<typeof columns>, 'hash' | 'grants'> {
  readonly status: TokenStatus
  readonly lastUsedAt: string | null
  /** Sealed. */
  readonly lastUsedIp: string | null
}

const tokenUses = otherTable<{ tokenId: string; lastUsedAt: string; lastUsedIp: string | null }>(
  'telemetry.machineTokenUse',
)

/** The status is computed from the dates at query time, so a late timer cannot make it wrong. */
export const tokensAt = (read: ReadDatabase, now: Date) =>
  read
    .selectFrom(machineTokenTable.as('token'))
    .leftJoin(tokenUses.as('use'), 'use.tokenId', 'token.id')
    .select(['id', 'name', 'prefix', 'permissions', 'allowedIps', 'expiresAt', 'createdAt', 'createdBy'])
    .select(['revokedAt', 'revokedBy', 'use.lastUsedAt', 'use.lastUsedIp', statusAt(now).as('status')])

export const hasStatus = (now: Date, status: TokenStatus) => sql<boolean>`${statusAt(now)} = ${status}`

/** Case-insensitive in the name, case-sensitive in the prefix. */
export const hasNameOrPrefix = (text: string) =>
  sql<boolean>`(position(lower(${text}) IN lower(name)) > 0 OR starts_with(prefix, ${text}))`

/** The vault subject whose key seals the address of a token's last use. */
export const tokenAddress = (tokenId: string) => ({
  subject: `token/${tokenId}`,
  type: 'machineTokenUse',
  field: 'lastUsedIp',
})

/** Opens the sealed addresses of last use, with one query for all data keys. */
export async function openLastUsedIps(vault: Vault, rows: readonly TokenRow[]): Promise<TokenRow[]> {
  await vault.loadKeys(rows.map(({ id }) => tokenAddress(id).subject))
  const open = (id: string, ip: string | null) => (ip === null ? null : vault.open(ip, tokenAddress(id)))
  return Promise.all(rows.map(async (row) => ({ ...row, lastUsedIp: await open(row.id, row.lastUsedIp) })))
}
