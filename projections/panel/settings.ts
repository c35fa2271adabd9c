import { settingReader, settingTable as tableOf } from '#kernel/resource/settings-table'
import { SETTINGS } from '#panel/settings/events'

export const settingTable = tableOf()

export const settingOf = settingReader(settingTable, SETTINGS)
