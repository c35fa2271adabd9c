/** The operations of the Daybook panel. Written by `npm run client`: do not edit. */

import { operation } from '../operation.ts'
import type { GetAdminSettingsAnswer } from './schemas.ts'

/** List the settings of the panel with their values and defaults. */
export const getAdminSettings = /*#__PURE__*/ operation<{
  readonly data: readonly GetAdminSettingsAnswer[]
}>('GET /api/admin/settings', { openTo: ['user'], permission: 'settings:view' })

/** Change a setting from the next request on. The audit trail shows the value: put no personal data in it. */
export const patchAdminSettingsByKey = /*#__PURE__*/ operation<{
  readonly params: {
    /** The name of the setting. */
    readonly key: 'registrationOpen' | 'platformName' | 'gitHubClientId' | 'appsDomain' | 'baseImages'
  }
  readonly body: {
    /** The value. */
    readonly value: boolean | number | string
  }
  readonly key?: string | undefined
  readonly data: GetAdminSettingsAnswer
}>('PATCH /api/admin/settings/{key}', {
  openTo: ['user'],
  permission: 'settings:manage',
  body: {
    type: 'object',
    properties: { value: { anyOf: [{ type: 'boolean' }, { type: 'integer' }, { type: 'string', maxLength: 1000 }] } },
    required: ['value'],
    additionalProperties: false,
  },
})

/** Get the public settings for sign-in: name, open registration, and whether mail is configured. */
export const getSettingsPublic = /*#__PURE__*/ operation<{
  readonly data: {
    /** The name of this installation. */
    readonly platformName: string
    /** Whether new accounts may register. */
    readonly registrationOpen: boolean
    /** Whether this installation can send mail. */
    readonly canMail: boolean
  }
}>('GET /api/settings/public', { openTo: [] })
