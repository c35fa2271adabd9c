import { z } from 'zod'
import { settingRoutes as routesOf } from '#kernel/resource/settings-routes'
import { settingTable } from '#projections/licensing/settings'
import { staff } from '../access/access.ts'
import { settings } from './decider.ts'
import { SETTINGS } from './events.ts'

export const settingRoutes = routesOf({
  path: '/api/admin/settings',
  settings: SETTINGS,
  table: settingTable,
  see: {
    does: 'Read the settings that staff decide for the installation. The operator’s configuration and its secrets are not included.',
    access: staff('settings:view'),
    reply: (item) => z.object({ items: z.array(item) }),
    answer: (items) => ({ items }),
  },
  decide: {
    does: 'Change settings. Changes take effect on the next request.',
    access: staff('settings:manage'),
    stepUp: true,
    by: (unit, settingId, value) => unit.decide(settings, undefined, 'ChangeSetting', { settingId, value }),
  },
})
