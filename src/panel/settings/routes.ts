import { z } from 'zod'
import { everyone, route } from '#kernel/http/route'
import { settingRoutes as routesOf } from '#kernel/resource/settings-routes'
import { settingOf, settingTable } from '#projections/panel/settings'
import { platform } from '../access/access.ts'
import { isRegistrationOpen } from '../access/registration-setting.ts'
import { mustLieApartFromPreviews } from '../workflows/preview-domains.ts'
import { settingEvents, SETTINGS } from './events.ts'

export const settingRoutes = [
  ...routesOf({
    path: '/api/admin/settings',
    settings: SETTINGS,
    table: settingTable,
    see: {
      does: 'List the settings of the panel with their values and defaults.',
      access: platform('settings:view'),
      reply: (item) => z.array(item),
      answer: (items) => items,
    },
    decide: {
      does: 'Change a setting from the next request on. The audit trail shows the value: put no personal data in it.',
      access: platform('settings:manage'),
      async by(unit, settingId, value) {
        if (settingId === 'appsDomain') await mustLieApartFromPreviews(unit, String(value))
        // The audit trail also shows an account that sets the same value again.
        unit.appendEvent(settingEvents, undefined, settingEvents.SettingChanged({ settingId, value }))
      },
      refuses: [409],
    },
  }),

  route('GET /api/settings/public', {
    does: 'Get the public settings for sign-in: name, open registration, and whether mail is configured.',
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
