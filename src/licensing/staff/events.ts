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
    passwordHash,
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
])
