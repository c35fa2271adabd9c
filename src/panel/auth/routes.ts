import { z } from 'zod'
import { ownAccount } from '#kernel/auth/refresh'
import { secondFactorRoutes } from '#kernel/auth/second-factor-routes'
import { signInReply, signInRoutes } from '#kernel/auth/sign-in-routes'
import { everyone, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { session } from '../access/access.ts'
import {
  requestLinkByEmail,
  EmailBody,
  NewPassword,
  setUserPasswordByLink,
  Verification,
  verifyEmail,
} from '../access/one-time-links.ts'
import { accountName, hasNoAccounts, register, Registration, MessageReply } from '../access/register.ts'
import { userCallerOf } from '../access/user-caller.ts'
import { userProfile, userRealm } from '../access/user-realm.ts'
import { AVATAR_UPLOAD, removeAvatar, setAvatar } from '../users/avatars.ts'
import { users } from '../users/decider.ts'

const Profile = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string().nullable(),
    role: z.string(),
    status: z.string(),
    permissions: z.array(z.string()),
    totpEnabled: z.boolean(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Profile' })

const SignInReply = signInReply(Profile)

const Onboarding = z.object({ completed: z.boolean(), completedAt: z.iso.datetime().nullable() })

async function onboarding(call: Pick<HandlerContext, 'run' | 'caller'>): Promise<z.output<typeof Onboarding>> {
  const { onboardedAt = null } = await ownAccount(userRealm, call)
  return { completed: onboardedAt !== null, completedAt: onboardedAt }
}

export const authRoutes = [
  ...signInRoutes(userRealm, {
    access: session,
    profile: Profile,
    changePassword: '/change-password',
    refreshesByBody: true,
    does: {
      login: 'Sign in. `totp`: six digits or a backup code. If it is missing: `Second factor required`.',
      refresh: 'Exchange the refresh token (cookie or body) for new tokens. Reuse of an older token ends the session.',
      logout: 'End the session of the access token or, if that has expired, of the refresh cookie.',
      changePassword: 'Change the caller’s own password and end all other sessions of the account.',
    },
  }),

  route('GET /api/auth/me', {
    does: 'Get the caller’s own account.',
    access: session,
    reply: Profile,
    handle: async (call) => userProfile(await ownAccount(userRealm, call)),
  }),

  route('POST /api/auth/profile/avatar', {
    does: 'Set the caller’s own photo: a PNG, JPEG or WebP file of at most 1 MiB.',
    access: session,
    upload: AVATAR_UPLOAD,
    reply: z.object({ avatarId: z.uuid() }),
    async handle(call) {
      const { avatar } = await setAvatar(call, userCallerOf(call.caller).userId)
      return { avatarId: avatar!.id }
    },
  }),

  route('DELETE /api/auth/profile/avatar', {
    does: 'Remove the caller’s own photo.',
    access: session,
    handle: (call) => removeAvatar(call, userCallerOf(call.caller).userId),
  }),

  route('PATCH /api/auth/profile', {
    does: 'Change the caller’s own name.',
    access: session,
    body: z.strictObject({ name: accountName.nullable() }),
    reply: Profile,
    async handle(call) {
      const { userId } = userCallerOf(call.caller)
      await call.run((unit) => unit.decide(users, userId, 'Rename', call.body))
      return userProfile(await ownAccount(userRealm, call))
    },
  }),

  route('GET /api/auth/me/onboarding', {
    does: 'Get whether the caller has completed the onboarding.',
    access: session,
    reply: Onboarding,
    handle: onboarding,
  }),

  route('POST /api/auth/me/onboarding/complete', {
    does: 'Record that the caller has completed the onboarding. Only the first call counts.',
    access: session,
    reply: Onboarding,
    async handle(call) {
      const { userId } = userCallerOf(call.caller)
      await call.run((unit) => unit.decide(users, userId, 'Onboard', {}))
      return onboarding(call)
    },
  }),

  route('GET /api/auth/setup-status', {
    does: 'Get whether the first account has yet to be created, which takes the setup token that the host shows.',
    access: everyone,
    reply: z.object({ setupRequired: z.boolean() }),
    handle: async (call) => ({ setupRequired: await hasNoAccounts(call) }),
  }),

  route('POST /api/auth/register', {
    does: 'Register an account: the first with `setupToken` (201), later ones by a mailed link if it is open (202).',
    access: everyone,
    refuses: [403, 429],
    isLimited: true,
    status: [202, 201],
    body: Registration,
    reply: MessageReply,
    handle: register,
  }),

  route('POST /api/auth/verify-email', {
    does: 'Prove an address with the token of a link, and sign in. With a second factor, send its code as `totp`.',
    access: everyone,
    refuses: [401, 429],
    body: Verification,
    reply: SignInReply,
    handle: verifyEmail,
  }),

  route('POST /api/auth/resend-verification', {
    does: 'Request another mail with the link that proves an address. The answer is always the same.',
    access: everyone,
    refuses: [429],
    status: 202,
    body: EmailBody,
    reply: MessageReply,
    handle: (call) => requestLinkByEmail(call, 'VERIFY'),
  }),

  route('POST /api/auth/forgot-password', {
    does: 'Request a mail with a link to choose a new password. The answer is always the same.',
    access: everyone,
    refuses: [429],
    status: 202,
    body: EmailBody,
    reply: MessageReply,
    handle: (call) => requestLinkByEmail(call, 'RESET'),
  }),

  route('POST /api/auth/reset-password', {
    does: 'Set a password with the token of a link, and end all sessions. `revokeApiKeys` revokes API keys too.',
    access: everyone,
    refuses: [429],
    body: NewPassword,
    handle: setUserPasswordByLink,
  }),

  ...secondFactorRoutes(userRealm, session),
]
