/** A machine token is a bearer secret without session, second factor or human behind it (seed, "Machine token"). */
import { z } from 'zod'
import { event, internal, stream } from '#kernel/events/event'

const instant = z.iso.datetime()

const tokenTerms = {
  name: z.string().trim().min(1).max(100),
  /** As written, families kept. Any text: what was grantable once must stay readable when it no longer is. */
  permissions: z.array(z.string()),
  /** Canonical, see allowed-ips.ts. Empty: reachable from anywhere. */
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
    /** The permissions behind `permissions` as they were known at mint: a family never grows by a later release. */
    grants: z.array(z.string()),
    prefix: z.string(),
    /** sha256 of the secret; the secret itself is nowhere. */
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

/** One stream for the installation: the cap of 50 is a rule about all tokens at once. */
export const machineTokenEvents = stream('machineTokens', [
  MachineTokenMinted,
  MachineTokenRevoked,
  MachineTokenRotated,
])
