import { useParams } from 'wouter'
import {
  getAdminInstancesById,
  postAdminInstancesByIdDeactivate,
  postAdminInstancesByIdReactivate,
} from '#api-client/licensing/instances'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Notice, Part, State } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'
import { RecordHistory } from '../records/history.tsx'
import { IdLink } from '../records/id-link.tsx'
import type { Panel } from './columns.tsx'

/** What a flag tells staff to look at. */
const ABOUT_FLAGS: Readonly<Record<Panel['flags'][number], string>> = {
  CLONE_SUSPECTED: 'Another copy of this panel seems to run elsewhere.',
  FINGERPRINT_DRIFT: 'The machine of this panel has changed several times in a short while.',
}

export default function PanelRecord() {
  const { id } = useParams<{ id: string }>()
  const panel = useAnswer(getAdminInstancesById, { params: { id } })
  return (
    <RecordPage
      kind="Panel"
      parent={{ to: '/console/panels', title: 'Panels' }}
      answer={panel}
      title={({ name }) => name}
      state={({ status }) => <State of={status} />}
      actions={(data) => <PanelActions panel={data} />}
    >
      {(data) => (
        <>
          {data.flags.map((flag) => (
            <Notice key={flag} tone="warn">
              <p>
                {wordOf(flag)}. {ABOUT_FLAGS[flag]}
              </p>
            </Notice>
          ))}
          <div className="columns">
            <Part title="Machine">
              <Facts>
                <Fact label="Host">{data.hostname}</Fact>
                <Fact label="Address">{data.ip}</Fact>
                <Fact label="System">
                  {data.os} {data.arch}
                </Fact>
                <Fact label="Version">{data.version}</Fact>
                <Fact label="Key thumbprint">
                  <code>{data.keyThumbprint}</code>
                </Fact>
                <Fact label="License">
                  <IdLink kind="license" id={data.licenseId} isWhole />
                </Fact>
              </Facts>
            </Part>
            <Part title="Times">
              <Facts>
                <Fact label="Activated">
                  <Time at={data.activatedAt} />
                </Fact>
                <Fact label="Last heartbeat">
                  <Time at={data.lastHeartbeatAt} absent="none yet" />
                </Fact>
                <Fact label="Next heartbeat due">
                  <Time at={data.nextHeartbeatDueAt} absent="none" />
                </Fact>
                {data.deactivatedAt && (
                  <Fact label="Deactivated">
                    <Time at={data.deactivatedAt} /> by {wordOf(data.deactivatedBy?.type ?? '')}
                  </Fact>
                )}
              </Facts>
            </Part>
          </div>
          <RecordHistory id={id} />
        </>
      )}
    </RecordPage>
  )
}

const PanelActions = ({ panel }: { readonly panel: Panel }) => (
  <>
    <Action
      operation={postAdminInstancesByIdReactivate}
      input={{ params: { id: panel.id } }}
      label="Reactivate"
      about={<p>It takes a free slot of its license again.</p>}
      record={panel}
      done="The panel is active again"
    />
    <Action
      operation={postAdminInstancesByIdDeactivate}
      input={{ params: { id: panel.id } }}
      label="Deactivate"
      about={<p>Its slot becomes free. The panel learns this at its next heartbeat and loses its plan.</p>}
      record={panel}
      done="The panel is deactivated"
    />
  </>
)
