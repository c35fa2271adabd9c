/** Signing in: as a page, and as a sheet over a page whose session has ended. */
import { useEffect, useId, useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import { Refusal } from '#api-client/refusal'
import { Button } from '../kit/controls.tsx'
import { Mark } from '../kit/icon.tsx'
import { Dialog } from '../kit/overlay.tsx'
import { useTitle } from '../kit/page.tsx'
import { RefusalNotice } from '../kit/refusal.tsx'
import { useSession, useSessionState } from './context.tsx'
import { typedText } from './typed-text.ts'

interface SignInPageProps {
  readonly title: string
  /** Other ways in, such as a link to register. */
  readonly doors?: ReactNode
}

export const SignInPage = ({ title, doors }: SignInPageProps) => (
  <Door title={title} heading="Sign in">
    <SignInForm />
    {doors}
  </Door>
)

const TRY_AGAIN_MS = 5_000

/** In place of a page, until the service says whether there is a session. */
export function UnreachedPage({ title }: Pick<SignInPageProps, 'title'>) {
  const { start } = useSession()
  useEffect(() => {
    const timer = setInterval(() => void start(), TRY_AGAIN_MS)
    return () => clearInterval(timer)
  }, [start])
  return (
    <Door title={title} heading="The service does not answer">
      <output>This page appears when the service answers again.</output>
      <Button onClick={() => void start()}>Try now</Button>
    </Door>
  )
}

interface DoorProps extends Pick<SignInPageProps, 'title'> {
  readonly heading: string
  readonly children: ReactNode
}

function Door({ title, heading, children }: DoorProps) {
  useTitle(`${heading} · ${title}`)
  return (
    <div className="door">
      <main>
        <div className="brand">
          <Mark /> {title}
        </div>
        <h1>{heading}</h1>
        {children}
      </main>
    </div>
  )
}

/** What was typed stays behind it. */
export function SignInSheet() {
  const { signOut } = useSession()
  const { account } = useSessionState()
  return (
    <Dialog title="Your session has ended" isOpen onClose={() => {}} isKept>
      <p>Sign in again to go on where you were.</p>
      <SignInForm email={account?.email ?? ''} />
      <div className="row">
        <Button tone="quiet" onClick={() => void signOut()}>
          Leave
        </Button>
      </div>
    </Dialog>
  )
}

function SignInForm({ email = '' }: { readonly email?: string }) {
  const { signIn } = useSession()
  const [refused, setRefused] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const [needsCode, setNeedsCode] = useState(false)
  const id = useId()

  async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    const typed = new FormData(event.currentTarget)
    const text = (name: string): string => typedText(typed, name).trim()
    const password = typedText(typed, 'password')
    setBusy(true)
    setRefused(undefined)
    try {
      await signIn({ email: text('email'), password, ...(needsCode ? { totp: text('totp') } : {}) })
    } catch (error) {
      const isCodeAsked = error instanceof Refusal && error.code === 'TOTP_REQUIRED'
      if (isCodeAsked) setNeedsCode(true)
      if (!isCodeAsked || needsCode) setRefused(error as Error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <form className="stack" onSubmit={(event) => void submit(event)} aria-busy={isBusy}>
      <div className="field">
        <label htmlFor={`${id}-email`}>E-mail address</label>
        <input
          id={`${id}-email`}
          className="input"
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-password`}>Password</label>
        <input
          id={`${id}-password`}
          className="input"
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
      </div>
      {needsCode && (
        <div className="field">
          <label htmlFor={`${id}-totp`}>Code of your second factor</label>
          <input
            id={`${id}-totp`}
            ref={(input) => input?.focus()}
            className="input"
            name="totp"
            autoComplete="one-time-code"
            required
          />
          <span className="field-help">Six digits of your app, or one of your backup codes.</span>
        </div>
      )}
      {refused && <RefusalNotice of={refused} />}
      <Button type="submit" tone="main" isBusy={isBusy}>
        Sign in
      </Button>
    </form>
  )
}
