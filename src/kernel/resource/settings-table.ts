/** What was decided for the installation, for reading. */
import type { Kysely } from 'kysely'
import { json, primary, readModel, text, time } from '../projections/read-model.ts'
import { inForce, settingEvents } from './settings-events.ts'
import type { KeyOf, Settings, ValueOf } from './settings-events.ts'

const columns = { id: primary(text), value: json<boolean | number | string>(), changedAt: time }

/** Of those that were ever changed. */
export const settingTable = () =>
  readModel('settings', 1, columns).from(settingEvents, {
    SettingChanged: (table, { settingId, value }, { at }) => {
      table.remove({ id: settingId })
      return table.insert({ id: settingId, value, changedAt: at })
    },
  })

export type SettingTable = ReturnType<typeof settingTable>

/** What holds now. */
export const settingsIn =
  <S extends Settings>(table: SettingTable, settings: S) =>
  async <Key extends KeyOf<S>>(read: Kysely<any>, key: Key): Promise<ValueOf<S, Key>> => {
    const row = await table.in(read).select('value').where('id', '=', key).executeTakeFirst()
    return inForce(settings, key, row?.value)
  }
