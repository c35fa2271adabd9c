/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { Config } from './schemas.ts'

/** Get the effective configuration and the source of each value. The password is masked. */
export const getAdminConfig = /*#__PURE__*/ operation<{
  readonly data: Config
}>('GET /api/admin/config', { openTo: ['user'], permission: 'settings:view' })

/** Change what the environment does not set. Only a SUPERADMIN changes the mail server and the panel URL. */
export const patchAdminConfig = /*#__PURE__*/ operation<{
  readonly body: {
    /** The mail server. */
    readonly mail?:
      | {
          /** The host name of the mail server. Null removes it. */
          readonly host?: string | null | undefined
          /** The port of the mail server. Null removes it. */
          readonly port?: number | null | undefined
          /** How the connection to the mail server is encrypted. Null removes the value. */
          readonly tls?: 'TLS' | 'STARTTLS' | 'OPTIONAL' | null | undefined
          /** The account name at the mail server. Null removes it. */
          readonly user?: string | null | undefined
          /** The password at the mail server. Send the mask back to keep it. Null removes it. */
          readonly password?: string | null | undefined
          /** The sender of mails: an address, or a name followed by `<address>`. Null removes it. */
          readonly from?: string | null | undefined
        }
      | undefined
    /** Public addresses. */
    readonly urls?:
      | {
          /** An http(s) URL without path, query or credentials, under which people open this panel. Null removes it. */
          readonly panel?: string | null | undefined
        }
      | undefined
    /** How long records are kept. */
    readonly retention?:
      | {
          /** After how many days notices are removed. Null: the usual number. */
          readonly notificationDays?: number | null | undefined
          /** After how many days last uses are removed. Null: the usual number. */
          readonly telemetryDays?: number | null | undefined
        }
      | undefined
  }
  readonly key?: string | undefined
  readonly ifMatch?: string | undefined
  readonly data: Config
}>('PATCH /api/admin/config', {
  openTo: ['user'],
  permission: 'settings:manage',
  body: {
    type: 'object',
    properties: {
      mail: {
        type: 'object',
        properties: {
          host: { anyOf: [{ type: 'string', pattern: '^[A-Za-z0-9.:_-]{1,253}$' }, { type: 'null' }] },
          port: { anyOf: [{ type: 'integer', minimum: 1, maximum: 65535 }, { type: 'null' }] },
          tls: { anyOf: [{ type: 'string', enum: ['TLS', 'STARTTLS', 'OPTIONAL'] }, { type: 'null' }] },
          user: { anyOf: [{ type: 'string', minLength: 1, maxLength: 500, pattern: '^\\P{Cc}*$' }, { type: 'null' }] },
          password: {
            anyOf: [{ type: 'string', minLength: 1, maxLength: 500, pattern: '^\\P{Cc}*$' }, { type: 'null' }],
          },
          from: {
            anyOf: [
              {
                description: 'The sender of mails: an address, or a name followed by `<address>`. Null removes it.',
                type: 'string',
                maxLength: 400,
              },
              { type: 'null' },
            ],
            description: 'The sender of mails: an address, or a name followed by `<address>`. Null removes it.',
          },
        },
        additionalProperties: false,
      },
      urls: {
        type: 'object',
        properties: {
          panel: {
            anyOf: [
              {
                description:
                  'An http(s) URL without path, query or credentials, under which people open this panel. Null removes it.',
                type: 'string',
                maxLength: 2000,
              },
              { type: 'null' },
            ],
            description:
              'An http(s) URL without path, query or credentials, under which people open this panel. Null removes it.',
          },
        },
        additionalProperties: false,
      },
      retention: {
        type: 'object',
        properties: {
          notificationDays: { anyOf: [{ type: 'integer', minimum: 1, maximum: 3650 }, { type: 'null' }] },
          telemetryDays: { anyOf: [{ type: 'integer', minimum: 1, maximum: 3650 }, { type: 'null' }] },
        },
        additionalProperties: false,
      },
    },
    additionalProperties: false,
    minProperties: 1,
    description: 'Give at least one value to change.',
  },
})

/** Send a test mail to the caller’s own address and report the step that failed. At most ten an hour. */
export const postAdminConfigTestSmtp = /*#__PURE__*/ operation<{
  readonly key?: string | undefined
  readonly data: {
    /** Whether the mail server took the mail. */
    readonly sent: boolean
    /** The step that failed. */
    readonly step: 'CONNECT' | 'TLS' | 'LOGIN' | 'SENDER' | 'RECIPIENT' | 'MESSAGE' | null
    /** The reason in plain words, with the codes of the mail server. */
    readonly reason: string | null
  }
}>('POST /api/admin/config/test-smtp', { openTo: ['user'], permission: 'settings:manage' })
