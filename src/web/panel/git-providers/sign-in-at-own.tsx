/** Signs in at a GitLab or Gitea of one's own: the browser goes there, and comes back to the list of providers. */
import { useSearchParams } from 'wouter'
import { getGitKinds } from '#api-client/panel/git'
import { postGitProvidersOauthSelfhostedGitStart } from '#api-client/panel/git-providers'
import { Action } from '../../kit/action.tsx'
import { ToneText } from '../../kit/controls.tsx'
import { useAnswer } from '../../session/context.tsx'
import { kindName } from './kind-name.ts'

interface SignInProps {
  /** Null: for the person alone. */
  readonly projectId: string | null
}

const CALLBACK = '/api/git-providers/oauth/selfhosted-git/callback'

export function SignInAtOwn({ projectId }: SignInProps) {
  const { data } = useAnswer(getGitKinds)
  const kinds = (data ?? []).filter(({ ways }) => ways.includes('OAUTH'))
  const shared = projectId === null ? [] : ['repositories']
  return kinds.map(({ kind }) => (
    <Action
      key={kind}
      operation={postGitProvidersOauthSelfhostedGitStart}
      label={`Sign in at ${kindName(kind)}`}
      about={
        <p>
          Register an OAuth application there first, with the redirect address{' '}
          <code className="long">{window.location.origin + CALLBACK}</code>. Then you are asked there whether the panel
          may use your repositories.
        </p>
      }
      only={['baseUrl', 'clientId', 'clientSecret', 'name', ...shared]}
      order={['baseUrl', 'clientId', 'clientSecret']}
      required={shared}
      fixed={{ kind, ...(projectId !== null && { projectId }) }}
      labels={{ baseUrl: 'Address', clientId: 'Application ID', clientSecret: 'Secret of the application' }}
      hasNewPassword={false}
      done={`You go on at ${kindName(kind)}`}
      onDone={({ authorizationUrl }) => window.location.assign(authorizationUrl)}
    />
  ))
}

/** How a sign-in went from which the browser has just come back. */
export function SignInEnd() {
  const [search] = useSearchParams()
  const word = search.get('sign-in')
  if (word === null) return null
  return (
    <output>
      {word === 'connected' ? (
        <ToneText tone="good">The provider is connected.</ToneText>
      ) : (
        <ToneText tone="bad">
          The sign-in did not work, and nothing was connected. Begin again in this browser, and come back within ten
          minutes. If it fails again, check the ID, the secret and the redirect address of the application there.
        </ToneText>
      )}
    </output>
  )
}
