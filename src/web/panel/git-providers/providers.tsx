/** Providers of the person, or those that are shared with a project. */
import { Link } from 'wouter'
import { getGitProviders } from '#api-client/panel/git-providers'
import type { GitProvider } from '#api-client/panel/schemas'
import { Empty, ToneText } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { kindName } from './kind-name.ts'
import { RemoveProvider } from './remove.tsx'
import { ConnectAgain } from './sign-in-at-own.tsx'

interface ProvidersProps {
  /** Null: those of the person. */
  readonly projectId: string | null
  /** Whether the person may remove those of others. */
  readonly isManager: boolean
}

export const Providers = ({ projectId, isManager }: ProvidersProps) => (
  <RecordTable
    operation={getGitProviders}
    caption="Git providers"
    input={{ query: projectId === null ? {} : { projectId } }}
    keyOf={({ id }) => id}
    columns={[
      { label: 'Provider', of: (provider) => <Name of={provider} /> },
      { label: 'Kind', of: ({ kind }) => kindName(kind) },
      { label: 'Address', of: ({ baseUrl }) => <span className="long">{baseUrl}</span> },
      { label: 'Account', of: ({ account }) => account ?? <span className="soft">not known</span> },
      { label: 'State', of: ({ status }) => <State of={status} /> },
      { label: 'For', of: (provider) => <Sharing of={provider} /> },
      { label: 'Connected', of: ({ createdAt }) => <Time at={createdAt} /> },
      {
        label: 'Actions',
        of: (provider) => (
          <span className="row">
            <ConnectAgain of={provider} />
            <RemoveProvider of={provider} isOffered={provider.isMine || isManager} />
          </span>
        ),
      },
    ]}
    empty={<Empty>A provider is where repositories are, with the credentials that read them.</Empty>}
  />
)

/** What has no API lists no repositories. */
const Name = ({ of: { id, name, status } }: { readonly of: GitProvider }) =>
  status !== 'UNCHECKED' ? (
    <Link to={`/git-providers/${id}`} className="long">
      {name}
    </Link>
  ) : (
    <span className="long">{name}</span>
  )

const State = ({ of: status }: { readonly of: GitProvider['status'] }) => {
  if (status === 'REFUSED') return <ToneText tone="bad">Refused: its owner connects it again</ToneText>
  return status === 'CHECKED' ? 'Checked' : <span className="soft">Not checked</span>
}

const Sharing = ({ of: { projectId, repositories } }: { readonly of: GitProvider }) =>
  projectId === null ? 'its owner alone' : <span className="long">{repositories.join(', ')}</span>
