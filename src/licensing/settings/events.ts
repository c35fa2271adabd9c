/** What the staff decides for the whole installation, and what holds where nothing was decided. Secrets are none of it: they are configuration. */
import { z } from 'zod'
import type { SettingKeyOf, Settings } from '#kernel/resource/settings-events'

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
} as const satisfies Settings

export type SettingKey = SettingKeyOf<typeof SETTINGS>

export { SettingChanged, settingEvents } from '#kernel/resource/settings-events'
