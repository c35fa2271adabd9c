/** What administrators decide for the whole panel, and what holds where nothing was decided. Secrets are none of it: they are configuration. */
import { z } from 'zod'
import { event, stream } from '#kernel/event'

export const SETTINGS = {
  registrationOpen: {
    is: z.boolean(),
    usual: false,
    does: 'Whether strangers may make themselves an account. It takes a mail server: they prove their addresses by mailed links.',
  },
  platformName: {
    is: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .regex(/^\P{Cc}*$/u, 'must be one line'),
    usual: 'Daybook',
    does: 'What this panel is called where people sign in. Everybody can read it.',
  },
} as const

export type SettingKey = keyof typeof SETTINGS
export type SettingValue<Key extends SettingKey> = z.output<(typeof SETTINGS)[Key]['is']>

export const settingKeys = Object.keys(SETTINGS) as [SettingKey, ...SettingKey[]]

/** A key that a later release has dropped is still what happened, so any text is one. */
export const SettingChanged = event(
  'SettingChanged',
  'settingId',
  { settingId: z.string(), value: z.union([z.boolean(), z.int(), z.string()]) },
  ({ settingId, value }) => `set ${settingId} to ${String(value)}`,
  { strict: true },
)

/** One stream for the installation: they are few, guard no rule, and are seldom changed. */
export const settingEvents = stream('settings', [SettingChanged])
