/** The operations of the Daybook licensing. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import {
  authNew,
  getAdminAuthSessionsQuery,
  postAdminAuth2faEnableBody,
  postAdminAuthLoginBody,
  postAdminAuthPasswordBody,
  postAdminAuthStepUpBody,
  postAdminAuthStepUpBody2,
} from './inputs.ts'
import type {
  GetAdminAuthSessionsQuery,
  PostAdminAuth2faSetupAnswer,
  PostAdminAuthLoginAnswer,
  PostAdminAuthLoginBody,
  PostAdminAuthPasswordBody,
  PostAdminAuthSetPasswordBody,
  Session,
  StaffProfile,
} from './schemas.ts'

/** Sign in. `totp` takes six digits or a backup code. Sets the refresh token as a cookie; 401 with TOTP_REQUIRED asks for the code. */
export const postAdminAuthLogin = /*#__PURE__*/ operation<{
  readonly body: PostAdminAuthLoginBody
  readonly data: PostAdminAuthLoginAnswer
}>('POST /api/admin/auth/login', { openTo: [], body: postAdminAuthLoginBody })

/** Exchange the refresh cookie for a new one and an access token. Send `{}` from the same origin. A reused token ends the session. */
export const postAdminAuthRefresh = /*#__PURE__*/ operation<{
  readonly body: {}
  readonly data: PostAdminAuthLoginAnswer
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
  readonly body: PostAdminAuthPasswordBody
  readonly key?: string | undefined
  readonly data: undefined
}>('POST /api/admin/auth/password', { openTo: ['staff'], body: postAdminAuthPasswordBody })

/** Read my account and my permissions. */
export const getAdminAuthMe = /*#__PURE__*/ operation<{
  readonly data: StaffProfile
}>('GET /api/admin/auth/me', { openTo: ['staff'] })

/** Set a password by a one-time link. All sessions of the account end; the second factor stays. */
export const postAdminAuthSetPassword = /*#__PURE__*/ operation<{
  readonly body: PostAdminAuthSetPasswordBody
  readonly data: undefined
}>('POST /api/admin/auth/set-password', {
  openTo: [],
  body: {
    type: 'object',
    properties: { token: { type: 'string', maxLength: 128 }, password: authNew },
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
}>('POST /api/admin/auth/step-up', { openTo: ['staff'], body: postAdminAuthStepUpBody })

/** Start to set up a second factor. Needs the password. Only this session can enable the secret, within ten minutes. */
export const postAdminAuth2faSetup = /*#__PURE__*/ operation<{
  readonly body: {
    /** The password of the account. */
    readonly password: string
  }
  readonly key?: string | undefined
  readonly data: PostAdminAuth2faSetupAnswer
}>('POST /api/admin/auth/2fa/setup', {
  openTo: ['staff'],
  shownOnce: ['secret', 'otpauthUrl'],
  body: postAdminAuthStepUpBody2,
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
  body: postAdminAuth2faEnableBody,
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
}>('POST /api/admin/auth/2fa/disable', { openTo: ['staff'], body: postAdminAuth2faEnableBody })

/** List my sessions. */
export const getAdminAuthSessions = /*#__PURE__*/ operation<{
  readonly query?: GetAdminAuthSessionsQuery | undefined
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
}>('GET /api/admin/auth/sessions', { openTo: ['staff'], walk: 'cursor', query: getAdminAuthSessionsQuery })

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
