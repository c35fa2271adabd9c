import { useParams } from 'wouter'
import {
  getAdminVersionsById,
  postAdminVersionsByIdPublish,
  postAdminVersionsByIdYank,
} from '#api-client/licensing/versions'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Part, State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { RecordHistory } from '../records/history.tsx'
import { ReleaseFiles } from './files.tsx'

type Release = DataOf<typeof getAdminVersionsById>

export default function ReleaseRecord() {
  const { id } = useParams<{ id: string }>()
  return (
    <RecordPage
      kind="Release"
      parent={{ to: '/console/releases', title: 'Releases' }}
      answer={useAnswer(getAdminVersionsById, { params: { id } })}
      title={({ version }) => version}
      state={({ status }) => <State of={status} />}
      actions={(release) => <ReleaseActions release={release} />}
    >
      {(release) => (
        <>
          <div className="columns">
            <Part title="Release">
              <Facts>
                <Fact label="Channel">{release.channel}</Fact>
                <Fact label="For plans from">{release.minPlan ?? 'all plans'}</Fact>
                <Fact label="Created">
                  <Time at={release.createdAt} />
                </Fact>
                <Fact label="Published">
                  <Time at={release.publishedAt} absent="not yet" />
                </Fact>
                {release.yankedAt && (
                  <Fact label="Yanked">
                    <Time at={release.yankedAt} />
                  </Fact>
                )}
              </Facts>
            </Part>
            <Part title="Notes">
              {release.notes === '' ? <p className="soft">This release has no notes.</p> : <pre>{release.notes}</pre>}
            </Part>
          </div>
          <ReleaseFiles release={release} />
          <RecordHistory id={id} />
        </>
      )}
    </RecordPage>
  )
}

const ReleaseActions = ({ release }: { readonly release: Release }) => (
  <>
    <Action
      operation={postAdminVersionsByIdPublish}
      input={{ params: { id: release.id } }}
      label="Publish"
      title={`Publish ${release.version}`}
      tone="main"
      about={<p>Panels and customers that may have it see it at once. Its files can no longer change.</p>}
      record={release}
      isOffered={release.artifacts.length > 0}
      done="The release is published"
    />
    <Action
      operation={postAdminVersionsByIdYank}
      input={{ params: { id: release.id } }}
      label="Yank"
      title={`Yank ${release.version}`}
      tone="bad"
      about={
        <p>
          It is no longer offered, and it cannot be published again. The reason stays in the audit trail: name no person
          in it.
        </p>
      }
      record={release}
      done="The release is yanked"
    />
  </>
)
