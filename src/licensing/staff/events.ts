/** A member of staff: identity, credentials and roles. */
import { z } from 'zod'
import { credentialEvents } from '#kernel/auth/credential-events'
import { realmNames } from '#kernel/auth/realm-names'
import { event, internal, sealed, stream } from '#kernel/events/event'

const staffId = z.uuid()
const passwordHash = internal(z.string())

export const staffNames = realmNames('Staff', 'staffId', { subject: (staffId) => `staff/${staffId}` })
export const sealedForStaff = (data: { staffId: string }): string => staffNames.sealedFor(data)

export const staffProofs = credentialEvents(staffNames, passwordHash)
export const {
  PasswordChanged: StaffPasswordChanged,
  PasswordRehashed: StaffPasswordRehashed,
  TotpSetUp: StaffTotpSetUp,
  TotpEnabled: StaffTotpEnabled,
  TotpDisabled: StaffTotpDisabled,
  TotpUsed: StaffTotpUsed,
  BackupCodeUsed: StaffBackupCodeUsed,
} = staffProofs

export const StaffAdded = event(
  'StaffAdded',
  'staffId',
  {
    staffId,
    email: sealed(z.string()),
    emailKey: internal(z.string()),
    name: sealed(z.string()),
    roles: z.array(z.string()),
    /** For an invitation: the hash of a random password that is not stored. */
    passwordHash,
    invited: z.boolean().optional(),
  },
  ({ staffId, roles }) => `added ${staffId} to the staff as ${roles.join(', ')}`,
  { sealedFor: sealedForStaff, takes: ({ emailKey }) => [{ scope: 'staffEmail', key: emailKey }] },
)

/** Set on the host or by a link, without the old password. The second factor stays. */
export const StaffPasswordReset = event(
  'StaffPasswordReset',
  'staffId',
  { staffId, passwordHash },
  ({ staffId }) => `reset the password of ${staffId}`,
  { strict: true },
)

/**
 * A link that sets a password without another credential. A newer link or any new password makes it
 * invalid.
 */
export const StaffLinkMade = event(
  'StaffLinkMade',
  'staffId',
  {
    staffId,
    /** The secret of the link is derived from it. */
    staffLinkId: z.uuid(),
    linkHash: internal(z.string()),
    expiresAt: z.iso.datetime(),
    /** False: the link was returned to the caller. */
    mailed: z.boolean(),
  },
  ({ staffId, mailed }) => `made a link for ${staffId} to set a password${mailed ? ', by mail' : ''}`,
  { takes: ({ staffId, linkHash }) => [{ scope: 'staffLink', key: linkHash, holder: staffId }] },
)

export const StaffRenamed = event(
  'StaffRenamed',
  'staffId',
  { staffId, name: sealed(z.string()) },
  ({ staffId }) => `renamed ${staffId}`,
  { sealedFor: sealedForStaff },
)

export const StaffRolesChanged = event(
  'StaffRolesChanged',
  'staffId',
  { staffId, roles: z.array(z.string()) },
  ({ staffId, roles }) => `gave ${staffId} the roles ${roles.join(', ')}`,
  { strict: true },
)

/** By another member of staff, for an owner who lost the authenticator. */
export const StaffTotpReset = event(
  'StaffTotpReset',
  'staffId',
  { staffId },
  ({ staffId }) => `took the second factor from ${staffId}`,
  { strict: true },
)

/** The address becomes free. The person stays named in the audit trail. */
export const StaffRemoved = event(
  'StaffRemoved',
  'staffId',
  { staffId, emailKey: internal(z.string()) },
  ({ staffId }) => `removed ${staffId} from the staff`,
  { strict: true, releases: ({ emailKey }) => [{ scope: 'staffEmail', key: emailKey }] },
)

/** One stream per member of staff: codes, backup codes and passwords are used once, on every route. */
export const staffEvents = stream('staff', [
  StaffAdded,
  StaffPasswordChanged,
  StaffPasswordReset,
  StaffPasswordRehashed,
  StaffTotpSetUp,
  StaffTotpEnabled,
  StaffTotpDisabled,
  StaffTotpUsed,
  StaffBackupCodeUsed,
  StaffLinkMade,
  StaffRenamed,
  StaffRolesChanged,
  StaffTotpReset,
  StaffRemoved,
])

export const StaffPromoted = event(
  'StaffPromoted',
  'staffId',
  { staffId },
  ({ staffId }) => `counted ${staffId} among the super-administrators`,
)

export const StaffDemoted = event(
  'StaffDemoted',
  'staffId',
  { staffId },
  ({ staffId }) => `counted ${staffId} no longer among the super-administrators`,
)

/** One stream per installation: one rule over all members requires that an active SUPERADMIN remains. */
export const staffRosterEvents = stream('staffRoster', [StaffPromoted, StaffDemoted])
