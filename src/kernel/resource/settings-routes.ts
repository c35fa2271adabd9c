/** The routes to read and change the settings of a service. */
import { z } from 'zod'
import type { UnitOfWork } from '../commands/command-runner.ts'
import { route } from '../http/route.ts'
import type { Access, Route } from '../http/route.ts'
import { reject } from '../lib/rejection.ts'
import { effectiveSetting } from './settings-events.ts'
import type { SettingKeyOf, Settings } from './settings-events.ts'
import type { SettingTable } from './settings-table.ts'

const value = z.union([z.boolean(), z.int(), z.string().max(1_000)])

interface SettingItem {
  readonly key: string
  readonly value: boolean | number | string
  readonly usual: boolean | number | string
  readonly does: string
  readonly changedAt: string | null
}

interface SettingRoutesSpec<S extends Settings> {
  readonly path: `/${string}`
  readonly settings: S
  readonly table: SettingTable
  readonly see: {
    readonly does: string
    readonly access: Access
    /** Builds the list of all settings, and its schema. */
    readonly reply: (item: z.ZodType<SettingItem>) => z.ZodType
    readonly answer: (items: SettingItem[]) => unknown
  }
  readonly decide: {
    readonly does: string
    readonly access: Access
    readonly stepUp?: true
    /** What `by` refuses with. */
    readonly refuses?: Route['refuses']
    readonly by: (unit: UnitOfWork, settingId: SettingKeyOf<S>, value: SettingItem['value']) => unknown
  }
}

export function settingRoutes<S extends Settings>({
  path,
  settings,
  table,
  see,
  decide,
}: SettingRoutesSpec<S>): Route[] {
  const keys = Object.keys(settings) as [SettingKeyOf<S>, ...SettingKeyOf<S>[]]
  const Setting = z.object({
    key: z.enum(keys),
    value,
    /** The value if no other was set. */
    usual: value,
    does: z.string(),
    changedAt: z.iso.datetime().nullable(),
  })

  const shown = (key: SettingKeyOf<S>, decided: unknown, changedAt: string | null): SettingItem => {
    const { usual, does } = settings[key]!
    return { key, value: effectiveSetting(settings, key, decided), usual, does, changedAt }
  }

  return [
    route(`GET ${path}`, {
      does: see.does,
      access: see.access,
      reply: see.reply(Setting),
      async handle({ read }) {
        const rows = await table.queryIn(read).selectAll().execute()
        const changed = new Map(rows.map((row) => [row.id, row]))
        return see.answer(keys.map((key) => shown(key, changed.get(key)?.value, changed.get(key)?.changedAt ?? null)))
      },
    }),

    route(`PATCH ${path}/:key`, {
      does: decide.does,
      access: decide.access,
      ...(decide.stepUp && { stepUp: true }),
      ...(decide.refuses && { refuses: decide.refuses }),
      params: z.object({ key: z.enum(keys) }),
      body: z.strictObject({ value }),
      reply: Setting,
      async handle(call) {
        const key = call.params.key as SettingKeyOf<S>
        const { is, takes = is } = settings[key]!
        const given = takes.safeParse(call.body.value)
        if (!given.success) return reject('invalid', `value: ${given.error.issues[0]!.message}`, 'INVALID_INPUT')
        const at = await call.run(async (unit) => {
          await decide.by(unit, key, given.data)
          return unit.at
        })
        return shown(key, given.data, at.toISOString())
      },
    }),
  ]
}
