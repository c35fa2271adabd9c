import { z } from 'zod'
import { changePassword, PasswordChange, Proof, stepUp } from '#kernel/auth/manage-credentials'
import { logout, refresh } from '#kernel/auth/refresh'
import { secondFactorRoutes } from '#kernel/auth/second-factor-routes'
import { SET_PASSWORD_PAGE, SET_PASSWORD_POLICY } from '#kernel/auth/set-password-page'
import { passwordInput, Login, login } from '#kernel/auth/sign-in'
import { answer, everyone, cachedReply, route } from '#kernel/http/route'
import { found } from '#kernel/lib/rejection'
import { staffTable } from '#projections/licensing/staff'
import { staff as staffOnly } from '../access/access.ts'
import { staffOf } from '../access/staff-caller.ts'
import { setPasswordByLink } from '../access/staff-links.ts'
import { staffProfile, staffRealm } from '../access/staff-realm.ts'

const Profile = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string(),
  roles: z.array(z.string()),
  permissions: z.array(z.string()),
  totpEnabled: z.boolean(),
  createdAt: z.iso.datetime(),
})

const Grant = z.object({ accessToken: z.string(), user: Profile })

/**
 * A page of another origin cannot send JSON without a preflight request, so an empty body is still
 * sent as `{}`.
 */
const EmptyBody = z.strictObject({})

const setPasswordPage = cachedReply('text/html')

export const authRoutes = [
  route('POST /api/admin/auth/login', {
    does: 'Sign in. `totp` takes six digits or a backup code. Sets the refresh token as a cookie; 401 with TOTP_REQUIRED asks for the code.',
    access: everyone,
    refuses: [401],
    body: Login,
    reply: Grant,
    handle: (call) => login(staffRealm, call),
  }),

  route('POST /api/admin/auth/refresh', {
    does: 'Exchange the refresh cookie for a new one and an access token. Send `{}` from the same origin. A reused token ends the session.',
    access: everyone,
    refuses: [401, 403],
    body: EmptyBody,
    reply: Grant,
    handle: (call) => refresh(staffRealm, call),
  }),

  route('POST /api/admin/auth/logout', {
    does: 'End this session. Send `{}` with the session or, after it expired, with only the refresh cookie.',
    access: everyone,
    refuses: [401, 403],
    body: EmptyBody,
    handle: (call) => logout(staffRealm, call),
  }),

  route('GET /api/admin/auth/me', {
    does: 'Read my account and my permissions.',
    access: staffOnly(),
    reply: Profile,
    async handle({ read, vault, caller }) {
      const { staffId } = staffOf(caller)
      const row = found(await staffTable.queryIn(read).selectAll().where('id', '=', staffId).executeTakeFirst())
      const [person] = await staffTable.open(vault, [row])
      return staffProfile(person!, person!.totpEnabled)
    },
  }),

  route('POST /api/admin/auth/password', {
    does: 'Change my password. All my other sessions end.',
    access: staffOnly(),
    body: PasswordChange,
    handle: (call) => changePassword(staffRealm, call),
  }),

  route('GET /api/admin/auth/set-password', {
    does: 'Show the page of a one-time link.',
    access: everyone,
    reply: setPasswordPage,
    handle: async () =>
      answer(setPasswordPage.of(SET_PASSWORD_PAGE), 200, { 'Content-Security-Policy': SET_PASSWORD_POLICY }),
  }),

  route('POST /api/admin/auth/set-password', {
    does: 'Set a password by a one-time link. All sessions of the account end; the second factor stays.',
    access: everyone,
    refuses: [429],
    body: z.strictObject({ token: z.string().max(128), password: passwordInput }),
    handle: (call) => setPasswordByLink(call, call.body),
  }),

  route('POST /api/admin/auth/step-up', {
    does: 'Prove my identity again for five minutes: by a code if a second factor is enabled, by the password otherwise.',
    access: staffOnly(),
    body: Proof,
    handle: (call) => stepUp(staffRealm, call),
  }),

  ...secondFactorRoutes(staffRealm, staffOnly()),
]
