/**
 * A machine token is a bearer secret without a session or a second factor (specification, "Machine
 * token").
 */
import { z } from 'zod'
import { event, internal, stream } from '#kernel/events/event'

const instant = z.iso.datetime()

const tokenTerms = {
  name: z.string().trim().min(1).max(100),
  /**
   * As requested, with families. Any text is allowed, so that permissions of earlier releases stay
   * readable.
   */
  permissions: z.array(z.string()),
  /** Canonical, see allowed-ips.ts. Empty: any address is allowed. */
  allowedIps: z.array(z.string()),
  /** null: never. */
  expiresAt: instant.nullable(),
}

export const MachineTokenMinted = event(
  'MachineTokenMinted',
  'machineTokenId',
  {
    machineTokenId: z.uuid(),
    ...tokenTerms,
    /** The expanded permissions as known when the token was minted: later releases do not extend a family. */
    grants: z.array(z.string()),
    prefix: z.string(),
    /** SHA-256 of the secret; the secret itself is not stored. */
    hash: internal(z.string()),
    rotatedFrom: z.uuid().optional(),
  },
  ({ machineTokenId, name, rotatedFrom }) =>
    `minted machine token ${machineTokenId} “${name}”${rotatedFrom ? ` in place of ${rotatedFrom}` : ''}`,
)

export const MachineTokenRevoked = event(
  'MachineTokenRevoked',
  'machineTokenId',
  { machineTokenId: z.uuid(), successorId: z.uuid().optional() },
  ({ machineTokenId, successorId }) =>
    `revoked machine token ${machineTokenId}${successorId ? `, replaced by ${successorId}` : ''}`,
  { strict: true },
)

export const MachineTokenRotated = event(
  'MachineTokenRotated',
  'machineTokenId',
  { machineTokenId: z.uuid(), successorId: z.uuid(), expiresAt: instant },
  ({ machineTokenId, successorId, expiresAt }) =>
    `replaced machine token ${machineTokenId} by ${successorId}; the old one works until ${expiresAt}`,
)

/** One stream per installation: the cap of 50 covers all tokens. */
export const machineTokenEvents = stream('machineTokens', [
  MachineTokenMinted,
  MachineTokenRevoked,
  MachineTokenRotated,
])
