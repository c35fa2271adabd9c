/** The other ways into the panel, below the form to sign in. */
import { Link } from 'wouter'
import { getAuthSetupStatus } from '#api-client/panel/bare'
import { getSettingsPublic } from '#api-client/panel/bare'
import { Notice } from '../../kit/controls.tsx'
import { useAnswer } from '../../session/context.tsx'

export function SignInLinks() {
  const { data: settings } = useAnswer(getSettingsPublic)
  const { data: setup } = useAnswer(getAuthSetupStatus)
  if (setup?.setupRequired)
    return (
      <Notice tone="warn">
        <p>
          This panel has no account yet. <Link href="/setup">Set it up</Link>.
        </p>
      </Notice>
    )
  if (!settings?.canMail) return null
  return (
    <nav className="stack" aria-label="Other ways to sign in">
      <Link href="/forgot-password">I forgot my password</Link>
      {settings.registrationOpen && <Link href="/register">Create an account</Link>}
    </nav>
  )
}
