import type { Kysely } from 'kysely'
import { json, primary, readModel, text, time } from '#kernel/read-model'
import { settingEvents, SETTINGS } from '#panel/settings/events'
import type { SettingKey, SettingValue } from '#panel/settings/events'

const columns = { id: primary(text), value: json<boolean | number | string>(), changedAt: time }

/** Of those that were ever changed. */
export const settingTable = readModel('settings', 1, columns).from(settingEvents, {
  SettingChanged: (table, { settingId, value }, { at }) => {
    table.remove({ id: settingId })
    return table.insert({ id: settingId, value, changedAt: at })
  },
})

/** What holds now. */
export async function settingOf<Key extends SettingKey>(read: Kysely<any>, key: Key): Promise<SettingValue<Key>> {
  const row = await settingTable.in(read).select('value').where('id', '=', key).executeTakeFirst()
  const given = SETTINGS[key].is.safeParse(row?.value)
  return (given.success ? given.data : SETTINGS[key].usual) as SettingValue<Key>
}
