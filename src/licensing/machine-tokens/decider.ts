import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { reject } from '#kernel/lib/rejection'
import { expandFamilies, isGrantable } from '../access/permissions.ts'
import { MachineTokenMinted, MachineTokenRevoked, MachineTokenRotated, machineTokenEvents } from './events.ts'

export const LIVE_TOKENS_MAX = 50
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const EXPIRY_DAYS_BELOW = 365
const VERSIONS_EXPIRY_DAYS_MAX = 90

type MachineTokenMintedData = DataOf<typeof MachineTokenMinted>

/** The fields of a live token that the rules need. */
export interface MachineToken extends Pick<
  MachineTokenMintedData,
  'name' | 'permissions' | 'grants' | 'allowedIps' | 'expiresAt'
> {
  readonly id: string
  /** The lifetime given when the token was minted; null: unlimited. */
  readonly lifetimeMs: number | null
  readonly successorId?: string
}

type MintToken = Omit<MachineTokenMintedData, 'grants' | 'rotatedFrom'>

interface RotateToken extends Pick<MachineTokenMintedData, 'machineTokenId' | 'prefix' | 'hash'> {
  readonly successorId: string
  /** How long the old secret stays valid beside the new one; 0: not at all. */
  readonly overlapMinutes: number
}

export const machineTokens = decider(machineTokenEvents, {
  initial: [] as readonly MachineToken[],
  snapshot: { version: 1, everyEvents: 200, sealedFor: () => 'installation' },
  evolve: {
    MachineTokenMinted: (tokens, { machineTokenId: id, name, permissions, grants, allowedIps, expiresAt }, at) => [
      // Dead tokens are dropped here, because automation that mints hourly tokens would otherwise
      // grow the state without limit.
      ...tokens.filter((token) => isLive(token, at)),
      { id, name, permissions, grants, allowedIps, expiresAt, lifetimeMs: lifetime(expiresAt, at) },
    ],
    MachineTokenRevoked: (tokens, { machineTokenId }) => tokens.filter(({ id }) => id !== machineTokenId),
    MachineTokenRotated: (tokens, { machineTokenId, successorId, expiresAt }) =>
      tokens.map((token) => (token.id === machineTokenId ? { ...token, successorId, expiresAt } : token)),
  },
  commands: {
    MintToken: (tokens, ask: MintToken, { at }) => {
      const permissions = grantablePermissions(ask.permissions)
      const grants = expandFamilies(permissions)
      refuseExpiry(ask.expiresAt, grants, at)
      refuseBeyondCap(tokens, at)
      return [MachineTokenMinted({ ...ask, permissions, grants })]
    },
    /** A token that is no longer live stays unchanged. */
    RevokeToken: (tokens, { machineTokenId }: { machineTokenId: string }, { at }) =>
      liveToken(tokens, machineTokenId, at) ? [MachineTokenRevoked({ machineTokenId })] : [],
    RotateToken: (tokens, ask: RotateToken, { at }) => {
      const old = requireRotatable(tokens, ask.machineTokenId, at)
      const successor = successorOf(old, ask, at)
      refuseExpiry(successor.expiresAt, successor.grants, at)
      if (ask.overlapMinutes > 0) refuseBeyondCap(tokens, at)
      return [ended(old, ask, at), MachineTokenMinted(successor)]
    },
  },
})

export const isLive = ({ expiresAt }: Pick<MachineToken, 'expiresAt'>, at: Date): boolean =>
  expiresAt === null || Date.parse(expiresAt) > at.getTime()

const liveToken = (tokens: readonly MachineToken[], id: string, at: Date): MachineToken | undefined =>
  tokens.find((token) => token.id === id && isLive(token, at))

const lifetime = (expiresAt: string | null, at: Date): number | null =>
  expiresAt === null ? null : Date.parse(expiresAt) - at.getTime()

/**
 * The first of the three checks of the ban list: unknown and forbidden permissions are dropped
 * (specification, "permissions").
 */
function grantablePermissions(asked: readonly string[]): string[] {
  const permissions = [...new Set(asked)].filter(isGrantable)
  return permissions.length > 0
    ? permissions
    : reject('invalid', 'No valid permission remains: request at least one that a token may hold', 'NO_PERMISSION')
}

function refuseExpiry(expiresAt: string | null, grants: readonly string[], at: Date): void {
  const ms = lifetime(expiresAt, at) ?? Infinity
  if (ms <= 0) refuse('expiresAt must be in the future')
  if (expiresAt !== null && ms >= EXPIRY_DAYS_BELOW * DAY_MS)
    refuse(`expiresAt must be less than ${EXPIRY_DAYS_BELOW} days ahead`)
  if (grants.includes('versions:manage') && ms > VERSIONS_EXPIRY_DAYS_MAX * DAY_MS)
    refuse(`A token with versions:manage must expire within ${VERSIONS_EXPIRY_DAYS_MAX} days`)
}

function refuse(message: string): never {
  reject('invalid', message, 'EXPIRY_INVALID')
}

function refuseBeyondCap(tokens: readonly MachineToken[], at: Date): void {
  if (tokens.filter((token) => isLive(token, at)).length >= LIVE_TOKENS_MAX)
    reject('conflict', `An installation holds at most ${LIVE_TOKENS_MAX} live machine tokens`, 'MACHINE_TOKEN_CAP')
}

/**
 * A second rotation of one token is refused: after a lost reply it would leave an unknown live
 * secret behind.
 */
function requireRotatable(tokens: readonly MachineToken[], id: string, at: Date): MachineToken {
  const token = liveToken(tokens, id, at)
  if (!token) return reject('conflict', 'Only a live machine token can be rotated', 'MACHINE_TOKEN_NOT_LIVE')
  if (token.successorId === undefined) return token
  return reject(
    'conflict',
    `This machine token was already rotated to ${token.successorId}: rotate that one`,
    'MACHINE_TOKEN_ROTATED',
  )
}

/**
 * The same permissions, never more: families are not expanded again. The lifetime is the
 * predecessor's, starting now.
 */
function successorOf(
  old: MachineToken,
  { machineTokenId, successorId, prefix, hash }: RotateToken,
  at: Date,
): MachineTokenMintedData {
  const permissions = grantablePermissions(old.permissions)
  return {
    machineTokenId: successorId,
    name: old.name,
    permissions,
    grants: expandFamilies(permissions).filter((grant) => old.grants.includes(grant)),
    allowedIps: old.allowedIps,
    expiresAt: old.lifetimeMs === null ? null : new Date(at.getTime() + old.lifetimeMs).toISOString(),
    prefix,
    hash,
    rotatedFrom: machineTokenId,
  }
}

function ended(old: MachineToken, { machineTokenId, successorId, overlapMinutes }: RotateToken, at: Date) {
  if (overlapMinutes === 0) return MachineTokenRevoked({ machineTokenId, successorId })
  const overlapEndsMs = at.getTime() + overlapMinutes * MINUTE_MS
  const expiresMs = Math.min(overlapEndsMs, old.expiresAt === null ? Infinity : Date.parse(old.expiresAt))
  return MachineTokenRotated({ machineTokenId, successorId, expiresAt: new Date(expiresMs).toISOString() })
}
