/** The read model of the settings. */
import { lookup } from '../projections/lookup.ts'
import type { ReadDatabase } from '../projections/read-database.ts'
import { json, primary, readModel, text, timestamptz } from '../projections/read-model.ts'
import { effectiveSetting, settingEvents } from './settings-events.ts'
import type { SettingKeyOf, Settings, SettingValueOf } from './settings-events.ts'

const columns = { id: primary(text), value: json<boolean | number | string>(), changedAt: timestamptz }

/** Contains only settings that were changed at least once. */
export const settingTable = () =>
  readModel('settings', 1, columns).from(settingEvents, {
    SettingChanged: (table, { settingId, value }, { at }) => {
      table.remove({ id: settingId })
      return table.insert({ id: settingId, value, changedAt: at })
    },
  })

export type SettingTable = ReturnType<typeof settingTable>

/** Reads the effective value of a setting. */
export function settingReader<S extends Settings>(table: SettingTable, settings: S) {
  const find = lookup(table, ['id'], (rows) => rows.select('value'))
  return async <Key extends SettingKeyOf<S>>(read: ReadDatabase, key: Key): Promise<SettingValueOf<S, Key>> =>
    effectiveSetting(settings, key, (await find(read, { id: key }))?.value)
}
