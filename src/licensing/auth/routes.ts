import { z } from 'zod'
import { answer, everyone, cachedReply, route } from '#kernel/http/route'
import { changePassword, PasswordChange, Proof, stepUp } from '#kernel/auth/manage-credentials'
import { secondFactorRoutes } from '#kernel/auth/second-factor-routes'
import { SET_PASSWORD_PAGE, SET_PASSWORD_POLICY } from '#kernel/auth/set-password-page'
import { passwordInput, Login, login } from '#kernel/auth/sign-in'
import { logout, refresh } from '#kernel/auth/refresh'
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

/** What a page of another origin cannot send without asking first is a JSON body, so even nothing is sent as `{}`. */
const EmptyBody = z.strictObject({})

const setPasswordPage = cachedReply('text/html')

export const authRoutes = [
  route('POST /api/admin/auth/login', {
    does:
      'Sign in. `totp` takes six digits or a backup code. A wrong anything answers the same 401; only a right password ' +
      'without its code answers 401 with `Error-Code: TOTP_REQUIRED`. The refresh token comes as a cookie.',
    access: everyone,
    refuses: [401],
    body: Login,
    reply: Grant,
    handle: (call) => login(staffRealm, call),
  }),

  route('POST /api/admin/auth/refresh', {
    does:
      'Trade the refresh cookie for a new one and a new access token. Send `{}` from the installation’s own origin. ' +
      'A token that was used before ends its whole session.',
    access: everyone,
    refuses: [401, 403],
    body: EmptyBody,
    reply: Grant,
    handle: (call) => refresh(staffRealm, call),
  }),

  route('POST /api/admin/auth/logout', {
    does: 'End this session. Send `{}` with the session or, when that has run out, with the refresh cookie alone.',
    access: everyone,
    refuses: [401, 403],
    body: EmptyBody,
    handle: (call) => logout(staffRealm, call),
  }),

  route('GET /api/admin/auth/me', {
    does: 'Who I am and what I may do.',
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
    does: 'Change my password. Every other session of mine ends.',
    access: staffOnly(),
    body: PasswordChange,
    handle: (call) => changePassword(staffRealm, call),
  }),

  route('GET /api/admin/auth/set-password', {
    does: 'The page that a one-time link leads to.',
    access: everyone,
    reply: setPasswordPage,
    handle: async () =>
      answer(setPasswordPage.of(SET_PASSWORD_PAGE), 200, { 'Content-Security-Policy': SET_PASSWORD_POLICY }),
  }),

  route('POST /api/admin/auth/set-password', {
    does: 'Set a password by a one-time link. All sessions of the person end; a second factor is still asked for at the next sign-in.',
    access: everyone,
    refuses: [429],
    body: z.strictObject({ token: z.string().max(128), password: passwordInput }),
    handle: (call) => setPasswordByLink(call, call.body),
  }),

  route('POST /api/admin/auth/step-up', {
    does: 'Prove again who the caller is, for five minutes: by a code where a second factor is enabled, by the password otherwise.',
    access: staffOnly(),
    body: Proof,
    handle: (call) => stepUp(staffRealm, call),
  }),

  ...secondFactorRoutes(staffRealm, staffOnly()),
]
