import type { Kysely } from 'kysely'
import { json, primary, readModel, sql, text, time } from '#kernel/read-model'
import { SETTINGS, settingEvents } from '#licensing/settings/events'
import type { SettingKey, SettingValue } from '#licensing/settings/events'

const columns = { id: primary(text), value: json<boolean | number | string>(), changedAt: time }

/** Of those that were ever changed. */
export const settingTable = readModel('settings', 1, columns)
  .from(settingEvents, {
    SettingChanged: (table, { settingId, value }, { at }) => {
      table.remove({ id: settingId })
      return table.insert({ id: settingId, value, changedAt: at })
    },
  })
  .forGate()

type Switch = { [Key in SettingKey]: SettingValue<Key> extends boolean ? Key : never }[SettingKey]

/** The same within another query, of a setting that is on or off. */
export const isSet = (key: Switch) =>
  sql<boolean>`coalesce((SELECT value = 'true'::jsonb FROM read.settings WHERE id = ${key}), ${SETTINGS[key].usual})`

/** What holds now. */
export async function settingOf<Key extends SettingKey>(read: Kysely<any>, key: Key): Promise<SettingValue<Key>> {
  const row = await settingTable.in(read).select('value').where('id', '=', key).executeTakeFirst()
  const given = SETTINGS[key].is.safeParse(row?.value)
  return (given.success ? given.data : SETTINGS[key].usual) as SettingValue<Key>
}
