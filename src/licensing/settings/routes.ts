import { z } from 'zod'
import { route } from '#kernel/http/route'
import { reject } from '#kernel/rejection'
import { settingTable } from '#projections/licensing/settings'
import { staff } from '../identity/access.ts'
import { requireStepUp } from '../identity/staff-caller.ts'
import { settings } from './decider.ts'
import { settingKeys, SETTINGS } from './events.ts'
import type { SettingKey } from './events.ts'

const value = z.union([z.boolean(), z.int(), z.string().max(1_000)])

const Setting = z.object({
  key: z.enum(settingKeys),
  value,
  /** Where nothing else was decided. */
  usual: value,
  does: z.string(),
  changedAt: z.iso.datetime().nullable(),
})

const shown = (key: SettingKey, value: unknown, changedAt: string | null): z.input<typeof Setting> => {
  const { is, usual, does } = SETTINGS[key]
  const given = is.safeParse(value)
  return { key, value: given.success ? given.data : usual, usual, does, changedAt }
}

export const settingRoutes = [
  route('GET /api/admin/settings', {
    does: 'What the staff has decided for the whole installation. What its operator has configured, secrets above all, is not among it.',
    access: staff('settings:view'),
    reply: z.object({ items: z.array(Setting) }),
    async handle({ read }) {
      const rows = await settingTable.in(read).selectAll().execute()
      const changed = new Map(rows.map((row) => [row.id, row]))
      return {
        items: settingKeys.map((key) => shown(key, changed.get(key)?.value, changed.get(key)?.changedAt ?? null)),
      }
    },
  }),

  route('PATCH /api/admin/settings/:key', {
    does: 'Decide otherwise. It holds from the next request on.',
    access: staff('settings:manage'),
    params: z.object({ key: z.enum(settingKeys) }),
    body: z.strictObject({ value }),
    reply: Setting,
    async handle({ run, params: { key }, body, caller, now }) {
      requireStepUp(caller, now)
      const given = SETTINGS[key].is.safeParse(body.value)
      if (!given.success) return reject('invalid', `value: ${given.error.issues[0]!.message}`, 'INVALID_INPUT')
      const at = await run(async (unit) => {
        await unit.decide(settings, undefined, 'ChangeSetting', { settingId: key, value: given.data })
        return unit.at
      })
      return shown(key, given.data, at.toISOString())
    },
  }),
]
