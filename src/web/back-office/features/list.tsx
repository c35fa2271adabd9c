import { Link } from 'wouter'
import { getAdminFeatures, postAdminFeatures } from '#api-client/licensing/features'
import { Action } from '../../kit/action.tsx'
import { Empty, ToneText } from '../../kit/controls.tsx'
import { Page } from '../../kit/page.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { ExportMenu } from '../exports/export-menu.tsx'

const NewFeature = () => (
  <Action
    operation={postAdminFeatures}
    label="Declare a feature"
    tone="main"
    about={<p>Its key and type never change. Each plan gives it a value of this type.</p>}
    order={['key', 'name']}
    done="The feature is declared"
  />
)

export default function Features() {
  return (
    <Page
      title="Features"
      actions={
        <>
          <ExportMenu resource="features" />
          <NewFeature />
        </>
      }
    >
      <RecordTable
        operation={getAdminFeatures}
        caption="Features"
        filters={['q', 'type', 'archived']}
        keyOf={({ id }) => id}
        columns={[
          {
            label: 'Feature',
            sort: 'name',
            of: ({ id, name }) => <Link href={`/console/features/${id}`}>{name}</Link>,
          },
          { label: 'Key', sort: 'key', of: ({ key }) => <code>{key}</code> },
          { label: 'Type', of: ({ type }) => wordOf(type) },
          { label: 'State', of: ({ archived }) => <FeatureState isArchived={archived} /> },
          { label: 'Declared', sort: 'createdAt', of: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        empty={
          <Empty>
            A feature is something that plans offer, such as a number of projects. Panels read its value in the license.
          </Empty>
        }
      />
    </Page>
  )
}

export const FeatureState = ({ isArchived }: { readonly isArchived: boolean }) => (
  <ToneText tone={isArchived ? 'quiet' : 'good'}>{isArchived ? 'Archived' : 'Available'}</ToneText>
)
