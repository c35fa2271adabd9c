import { z } from 'zod'
import { everyone, route } from '#kernel/http/route'
import { settingRoutes as routesOf } from '#kernel/resource/settings-routes'
import { settingOf, settingTable } from '#projections/panel/settings'
import { platform } from '../access/access.ts'
import { isRegistrationOpen } from '../access/registration-setting.ts'
import { SettingChanged, settingEvents, SETTINGS } from './events.ts'

export const settingRoutes = [
  ...routesOf({
    settings: SETTINGS,
    table: settingTable,
    see: {
      does: 'What administrators have decided for the whole panel, and what holds where nothing was decided.',
      access: platform('settings:view'),
      reply: (item) => z.array(item),
      answer: (items) => items,
    },
    decide: {
      does: 'Decide otherwise. It holds from the next request on, and the audit trail shows it, so it should name nobody.',
      access: platform('settings:manage'),
      by: (unit, settingId, value) => unit.appendEvent(settingEvents, undefined, SettingChanged({ settingId, value })),
    },
  }),

  route('GET /api/settings/public', {
    does: 'What the pages need where people sign in and register: what the panel is called, whether it is open to newcomers and whether it mails links.',
    access: everyone,
    reply: z.object({ platformName: z.string(), registrationOpen: z.boolean(), canMail: z.boolean() }),
    async handle({ read, canMail: asked }) {
      const canMail = await asked()
      return {
        platformName: await settingOf(read, 'platformName'),
        registrationOpen: canMail && (await isRegistrationOpen(read)),
        canMail,
      }
    },
  }),
]
