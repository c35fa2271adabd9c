import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { SettingChanged, SETTINGS, settingEvents } from './events.ts'
import type { SettingKey } from './events.ts'

type SettingChangedData = DataOf<typeof SettingChanged>

const NOTHING_DECIDED: Readonly<Record<string, SettingChangedData['value']>> = {}

export const settings = decider(settingEvents, {
  initial: NOTHING_DECIDED,
  evolve: { SettingChanged: (all, { settingId, value }) => ({ ...all, [settingId]: value }) },
  commands: {
    ChangeSetting: (all, ask: SettingChangedData & { settingId: SettingKey }) => {
      const present = all[ask.settingId] ?? SETTINGS[ask.settingId].usual
      return present === ask.value ? [] : [SettingChanged(ask)]
    },
  },
})
