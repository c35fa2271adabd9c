/** What the staff decides for the whole installation, and what holds where nothing was decided. Secrets are none of it: they are configuration. */
import { z } from 'zod'
import { event, stream } from '#kernel/event'

export const SETTINGS = {
  shopRegistration: {
    is: z.boolean(),
    usual: true,
    does: 'Whether strangers may make themselves an account in the shop. Customers who have one keep it.',
  },
  requireSecondFactor: {
    is: z.boolean(),
    usual: false,
    does: 'Whether the staff may do nothing but set up a second factor until it has one.',
  },
} as const

export type SettingKey = keyof typeof SETTINGS
export type SettingValue<Key extends SettingKey> = z.output<(typeof SETTINGS)[Key]['is']>

export const settingKeys = Object.keys(SETTINGS) as [SettingKey, ...SettingKey[]]
const value = z.union([z.boolean(), z.int(), z.string()])

/** A key that a later release has dropped is still what happened, so any text is one. */
export const SettingChanged = event(
  'SettingChanged',
  'settingId',
  { settingId: z.string(), value },
  ({ settingId, value }) => `set ${settingId} to ${String(value)}`,
  { strict: true },
)

/** One stream for the installation: they are few, and seldom changed. */
export const settingEvents = stream('settings', [SettingChanged])
