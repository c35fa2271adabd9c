/** The routes to sign in, refresh and sign out, and to change the own password: the same in every realm. */
import { z } from 'zod'
import { everyone, route } from '../http/route.ts'
import type { Access, Route, RouteSpec } from '../http/route.ts'
import { changePassword, PasswordChange } from './manage-credentials.ts'
import type { Realm, RealmAccount } from './realm.ts'
import { logout, refresh, refreshByCookieOrBody } from './refresh.ts'
import { Login, login } from './sign-in.ts'

interface SignInRoutesSpec<Profile> {
  /** Sessions of the realm, for the caller's own account. */
  readonly access: Access
  readonly profile: z.ZodType<Profile, Profile>
  readonly changePassword: `/${string}`
  /** Whether clients other than browsers refresh by a token in the body. */
  readonly refreshesByBody?: boolean
  readonly does: Readonly<Record<'login' | 'refresh' | 'logout' | 'changePassword', string>>
}

/**
 * A page of another origin cannot send JSON without a preflight request, so an empty body is still
 * sent as `{}`.
 */
const EmptyBody = z.strictObject({})
const RefreshBody = z.strictObject({ refreshToken: z.string().max(100).optional() })

/** The reply to a sign-in. */
export const signInReply = <Profile>(profile: z.ZodType<Profile, Profile>) =>
  z.object({ accessToken: z.string(), user: profile })

export function signInRoutes<M extends RealmAccount, Profile>(
  realm: Realm<M, NoInfer<Profile>>,
  { access, profile, refreshesByBody = false, does, ...paths }: SignInRoutesSpec<Profile>,
): Route[] {
  const Reply = signInReply(profile)
  const open: Pick<RouteSpec<undefined, undefined, undefined, undefined>, 'access' | 'refuses'> = {
    access: everyone,
    refuses: [401, 403],
  }
  return [
    route(`POST ${realm.authPath}/login`, {
      does: does.login,
      access: everyone,
      refuses: [401],
      body: Login,
      reply: Reply,
      handle: (call) => login(realm, call),
    }),

    refreshesByBody
      ? route(`POST ${realm.authPath}/refresh`, {
          ...open,
          does: does.refresh,
          body: RefreshBody,
          reply: Reply.extend({ refreshToken: z.string().optional() }),
          shownOnce: ['accessToken', 'refreshToken'],
          handle: (call) => refreshByCookieOrBody(realm, call, call.body.refreshToken),
        })
      : route(`POST ${realm.authPath}/refresh`, {
          ...open,
          does: does.refresh,
          body: EmptyBody,
          reply: Reply,
          handle: (call) => refresh(realm, call),
        }),

    route(`POST ${realm.authPath}/logout`, {
      ...open,
      does: does.logout,
      body: EmptyBody,
      handle: (call) => logout(realm, call),
    }),

    route(`POST ${realm.authPath}${paths.changePassword}`, {
      does: does.changePassword,
      access,
      body: PasswordChange,
      handle: (call) => changePassword(realm, call),
    }),
  ]
}
