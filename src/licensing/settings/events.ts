/**
 * Settings that staff decide for the whole installation, and their defaults. Secrets are
 * configuration, not settings.
 */
import { z } from 'zod'
import type { SettingKeyOf, Settings } from '#kernel/resource/settings-events'

export const SETTINGS = {
  shopRegistration: {
    is: z.boolean(),
    usual: true,
    does: 'Whether strangers may register an account in the shop. Existing customers keep theirs.',
  },
  requireSecondFactor: {
    is: z.boolean(),
    usual: false,
    does: 'Whether staff without a second factor may only set one up.',
  },
} as const satisfies Settings

export type SettingKey = SettingKeyOf<typeof SETTINGS>

export { SettingChanged, settingEvents } from '#kernel/resource/settings-events'
