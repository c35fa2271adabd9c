import { z } from 'zod'
import { everyone, route } from '#kernel/http/route'
import { reject } from '#kernel/rejection'
import { settingOf, settingTable } from '#projections/panel/settings'
import { platform } from '../identity/access.ts'
import { isRegistrationOpen } from '../identity/registration.ts'
import { SettingChanged, settingEvents, settingKeys, SETTINGS } from './events.ts'
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

function shown(key: SettingKey, value: unknown, changedAt: string | null): z.input<typeof Setting> {
  const { is, usual, does } = SETTINGS[key]
  const given = is.safeParse(value)
  return { key, value: given.success ? given.data : usual, usual, does, changedAt }
}

function checked(key: SettingKey, value: unknown): boolean | string {
  const given = SETTINGS[key].is.safeParse(value)
  return given.success ? given.data : reject('invalid', `value: ${given.error.issues[0]!.message}`, 'INVALID_INPUT')
}

export const settingRoutes = [
  route('GET /api/admin/settings', {
    does: 'What administrators have decided for the whole panel, and what holds where nothing was decided.',
    access: platform('settings:view'),
    reply: z.array(Setting),
    async handle({ read }) {
      const rows = await settingTable.in(read).selectAll().execute()
      const changed = new Map(rows.map((row) => [row.id, row]))
      return settingKeys.map((key) => shown(key, changed.get(key)?.value, changed.get(key)?.changedAt ?? null))
    },
  }),

  route('PATCH /api/admin/settings/:key', {
    does: 'Decide otherwise. It holds from the next request on, and the audit trail shows it, so it should name nobody.',
    access: platform('settings:manage'),
    params: z.object({ key: z.enum(settingKeys) }),
    body: z.strictObject({ value }),
    reply: Setting,
    async handle({ run, params: { key }, body }) {
      const decided = checked(key, body.value)
      const at = await run(async (unit) => {
        unit.record(settingEvents, undefined, SettingChanged({ settingId: key, value: decided }))
        return unit.at
      })
      return shown(key, decided, at.toISOString())
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
