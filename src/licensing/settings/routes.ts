import { z } from 'zod'
import { settingRoutes as routesOf } from '#kernel/resource/settings-routes'
import { settingTable } from '#projections/licensing/settings'
import { staff } from '../access/access.ts'
import { requireStaffStepUp } from '../access/staff-caller.ts'
import { settings } from './decider.ts'
import { SETTINGS } from './events.ts'

export const settingRoutes = routesOf({
  settings: SETTINGS,
  table: settingTable,
  see: {
    does: 'What the staff has decided for the whole installation. What its operator has configured, secrets above all, is not among it.',
    access: staff('settings:view'),
    reply: (item) => z.object({ items: z.array(item) }),
    answer: (items) => ({ items }),
  },
  decide: {
    does: 'Decide otherwise. It holds from the next request on.',
    access: staff('settings:manage'),
    guard: requireStaffStepUp,
    by: (unit, settingId, value) => unit.decide(settings, undefined, 'ChangeSetting', { settingId, value }),
  },
})
