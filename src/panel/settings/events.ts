/** What administrators decide for the whole panel, and what holds where nothing was decided. Secrets are none of it: they are configuration. */
import { z } from 'zod'
import { nameSchema } from '#kernel/lib/display-text'
import type { Settings } from '#kernel/resource/settings-events'

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
    takes: nameSchema(100),
    usual: 'Daybook',
    does: 'What this panel is called where people sign in. Everybody can read it.',
  },
} as const satisfies Settings

/** Here the stream guards no rule. */
export { SettingChanged, settingEvents } from '#kernel/resource/settings-events'
