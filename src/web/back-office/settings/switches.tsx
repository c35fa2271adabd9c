/** What staff decide for the whole installation. */
import { getAdminSettings, patchAdminSettingsByKey } from '#api-client/licensing/settings'
import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { Action } from '../../kit/action.tsx'
import { Part, ToneText, Value } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { labelOf } from '../../kit/words.ts'

type Setting = ItemOf<DataOf<typeof getAdminSettings>>

export const Switches = () => (
  <Part title="Switches">
    <RecordTable
      operation={getAdminSettings}
      caption="Switches"
      keyOf={({ key }) => key}
      columns={[
        { label: 'Setting', of: ({ key }) => labelOf(key) },
        { label: 'What it decides', of: ({ does }) => does },
        { label: 'Now', of: ({ value }) => <Shown value={value} /> },
        { label: 'Default', of: ({ usual }) => <Shown value={usual} isUsual /> },
        { label: 'Changed', of: ({ changedAt }) => <Time at={changedAt} absent="never" /> },
        { label: 'Actions', of: (setting) => <ChangeSetting setting={setting} /> },
      ]}
      empty={<p className="soft">There is no setting.</p>}
    />
  </Part>
)

function Shown({ value, isUsual = false }: { readonly value: Setting['value']; readonly isUsual?: boolean }) {
  if (typeof value !== 'boolean') return <Value of={value} />
  const text = value ? 'On' : 'Off'
  return isUsual ? <span className="soft">{text}</span> : <ToneText tone={value ? 'good' : 'quiet'}>{text}</ToneText>
}

function ChangeSetting({ setting: { key, value, does } }: { readonly setting: Setting }) {
  const common = {
    operation: patchAdminSettingsByKey,
    input: { params: { key } },
    title: labelOf(key),
    about: <p>{does}</p>,
    done: 'The setting is changed',
  }
  if (typeof value === 'boolean')
    return <Action {...common} label={value ? 'Switch off' : 'Switch on'} only={[]} fixed={{ value: !value }} />
  return (
    <Action
      {...common}
      label="Change"
      initial={{ value }}
      inputs={{
        value: (given, change) => (
          <input
            className="input"
            aria-label={labelOf(key)}
            type={typeof value === 'number' ? 'number' : 'text'}
            value={String(given)}
            onChange={({ target }) => change(typeof value === 'number' ? Number(target.value) : target.value)}
          />
        ),
      }}
    />
  )
}
