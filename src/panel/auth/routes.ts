import { z } from 'zod'
import { everyone, route } from '#kernel/http/route'
import { Login, login } from '#kernel/realm/signing-in'
import { logout, own, refresh } from '#kernel/realm/staying-in'
import { AVATAR_UPLOAD, removeAvatar, setAvatar } from '../avatars.ts'
import { session } from '../identity/access.ts'
import { userOf } from '../identity/user-caller.ts'
import { userProfile, userRealm } from '../identity/user-realm.ts'

export const Profile = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string().nullable(),
  role: z.string(),
  status: z.string(),
  permissions: z.array(z.string()),
  totpEnabled: z.boolean(),
  createdAt: z.iso.datetime(),
})

export const Grant = z.object({ accessToken: z.string(), user: Profile })

/** What a page of another origin cannot send without asking first is a JSON body, so even nothing is sent as `{}`. */
const Nothing = z.strictObject({})

export const authRoutes = [
  route('POST /api/auth/login', {
    does: 'Sign in. `totp` takes six digits or a backup code. A wrong anything answers the same 401; only a right password without its code answers `Second factor required`.',
    access: everyone,
    body: Login,
    reply: Grant,
    handle: (call) => login(userRealm, call),
  }),

  route('POST /api/auth/refresh', {
    does: 'A new session token for the refresh cookie, which is used up by it. A stolen one ends the session.',
    access: everyone,
    body: Nothing,
    reply: Grant,
    handle: (call) => refresh(userRealm, call),
  }),

  route('POST /api/auth/logout', {
    does: 'End the session of the token, or, when that has run out, of the refresh cookie.',
    access: everyone,
    body: Nothing,
    handle: (call) => logout(userRealm, call),
  }),

  route('GET /api/auth/me', {
    does: 'The account that is signed in.',
    access: session,
    reply: Profile,
    handle: async (call) => userProfile(await own(userRealm, call)),
  }),

  route('POST /api/auth/profile/avatar', {
    does: 'Set the caller’s own photo: a PNG, JPEG or WebP of at most 1 MiB.',
    access: session,
    upload: AVATAR_UPLOAD,
    reply: z.object({ avatarId: z.uuid() }),
    async handle(call) {
      const { avatar } = await setAvatar(call, userOf(call.caller).userId)
      return { avatarId: avatar!.id }
    },
  }),

  route('DELETE /api/auth/profile/avatar', {
    does: 'Remove the caller’s own photo.',
    access: session,
    handle: (call) => removeAvatar(call, userOf(call.caller).userId),
  }),
]
