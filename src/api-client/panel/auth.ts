/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import { authNew, patchUsersMeBody, postAuth2faEnableBody } from './inputs.ts'
import type { GetAuthSessionsQuery, PostAuthLoginAnswer, Profile, Session } from './schemas.ts'

/** Sign in. `totp`: six digits or a backup code. If it is missing: `Second factor required`. */
export const postAuthLogin = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code, if the account has a second factor. */
    readonly totp?: string | undefined
  }
  readonly data: PostAuthLoginAnswer
}>('POST /api/auth/login', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', minLength: 1, maxLength: 320 },
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      totp: { type: 'string', maxLength: 64 },
    },
    required: ['email', 'password'],
    additionalProperties: false,
  },
})

/** Exchange the refresh token (cookie or body) for new tokens. Reuse of an older token ends the session. */
export const postAuthRefresh = /*#__PURE__*/ operation<{
  readonly body: {
    /** The token of the cookie, for a client without cookies. */
    readonly refreshToken?: string | undefined
  }
  readonly data: {
    /** The bearer token of the session, valid for 15 minutes. */
    readonly accessToken: string
    /** The account name at the mail server. Null removes it. */
    readonly user: Profile
    /** The token of the cookie, for a client without cookies. */
    readonly refreshToken?: string | undefined
  }
}>('POST /api/auth/refresh', {
  openTo: [],
  shownOnce: ['accessToken', 'refreshToken'],
  body: {
    type: 'object',
    properties: { refreshToken: { type: 'string', maxLength: 100 } },
    additionalProperties: false,
  },
})

/** End the session of the access token or, if that has expired, of the refresh cookie. */
export const postAuthLogout = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: undefined
}>('POST /api/auth/logout', { openTo: [], body: { type: 'object', properties: {}, additionalProperties: false } })

/** Change the caller’s own password and end all other sessions of the account. */
export const postAuthChangePassword = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of today. */
    readonly current: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 if the account has a second factor. */
    readonly new: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/auth/change-password', {
  openTo: ['user'],
  body: {
    type: 'object',
    properties: { current: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' }, new: authNew },
    required: ['current', 'new'],
    additionalProperties: false,
  },
})

/** Get the caller’s own account. */
export const getAuthMe = /*#__PURE__*/ operation<{
  readonly data: Profile
}>('GET /api/auth/me', { openTo: ['user'] })

/** Set the caller’s own photo: a PNG, JPEG or WebP file of at most 1 MiB. */
export const postAuthProfileAvatar = /*#__PURE__*/ operation<{
  readonly body: Blob
  readonly data: {
    /** The photo. Null: there is none. */
    readonly avatarId: string
  }
}>('POST /api/auth/profile/avatar', { openTo: ['user'], sends: 'bytes' })

/** Remove the caller’s own photo. */
export const deleteAuthProfileAvatar = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/auth/profile/avatar', { openTo: ['user'] })

/** Change the caller’s own name. */
export const patchAuthProfile = /*#__PURE__*/ operation<{
  readonly body: {
    /** The name that people read in lists. */
    readonly name: string | null
  }
  readonly key?: string | undefined
  readonly data: Profile
}>('PATCH /api/auth/profile', { openTo: ['user'], body: patchUsersMeBody })

/** Get whether the caller has completed the onboarding. */
export const getAuthMeOnboarding = /*#__PURE__*/ operation<{
  readonly data: {
    /** Whether the tour is finished. */
    readonly completed: boolean
    /** When the work was done. Null: not yet. */
    readonly completedAt: string | null
  }
}>('GET /api/auth/me/onboarding', { openTo: ['user'] })

/** Record that the caller has completed the onboarding. Only the first call counts. */
export const postAuthMeOnboardingComplete = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: {
    /** Whether the tour is finished. */
    readonly completed: boolean
    /** When the work was done. Null: not yet. */
    readonly completedAt: string | null
  }
}>('POST /api/auth/me/onboarding/complete', { openTo: ['user'] })

/** Get whether the first account has yet to be created, which takes the setup token that the host shows. */
export const getAuthSetupStatus = /*#__PURE__*/ operation<{
  readonly data: {
    /** Whether the first account must still be created. */
    readonly setupRequired: boolean
  }
}>('GET /api/auth/setup-status', { openTo: [] })

/** Register an account: the first with `setupToken` (201), later ones by a mailed link if it is open (202). */
export const postAuthRegister = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
    /** A passphrase that is hard to guess, of at least 15 characters. */
    readonly password: string
    /** The name that people read in lists. */
    readonly name?: string | undefined
    /** The token of the link that the first start prints. It makes the account a SUPERADMIN. */
    readonly setupToken?: string | undefined
  }
  readonly data: {
    /** What happened, in a sentence. */
    readonly message: string
  }
}>('POST /api/auth/register', {
  openTo: [],
  limited: true,
  body: {
    type: 'object',
    properties: {
      email: { type: 'string', maxLength: 254, format: 'email' },
      password: {
        type: 'string',
        minLength: 15,
        maxLength: 256,
        format: 'password',
        description: 'A passphrase that is hard to guess, of at least 15 characters.',
      },
      name: { type: 'string', minLength: 1, maxLength: 100 },
      setupToken: { type: 'string', maxLength: 100 },
    },
    required: ['email', 'password'],
    additionalProperties: false,
  },
})

