/** A member of staff: who it is, how the person proves it, and what the person may do. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/events/event'
import { credentialEvents } from '#kernel/auth/credential-events'
import { realmNames } from '#kernel/auth/realm-names'

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
    /** Of a password that nobody knows, where somebody was invited. */
    passwordHash,
    invited: z.boolean().optional(),
  },
  ({ staffId, roles }) => `added ${staffId} to the staff as ${roles.join(', ')}`,
  { sealedFor: sealedForStaff, takes: ({ emailKey }) => [{ scope: 'staffEmail', key: emailKey }] },
)

/** By somebody else than the person: on the host, or by a link. It never touches the second factor. */
export const StaffPasswordReset = event(
  'StaffPasswordReset',
  'staffId',
  { staffId, passwordHash },
  ({ staffId }) => `reset the password of ${staffId}`,
  { strict: true },
)

/** By which a person sets a password without having one. A newer one voids it, and so does any password. */
export const StaffLinkMade = event(
  'StaffLinkMade',
  'staffId',
  {
    staffId,
    /** What the secret in the link is derived from. */
    staffLinkId: z.uuid(),
    linkHash: internal(z.string()),
    expiresAt: z.iso.datetime(),
    /** Else it was answered to whoever had it made. */
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

/** By somebody else, for who has lost what makes the codes. */
export const StaffTotpReset = event(
  'StaffTotpReset',
  'staffId',
  { staffId },
  ({ staffId }) => `took the second factor from ${staffId}`,
  { strict: true },
)

/** The address is anybody’s again. Who it was stays readable in the audit trail. */
export const StaffRemoved = event(
  'StaffRemoved',
  'staffId',
  { staffId, emailKey: internal(z.string()) },
  ({ staffId }) => `removed ${staffId} from the staff`,
  { strict: true, releases: ({ emailKey }) => [{ scope: 'staffEmail', key: emailKey }] },
)

/** One stream a person: a code, a backup code and a password count once for that person, wherever they are used. */
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

/** One stream for the installation: that somebody is left who may do everything is a rule about all of them. */
export const staffRosterEvents = stream('staffRoster', [StaffPromoted, StaffDemoted])
