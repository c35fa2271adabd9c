import { Link, useLocation } from 'wouter'
import { getAdminVersions, postAdminVersions } from '#api-client/licensing/versions'
import { Action } from '../../kit/action.tsx'
import { Empty, State } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'

function NewRelease() {
  const [, go] = useLocation()
  return (
    <Action
      operation={postAdminVersions}
      label="Create a release"
      tone="main"
      about={<p>It begins as a draft. Add its files, then publish it.</p>}
      order={['version', 'channel', 'notes', 'minPlan']}
      labels={{ minPlan: 'Smallest plan that gets it' }}
      submit="Create the draft"
      done="The draft is created"
      onDone={({ id }) => go(`/console/releases/${id}`)}
    />
  )
}

export default function Releases() {
  return (
    <Page title="Releases" actions={<NewRelease />}>
      <RecordTable
        operation={getAdminVersions}
        caption="Releases"
        filters={['status', 'channel', 'version']}
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Version',
            sort: 'version',
            of: ({ id, version }) => <Link href={`/console/releases/${id}`}>{version}</Link>,
          },
          { label: 'State', of: ({ status }) => <State of={status} /> },
          { label: 'Channel', of: ({ channel }) => channel },
          { label: 'For plans from', of: ({ minPlan }) => minPlan ?? 'all plans' },
          { label: 'Files', isNumber: true, of: ({ artifacts }) => artifacts.length },
          { label: 'Created', sort: 'createdAt', of: ({ createdAt }) => <Time at={createdAt} /> },
          { label: 'Published', of: ({ publishedAt }) => <Time at={publishedAt} absent="not yet" /> },
        ]}
        empty={
          <Empty>
            A release holds the files that panels and customers download. Each file is signed when it is added.
          </Empty>
        }
      />
    </Page>
  )
}
