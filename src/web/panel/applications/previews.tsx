/** Previews of pull requests: how the application has them, and those that are there. */
import { Link } from 'wouter'
import {
  deleteApplicationsPreviewsByPreviewId,
  getApplicationsByIdPreviews,
  patchApplicationsByIdPreviews,
} from '#api-client/panel/applications'
import type { Application, ApplicationPreviews, Preview } from '#api-client/panel/schemas'
import { Empty, Fact, Facts, Part, State } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { ApplicationPage } from './application-page.tsx'
import { PreviewSet, SetName } from './preview-set.tsx'

export default function ApplicationPreviewsPage() {
  return (
    <ApplicationPage needs={getApplicationsByIdPreviews}>
      {(application) =>
        application.source.kind === 'GIT' ? (
          <Previews of={application} />
        ) : (
          <p className="soft">It is not made from a git repository, so it has no pull requests.</p>
        )
      }
    </ApplicationPage>
  )
}

function Previews({ of: application }: { readonly of: Application }) {
  const answer = useAnswer(getApplicationsByIdPreviews, { params: { id: application.id } })
  return <Shown answer={answer}>{(shown) => <Both id={application.id} of={shown} />}</Shown>
}

interface BothProps {
  readonly id: string
  readonly of: ApplicationPreviews
}

const Both = ({ id, of }: BothProps) => (
  <>
    <Part title="Previews" actions={<Changes id={id} of={of} />}>
      <Facts>
        <Fact label="A pull request to its branch">{of.enabled ? 'gets a preview' : 'gets none'}</Fact>
        <Fact label="Base domain">{of.baseDomain ?? <span className="soft">none</span>}</Fact>
        <Fact label="At once">{of.limit}</Fact>
        <Fact label="Days without new commits until it goes">{of.idleDays}</Fact>
        <Fact label="Variables">
          <SetName id={id} setId={of.setId} />
        </Fact>
      </Facts>
    </Part>
    <Part title="Open pull requests">
      <PreviewTable id={id} of={of.previews} />
    </Part>
  </>
)

const FIELDS = ['baseDomain', 'limit', 'idleDays', 'setId']
const LABELS = {
  baseDomain: 'Base domain',
  limit: 'Previews at once',
  idleDays: 'Days without new commits until one goes',
}

function Changes({ id, of: settings }: BothProps) {
  const { enabled } = settings
  const of = { operation: patchApplicationsByIdPreviews, input: { params: { id } }, labels: LABELS }
  const inputs = {
    setId: (value: unknown, change: (setId: string | null) => void) => (
      <PreviewSet id={id} value={typeof value === 'string' ? value : null} onChange={change} />
    ),
  }
  return (
    <>
      {enabled && (
        <ProjectAction
          {...of}
          label="Change"
          title="Change the previews"
          only={FIELDS}
          order={FIELDS}
          initial={settings}
          inputs={inputs}
          done="The previews are changed"
        />
      )}
      {enabled ? (
        <ProjectAction
          {...of}
          label="Turn off"
          title="Turn previews off"
          tone="bad"
          about={<p>Those that are there are removed, with their containers, images and data.</p>}
          only={[]}
          fixed={{ enabled: false }}
          done="Previews are off"
        />
      ) : (
        <ProjectAction
          {...of}
          label="Turn on"
          title="Turn previews on"
          tone="main"
          about={
            <p>
              Each is at a name of its own under the base domain, so all names there must lead to the server. Its
              provider tells of pull requests by the webhook: install it again if it delivers pushes alone.
            </p>
          }
          only={FIELDS}
          order={FIELDS}
          required={['baseDomain']}
          initial={settings}
          inputs={inputs}
          fixed={{ enabled: true }}
          done="Previews are on"
        />
      )}
    </>
  )
}

function PreviewTable({ id, of }: { readonly id: string; readonly of: readonly Preview[] }) {
  if (of.length === 0) return <Empty>A pull request is deployed beside the application until it is closed.</Empty>
  return (
    <RowsTable
      rows={of}
      caption="Previews of the application"
      keyOf={(preview) => preview.id}
      columns={[
        { label: 'Pull request', of: ({ pullRequest }) => `#${pullRequest}` },
        { label: 'State', of: (preview) => <Newest id={id} of={preview} /> },
        {
          label: 'Address',
          of: ({ url }) => (url === null ? <span className="soft">none</span> : <Address of={url} />),
        },
        { label: 'Deployed', of: ({ updatedAt }) => <Time at={updatedAt} /> },
        { label: 'Actions', of: (preview) => <Removal of={preview} /> },
      ]}
    />
  )
}

const Address = ({ of: url }: { readonly of: string }) => (
  <a href={url} className="long" rel="noreferrer" target="_blank">
    {url}
  </a>
)

function Newest({ id, of: { deploymentId, status } }: { readonly id: string; readonly of: Preview }) {
  if (deploymentId === null || status === null) return <span className="soft">not deployed yet</span>
  return (
    <Link href={`/applications/${id}/deployments/${deploymentId}`}>
      <State of={status} />
    </Link>
  )
}

const Removal = ({ of: { id: previewId, pullRequest } }: { readonly of: Preview }) => (
  <ProjectAction
    operation={deleteApplicationsPreviewsByPreviewId}
    input={{ params: { previewId } }}
    label="Remove"
    title={`Remove the preview of #${pullRequest}`}
    tone="bad"
    about={<p>Its containers, images and data are removed. New commits in the pull request bring it back.</p>}
    done="The preview is removed"
  />
)
