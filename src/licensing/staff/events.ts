/** A member of staff: who it is, how the person proves it, and what the person may do. */
import { z } from 'zod'
import { event, internal, sealed, stream } from '#kernel/event'

const staffId = z.uuid()
const passwordHash = internal(z.string())
/** A TOTP time step: seconds since 1970 / 30. */
const step = internal(z.int().min(0))

export const sealedForStaff = (data: { staffId: string }): string => `staff/${data.staffId}`

/** One code per person and 30 s, whatever it was used for: the session that it served holds it. */
const takesStep = (data: { staffId: string; step: number; staffSessionId: string }) => [
  { scope: 'staffTotpStep', key: `${data.staffId}/${data.step}`, holder: data.staffSessionId },
]

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

export const StaffPasswordChanged = event(
  'StaffPasswordChanged',
  'staffId',
  { staffId, passwordHash },
  ({ staffId }) => `changed the password of ${staffId}`,
  { strict: true },
)

/** By somebody else than the person: on the host, or by a link. It never touches the second factor. */
export const StaffPasswordReset = event(
  'StaffPasswordReset',
  'staffId',
  { staffId, passwordHash },
  ({ staffId }) => `reset the password of ${staffId}`,
  { strict: true },
)

/** The same password, hashed with the parameters of the day. */
export const StaffPasswordRehashed = event(
  'StaffPasswordRehashed',
  'staffId',
  { staffId, passwordHash },
  ({ staffId }) => `hashed the password of ${staffId} with present parameters`,
)

export const StaffTotpSetUp = event(
  'StaffTotpSetUp',
  'staffId',
  { staffId, secret: sealed(z.string()) },
  ({ staffId }) => `began to set up the second factor of ${staffId}`,
  { sealedFor: sealedForStaff },
)

export const StaffTotpEnabled = event(
  'StaffTotpEnabled',
  'staffId',
  { staffId, step, staffSessionId: z.uuid(), backupCodes: internal(z.array(z.string())) },
  ({ staffId }) => `enabled the second factor of ${staffId}`,
  { strict: true, takes: takesStep },
)

export const StaffTotpDisabled = event(
  'StaffTotpDisabled',
  'staffId',
  { staffId, step, staffSessionId: z.uuid() },
  ({ staffId }) => `disabled the second factor of ${staffId}`,
  { strict: true, takes: takesStep },
)

export const StaffTotpUsed = event(
  'StaffTotpUsed',
  'staffId',
  { staffId, step, staffSessionId: z.uuid() },
  ({ staffId, staffSessionId }) => `used a code of ${staffId} for session ${staffSessionId}`,
  { takes: takesStep },
)

export const StaffBackupCodeUsed = event(
  'StaffBackupCodeUsed',
  'staffId',
  { staffId, backupCode: internal(z.string()), left: z.int().min(0), staffSessionId: z.uuid() },
  ({ staffId, left }) => `used a backup code of ${staffId}, ${left} left`,
  {
    takes: ({ staffId, backupCode, staffSessionId }) => [
      { scope: 'staffBackupCode', key: `${staffId}/${backupCode}`, holder: staffSessionId },
    ],
  },
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
