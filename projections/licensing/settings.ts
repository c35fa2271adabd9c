import { sql } from '#kernel/projections/read-model'
import type { ValueOf } from '#kernel/resource/settings-events'
import { settingsIn, settingTable as tableOf } from '#kernel/resource/settings-table'
import { SETTINGS } from '#licensing/settings/events'
import type { SettingKey } from '#licensing/settings/events'

export const settingTable = tableOf().forGate()

export const settingOf = settingsIn(settingTable, SETTINGS)

type Switch = { [Key in SettingKey]: ValueOf<typeof SETTINGS, Key> extends boolean ? Key : never }[SettingKey]

/** As `settingOf` within another query, of a setting that is on or off. */
export const isSet = (key: Switch) =>
  sql<boolean>`coalesce((SELECT value = 'true'::jsonb FROM read.settings WHERE id = ${key}), ${SETTINGS[key].usual})`
