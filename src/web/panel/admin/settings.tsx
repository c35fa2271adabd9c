import type { DataOf } from '#api-client/operation'
import type { ItemOf } from '#api-client/paging'
import { getAdminSettings, patchAdminSettingsByKey } from '#api-client/panel/settings'
import { Action } from '../../kit/action.tsx'
import { Value } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { labelOf } from '../../kit/words.ts'
import { ConfigParts } from './config-parts.tsx'

type Setting = ItemOf<DataOf<typeof getAdminSettings>>

export default function Settings() {
  return (
    <Page title="Settings">
      <RecordTable
        operation={getAdminSettings}
        caption="Settings"
        keyOf={({ key }) => key}
        columns={[
          { label: 'Setting', of: ({ key }) => labelOf(key) },
          { label: 'Value', of: ({ value }) => <Value of={value} /> },
          { label: 'Default', of: ({ usual }) => <Value of={usual} /> },
          { label: 'What it does', of: ({ does }) => does },
          { label: 'Changed', of: ({ changedAt }) => <Time at={changedAt} absent="never" /> },
          { label: 'Actions', of: (setting) => <ChangeSetting key={String(setting.value)} setting={setting} /> },
        ]}
        empty={<p className="soft">This panel has no settings.</p>}
      />
      <ConfigParts />
    </Page>
  )
}

/** The type of a setting is that of its usual value. */
function ChangeSetting({ setting: { key, value, usual } }: { readonly setting: Setting }) {
  const type = typeof usual === 'number' ? 'integer' : typeof usual
  return (
    <Action
      operation={{
        ...patchAdminSettingsByKey,
        method: 'PATCH',
        body: { type: 'object', properties: { value: { type } }, required: ['value'] },
      }}
      input={{ params: { key } }}
      initial={{ value }}
      label="Change"
      title={labelOf(key)}
      tone="quiet"
      done="The setting is changed"
    />
  )
}
