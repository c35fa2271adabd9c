import { useLocation, useParams } from 'wouter'
import { deleteAdminFeaturesById, getAdminFeaturesById, patchAdminFeaturesById } from '#api-client/licensing/features'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'
import { RecordHistory } from '../records/history.tsx'
import { FeatureState } from './list.tsx'

export default function FeatureRecord() {
  const { id } = useParams<{ id: string }>()
  return (
    <RecordPage
      kind="Feature"
      parent={{ to: '/console/features', title: 'Features' }}
      answer={useAnswer(getAdminFeaturesById, { params: { id } })}
      title={({ name }) => name}
      state={({ archived }) => <FeatureState isArchived={archived} />}
      actions={(feature) => <FeatureActions feature={feature} />}
    >
      {({ key, type, createdAt }) => (
        <>
          <Facts>
            <Fact label="Key">
              <code>{key}</code>
            </Fact>
            <Fact label="Type">{wordOf(type)}</Fact>
            <Fact label="Declared">
              <Time at={createdAt} />
            </Fact>
          </Facts>
          <RecordHistory id={id} />
        </>
      )}
    </RecordPage>
  )
}

function FeatureActions({ feature }: { readonly feature: DataOf<typeof getAdminFeaturesById> }) {
  const [, go] = useLocation()
  const { id, archived, name } = feature
  const input = { params: { id } }
  return (
    <>
      <Action
        operation={patchAdminFeaturesById}
        input={input}
        initial={feature}
        only={['name']}
        label="Rename"
        done="The feature is renamed"
      />
      <Action
        operation={patchAdminFeaturesById}
        input={input}
        only={[]}
        fixed={{ archived: !archived }}
        label={archived ? 'Bring back' : 'Archive'}
        about={
          <p>
            {archived
              ? 'Plans may add this feature again.'
              : 'Plans that have this feature keep it. No other plan can add it.'}
          </p>
        }
        done={archived ? 'The feature is back' : 'The feature is archived'}
      />
      <Action
        operation={deleteAdminFeaturesById}
        input={input}
        label="Delete"
        title={`Delete ${name}`}
        tone="bad"
        about={<p>This is refused while a plan has the feature, open or closed.</p>}
        done="The feature is deleted"
        onDone={() => go('/console/features')}
      />
    </>
  )
}
