/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Session, StaffProfile } from './schemas.ts'

/** Sign in. `totp` takes six digits or a backup code. Sets the refresh token as a cookie; 401 with TOTP_REQUIRED asks for the code. */
export const postAdminAuthLogin = /*#__PURE__*/ operation<{
  readonly body: {
    /** The e-mail address of the account. */
    readonly email: string
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code, if the account has a second factor. */
    readonly totp?: string | undefined
  }
  readonly data: {
    /** The bearer token of the session, valid for 15 minutes. */
    readonly accessToken: string
    /** The account that has signed in. */
    readonly user: StaffProfile
  }
}>('POST /api/admin/auth/login', {
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

/** Exchange the refresh cookie for a new one and an access token. Send `{}` from the same origin. A reused token ends the session. */
export const postAdminAuthRefresh = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: {
    /** The bearer token of the session, valid for 15 minutes. */
    readonly accessToken: string
    /** The account that has signed in. */
    readonly user: StaffProfile
  }
}>('POST /api/admin/auth/refresh', {
  openTo: [],
  body: { type: 'object', properties: {}, additionalProperties: false },
})

/** End this session. Send `{}` with the session or, after it expired, with only the refresh cookie. */
export const postAdminAuthLogout = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: undefined
}>('POST /api/admin/auth/logout', { openTo: [], body: { type: 'object', properties: {}, additionalProperties: false } })

/** Change my password. All my other sessions end. */
export const postAdminAuthPassword = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of today. */
    readonly current: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 if the account has a second factor. */
    readonly new: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/admin/auth/password', {
  openTo: ['staff'],
  body: {
    type: 'object',
    properties: {
      current: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      new: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        format: 'password',
        description:
          'A passphrase that is hard to guess, of at least 15 characters, or 8 if the account has a second factor.',
      },
    },
    required: ['current', 'new'],
    additionalProperties: false,
  },
})

/** Read my account and my permissions. */
export const getAdminAuthMe = /*#__PURE__*/ operation<{
  readonly data: StaffProfile
}>('GET /api/admin/auth/me', { openTo: ['staff'] })

/** Set a password by a one-time link. All sessions of the account end; the second factor stays. */
export const postAdminAuthSetPassword = /*#__PURE__*/ operation<{
  readonly body: {
    /** The token of the mailed link. */
    readonly token: string
    /** A passphrase that is hard to guess, of at least 15 characters, or 8 if the account has a second factor. */
    readonly password: string
  }
  readonly data: undefined
}>('POST /api/admin/auth/set-password', {
  openTo: [],
  body: {
    type: 'object',
    properties: {
      token: { type: 'string', maxLength: 128 },
      password: {
        type: 'string',
        minLength: 8,
        maxLength: 256,
        format: 'password',
        description:
          'A passphrase that is hard to guess, of at least 15 characters, or 8 if the account has a second factor.',
      },
    },
    required: ['token', 'password'],
    additionalProperties: false,
  },
})

/** Prove my identity again for five minutes: by a code if a second factor is enabled, by the password otherwise. */
export const postAdminAuthStepUp = /*#__PURE__*/ operation<{
  readonly body:
    | {
        /** A code of the authenticator app, or a backup code. */
        readonly code: string
      }
    | {
        /** The password of the account. */
        readonly password: string
      }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/admin/auth/step-up', {
  openTo: ['staff'],
  body: {
    anyOf: [
      {
        type: 'object',
        properties: { code: { type: 'string', maxLength: 64 } },
        required: ['code'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' } },
        required: ['password'],
        additionalProperties: false,
      },
    ],
  },
})

/** Start to set up a second factor. Needs the password. Only this session can enable the secret, within ten minutes. */
export const postAdminAuth2faSetup = /*#__PURE__*/ operation<{
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
}>('POST /api/admin/auth/2fa/setup', {
  openTo: ['staff'],
  shownOnce: ['secret', 'otpauthUrl'],
  body: {
    type: 'object',
    properties: { password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' } },
    required: ['password'],
    additionalProperties: false,
  },
})

/** Enable the second factor by the password and a first code. Returns ten backup codes once and ends the other sessions. */
export const postAdminAuth2faEnable = /*#__PURE__*/ operation<{
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
}>('POST /api/admin/auth/2fa/enable', {
  openTo: ['staff'],
  shownOnce: ['backupCodes'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** Disable the second factor by the password, which must satisfy the policy without it, and a new code. Ends other sessions. */
export const postAdminAuth2faDisable = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
    /** A code of the authenticator app, or a backup code. */
    readonly code: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/admin/auth/2fa/disable', {
  openTo: ['staff'],
  body: {
    type: 'object',
    properties: {
      password: { type: 'string', minLength: 1, maxLength: 1024, format: 'password' },
      code: { type: 'string', maxLength: 64 },
    },
    required: ['password', 'code'],
    additionalProperties: false,
  },
})

/** List my sessions. */
export const getAdminAuthSessions = /*#__PURE__*/ operation<{
  readonly query?:
    | {
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page?: number | undefined
        /** The number of records in a page. */
        readonly pageSize?: number | undefined
        /** The `nextCursor` of the page before. Not together with `page`. */
        readonly cursor?: string | undefined
        /** The number of records in this answer, with `cursor`. */
        readonly limit?: number | undefined
        /** The column of the order. A minus sign reverses it. */
        readonly sort?: 'createdAt' | '-createdAt' | undefined
        /** Only records that were created later than this. */
        readonly createdAfter?: string | undefined
        /** Only records that were created earlier than this. */
        readonly createdBefore?: string | undefined
      }
    | undefined
  readonly data:
    | {
        /** The records of this page. */
        readonly items: readonly Session[]
        /** The number of all records, on all pages. */
        readonly total: number
        /** The number of the page, from 1 on, with `pageSize`. Pages end at row 100,000. */
        readonly page: number
        /** The number of records in a page. */
        readonly pageSize: number
      }
    | {
        /** The records of this page. */
        readonly items: readonly Session[]
        /** Send it as `cursor` to get the next page. Null: this is the last page. */
        readonly nextCursor: string | null
      }
}>('GET /api/admin/auth/sessions', {
  openTo: ['staff'],
  walk: 'cursor',
  query: {
    type: 'object',
    properties: {
      page: { type: 'integer', minimum: 1, maximum: 1000000 },
      pageSize: { type: 'integer', minimum: 1, maximum: 100 },
      cursor: { type: 'string', maxLength: 512 },
      limit: { type: 'integer', minimum: 1, maximum: 100 },
      sort: { default: '-createdAt', type: 'string', enum: ['createdAt', '-createdAt'] },
      createdAfter: { type: 'string', format: 'date-time' },
      createdBefore: { type: 'string', format: 'date-time' },
    },
    required: [],
  },
})

/** End all my sessions except this one. */
export const deleteAdminAuthSessions = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/auth/sessions', { openTo: ['staff'] })

/** End one of my sessions; it may be this one. */
export const deleteAdminAuthSessionsById = /*#__PURE__*/ operation<{
  readonly params: {
    /** The id of the record. */
    readonly id: string
  }
  readonly key?: string | undefined
  readonly data: undefined
}>('DELETE /api/admin/auth/sessions/{id}', { openTo: ['staff'] })