/** Prove an address with the token of a link, and sign in. With a second factor, send its code as `totp`. */
export const postAuthVerifyEmail = /*#__PURE__*/ operation<{
  readonly body: {
    /** The token of the mailed link. */
    readonly token: string
    /** A code of the authenticator app, or a backup code, if the account has a second factor. */
    readonly totp?: string | undefined
  }
  readonly data: PostAuthLoginAnswer
}>('POST /api/auth/verify-email', {
  openTo: [],
  body: {
    type: 'object',
    properties: { token: { type: 'string', maxLength: 100 }, totp: { type: 'string', maxLength: 64 } },
    required: ['token'],
    additionalProperties: false,
  },
})

/** Request another mail with the link that proves an address. The answer is always the same. */
export const postAuthResendVerification = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
  }
  readonly data: {
    /** What happened, in a sentence. */
    readonly message: string
  }
}>('POST /api/auth/resend-verification', {
  openTo: [],
  body: {
    type: 'object',
    properties: { email: { type: 'string', minLength: 1, maxLength: 320 } },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Request a mail with a link to choose a new password. The answer is always the same. */
export const postAuthForgotPassword = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
  }
  readonly data: {
    /** What happened, in a sentence. */
    readonly message: string
  }
}>('POST /api/auth/forgot-password', {
  openTo: [],
  body: {
    type: 'object',
    properties: { email: { type: 'string', minLength: 1, maxLength: 320 } },
    required: ['email'],
    additionalProperties: false,
  },
})

/** Set a password with the token of a link, and end all sessions. `revokeApiKeys` revokes API keys too. */
export const postAuthResetPassword = /*#__PURE__*/ operation<{
  readonly body: {
    /** The token of the mailed link. */
    readonly token: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 if the account has a second factor. */
    readonly password: string
    /** Whether all API keys of the account are revoked too. */
    readonly revokeApiKeys?: boolean | undefined
  }
  readonly data: undefined
}>('POST /api/auth/reset-password', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      token: { type: 'string', maxLength: 100 },
      password: authNew,
      revokeApiKeys: { default: false, type: 'boolean' },
    },
    required: ['token', 'password'],
    additionalProperties: false,
  },
})

/** Start to set up a second factor. Needs the password. Only this session can enable the secret, within ten minutes. */
export const postAuth2faSetup = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
  }
  readonly key?: string | undefined
  readonly data: {
    /** The secret. It is shown only here. */
    readonly secret: string
    /** The address that an authenticator app reads from a QR code. */
    readonly otpauthUrl: string
  }
}>('POST /api/auth/2fa/setup', {
  openTo: ['user'],
  shownOnce: ['secret', 'otpauthUrl'],
  body: {
    type: 'object',
    properties: { password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' } },
    required: ['password'],
    additionalProperties: false,
  },
})

/** Enable the second factor by the password and a first code. Returns ten backup codes once and ends the other sessions. */
export const postAuth2faEnable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: {
    /** Codes that replace a code of the second factor, each once. They are shown only here. */
    readonly backupCodes: readonly string[]
  }
}>('POST /api/auth/2fa/enable', { openTo: ['user'], shownOnce: ['backupCodes'], body: postAuth2faEnableBody })

/** Disable the second factor by the password, which must satisfy the policy without it, and a new code. Ends other sessions. */
export const postAuth2faDisable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/auth/2fa/disable', { openTo: ['user'], body: postAuth2faEnableBody })

/** List my sessions. */
export const getAuthSessions = /*#__PURE__*/ operation<{
  readonly query?: GetAuthSessionsQuery | undefined
  readonly data:
    | readonly Session[]
    | {
        /** The records of this page. */
        readonly items: readonly Session[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on. Only together with `pageSize`. */
        readonly page: number
        /** The number of records in a page. Only together with `page`. */
        readonly pageSize: number
      }
}>('GET /api/auth/sessions', {
  openTo: ['user'],
  walk: 'page',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
    },
    required: [],
  },
})

/** End all my sessions except this one. */
export const deleteAuthSessions = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/auth/sessions', { openTo: ['user'] })

/** End one of the caller’s sessions. With the id of the current session, all others end instead. */
export const deleteAuthSessionsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/auth/sessions/{id}', { openTo: ['user'] })

/** Create a token that opens one event stream (`path`, by default the change feed), once and within a minute. */
export const postAuthSseToken = /*#__PURE__*/ operation<{
  readonly body?:
    | {
        /** The route that the token opens. */
        readonly path?: string | undefined
      }
    | undefined
  readonly key?: string | undefined
  readonly data: {
    /** A token for one connection of a browser, which cannot send a header there. */
    readonly sseToken: string
    /** When it ends. */
    readonly expiresAt: string
  }
}>('POST /api/auth/sse-token', {
  openTo: ['user'],
  shownOnce: ['sseToken'],
  body: {
    default: { path: '/api/events/stream' },
    type: 'object',
    properties: {
      path: { default: '/api/events/stream', type: 'string', maxLength: 200, pattern: '^\\/api\\/[A-Za-z0-9/_-]+$' },
    },
    additionalProperties: false,
  },
})
