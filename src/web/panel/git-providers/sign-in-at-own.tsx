/** Signs in at a GitLab or Gitea of one's own: the browser goes there, and comes back to the list of providers. */
import { useSearchParams } from 'wouter'
import { getGitKinds } from '#api-client/panel/git'
import { postGitProvidersOauthSelfhostedGitStart } from '#api-client/panel/git-providers'
import type { GitProvider } from '#api-client/panel/schemas'
import { Action } from '../../kit/action.tsx'
import { ToneText } from '../../kit/controls.tsx'
import { useAnswer } from '../../session/context.tsx'
import { kindName } from './kind-name.ts'

interface SignInProps {
  /** Null: for the person alone. */
  readonly projectId: string | null
}

const CALLBACK = '/api/git-providers/oauth/selfhosted-git/callback'

const LABELS = { baseUrl: 'Address', clientId: 'Application ID', clientSecret: 'Secret of the application' }

const goOn = ({ authorizationUrl }: { readonly authorizationUrl: string }): void =>
  window.location.assign(authorizationUrl)

const Redirect = () => <code className="long">{window.location.origin + CALLBACK}</code>

/** One that refuses to renew its token: it stays the provider that applications use. */
export function ConnectAgain({ of }: { readonly of: GitProvider }) {
  const { id, kind, baseUrl, name, account, status, isMine } = of
  return (
    <Action
      operation={postGitProvidersOauthSelfhostedGitStart}
      label="Connect again"
      title={`Connect ${name} again`}
      tone="main"
      about={
        <p>
          Sign in there {account === null ? 'as before' : `as ${account}, as before`}. The OAuth application there needs
          the redirect address <Redirect />. Applications that use the provider go on with it.
        </p>
      }
      only={['clientId', 'clientSecret']}
      fixed={{ kind, baseUrl, gitProviderId: id }}
      labels={LABELS}
      hasNewPassword={false}
      isOffered={status === 'REFUSED' && isMine}
      done={`You go on at ${kindName(kind)}`}
      onDone={goOn}
    />
  )
}

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
          Register an OAuth application there first, with the redirect address <Redirect />. Then you are asked there
          whether the panel may use your repositories.
        </p>
      }
      only={['baseUrl', 'clientId', 'clientSecret', 'name', ...shared]}
      order={['baseUrl', 'clientId', 'clientSecret']}
      required={shared}
      fixed={{ kind, ...(projectId !== null && { projectId }) }}
      labels={LABELS}
      hasNewPassword={false}
      done={`You go on at ${kindName(kind)}`}
      onDone={goOn}
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
      {word === 'connected' && <ToneText tone="good">The provider is connected.</ToneText>}
      {word === 'other-account' && (
        <ToneText tone="bad">
          You are signed in there as another account, or your account there was renamed. Nothing was changed: sign in
          there as before, or connect another provider and remove this one.
        </ToneText>
      )}
      {word !== 'connected' && word !== 'other-account' && (
        <ToneText tone="bad">
          The sign-in did not work, and nothing was connected. Begin again in this browser, and come back within ten
          minutes. If it fails again, check the ID, the secret and the redirect address of the application there.
        </ToneText>
      )}
    </output>
  )
}
