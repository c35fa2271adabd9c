/** Previews of pull requests: how the application has them, and those that are there. */
import { getApplicationsByIdPreviews, patchApplicationsByIdPreviews } from '#api-client/panel/applications'
import type { Application, ApplicationPreviews } from '#api-client/panel/schemas'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { ApplicationPage } from './application-page.tsx'
import { PreviewSet, SetName } from './preview-set.tsx'
import { PreviewTable } from './preview-table.tsx'

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
