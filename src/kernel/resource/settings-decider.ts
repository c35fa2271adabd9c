/** The rules of the settings of a service. A unit that looks at them is decided again when one is changed meanwhile. */
import { decider } from '../events/decider.ts'
import type { DataOf } from '../events/event.ts'
import { SettingChanged, settingEvents } from './settings-events.ts'
import type { SettingKeyOf, Settings } from './settings-events.ts'

type Changed = DataOf<typeof SettingChanged>

/** What was set, by its key. */
type Decided = Readonly<Record<string, Changed['value']>>

const NOTHING_DECIDED: Decided = {}

export const settingsDecider = <S extends Settings>(settings: S) =>
  decider(settingEvents, {
    initial: NOTHING_DECIDED,
    evolve: { SettingChanged: (all, { settingId, value }) => ({ ...all, [settingId]: value }) },
    commands: {
      ChangeSetting: (all, ask: Changed & { readonly settingId: SettingKeyOf<S> }) =>
        (all[ask.settingId] ?? settings[ask.settingId]!.usual) === ask.value ? [] : [SettingChanged(ask)],
    },
  })
