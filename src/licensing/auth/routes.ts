import { z } from 'zod'
import { Proof, stepUp } from '#kernel/auth/manage-credentials'
import { secondFactorRoutes } from '#kernel/auth/second-factor-routes'
import { signInRoutes } from '#kernel/auth/sign-in-routes'
import { newPasswordInput } from '#kernel/credentials/password-policy'
import { everyone, route } from '#kernel/http/route'
import { readRow } from '#kernel/resource/read-row'
import { settingOf } from '#projections/licensing/settings'
import { staffTable } from '#projections/licensing/staff'
import { staff as staffOnly } from '../access/access.ts'
import { staffOf } from '../access/staff-caller.ts'
import { setStaffPasswordByLink } from '../access/staff-links.ts'
import { staffProfile, staffRealm } from '../access/staff-realm.ts'

const Profile = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string(),
    roles: z.array(z.string()),
    permissions: z.array(z.string()),
    totpEnabled: z.boolean(),
    /** The account may only set up a second factor, which all staff needs: it has no permission until then. */
    secondFactorDue: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'StaffProfile' })

export const authRoutes = [
  ...signInRoutes(staffRealm, {
    access: staffOnly(),
    profile: Profile,
    changePassword: '/password',
    does: {
      login:
        'Sign in. `totp` takes six digits or a backup code. Sets the refresh token as a cookie; 401 with TOTP_REQUIRED asks for the code.',
      refresh:
        'Exchange the refresh cookie for a new one and an access token. Send `{}` from the same origin. A reused token ends the session.',
      logout: 'End this session. Send `{}` with the session or, after it expired, with only the refresh cookie.',
      changePassword: 'Change my password. All my other sessions end.',
    },
  }),

  route('GET /api/admin/auth/me', {
    does: 'Read my account and my permissions.',
    access: staffOnly(),
    reply: Profile,
    async handle(call) {
      const person = await readRow(call, staffTable, { id: staffOf(call.caller).staffId })
      return staffProfile(person, await settingOf(call.read, 'requireSecondFactor'))
    },
  }),

  route('POST /api/admin/auth/set-password', {
    does: 'Set a password by a one-time link. All sessions of the account end; the second factor stays.',
    access: everyone,
    refuses: [429],
    body: z.strictObject({ token: z.string().max(128), password: newPasswordInput }),
    handle: (call) => setStaffPasswordByLink(call, call.body),
  }),

  route('POST /api/admin/auth/step-up', {
    does: 'Prove my identity again for five minutes: by a code if a second factor is enabled, by the password otherwise.',
    access: staffOnly(),
    body: Proof,
    handle: (call) => stepUp(staffRealm, call),
  }),

  ...secondFactorRoutes(staffRealm, staffOnly()),
]
