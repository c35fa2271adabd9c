import { sql } from '#kernel/projections/read-model'
import type { SettingValueOf } from '#kernel/resource/settings-events'
import { settingReader, settingTable as tableOf } from '#kernel/resource/settings-table'
import { SETTINGS } from '#licensing/settings/events'
import type { SettingKey } from '#licensing/settings/events'

export const settingTable = tableOf().forGate()

export const settingOf = settingReader(settingTable, SETTINGS)

type BooleanSettingKey = {
  [Key in SettingKey]: SettingValueOf<typeof SETTINGS, Key> extends boolean ? Key : never
}[SettingKey]

/** `settingOf` as an SQL expression for use in another query; boolean settings only. */
export const isSettingOn = (key: BooleanSettingKey) =>
  sql<boolean>`coalesce((SELECT value = 'true'::jsonb FROM read.settings WHERE id = ${key}), ${SETTINGS[key].usual})`
