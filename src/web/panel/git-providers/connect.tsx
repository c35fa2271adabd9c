/** Connects a provider: one form a kind, with the fields that the kind has. */
import { getGitKinds } from '#api-client/panel/git'
import { postGitProviders } from '#api-client/panel/git-providers'
import type { GitKind } from '#api-client/panel/schemas'
import { Action } from '../../kit/action.tsx'
import { Actions } from '../../kit/actions.tsx'
import { useAnswer } from '../../session/context.tsx'
import { kindName } from './kind-name.ts'

interface ConnectProps {
  /** Null: for the person alone. */
  readonly projectId: string | null
}

export function ConnectProvider({ projectId }: ConnectProps) {
  const { data } = useAnswer(getGitKinds)
  const [first, ...others] = data ?? []
  if (!first) return null
  return (
    <Actions
      more={others.map((kind) => (
        <ConnectKind key={kind.kind} of={kind} projectId={projectId} />
      ))}
    >
      <ConnectKind of={first} projectId={projectId} isMain />
    </Actions>
  )
}

interface ConnectKindProps extends ConnectProps {
  readonly of: GitKind
  readonly isMain?: boolean
}

function ConnectKind({ of: { kind, takes, needs, ways, hasApi }, projectId, isMain = false }: ConnectKindProps) {
  const isKey = ways.includes('KEY')
  return (
    <Action
      operation={postGitProviders}
      label={`Connect ${kindName(kind)}`}
      tone={isMain ? 'main' : 'plain'}
      about={
        <p>
          {hasApi
            ? 'The provider is asked whether it takes the credentials.'
            : 'The credentials are checked when they are first used.'}
        </p>
      }
      only={['name', ...takes, 'token', ...(projectId === null ? [] : ['repositories'])]}
      order={['name', ...needs, 'token']}
      required={[...needs, ...(projectId === null ? [] : ['repositories'])]}
      fixed={{ kind, ...(projectId !== null && { projectId }) }}
      labels={{
        baseUrl: 'Address',
        account: 'Workspace',
        username: kind === 'BITBUCKET' ? 'Mail address' : 'User name',
        token: isKey ? 'Private key' : 'Token',
      }}
      hasNewPassword={false}
      done="The provider is connected"
    />
  )
}
