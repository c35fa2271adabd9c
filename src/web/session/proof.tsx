/** Asks the person for a fresh proof of identity when an operation needs one, and then goes on with it. */
import { createContext, use, useRef, useState } from 'react'
import type { ReactNode, SubmitEvent } from 'react'
import type { CallArguments } from '#api-client/call'
import type { Shape } from '#api-client/operation'
import { Refusal } from '#api-client/refusal'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/overlay.tsx'
import { RefusalNotice } from '../kit/refusal.tsx'
import type { Session } from './session.ts'
import { typedText } from './typed-text.ts'

interface ProofContextValue {
  /**
   * @throws the error of `work`; Cancelled if the person gives no proof
   */
  readonly withProof: <Result>(work: () => Promise<Result>) => Promise<Result>
}

const ProofContext = createContext<ProofContextValue | undefined>(undefined)

export const useProof = (): ProofContextValue => use(ProofContext)!

/** The person closed the dialog; nothing was changed. */
export class Cancelled extends Error {}

/** A change that goes on, or ends with the error, when the person has answered. */
type Waiting = (cancelled?: Error) => void

interface ProofProviderProps {
  readonly session: Session
  readonly children: ReactNode
}

export function ProofProvider({ session, children }: ProofProviderProps) {
  const [isAsking, setAsking] = useState(false)
  const waiting = useRef<readonly Waiting[]>([])
  const withProof: ProofContextValue['withProof'] = async (work) => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'STEP_UP_REQUIRED') throw error
    }
    await new Promise<void>((proved, failed) => {
      waiting.current = [...waiting.current, (cancelled) => (cancelled ? failed(cancelled) : proved())]
      setAsking(true)
    })
    return work()
  }
  const answered = (cancelled?: Error): void => {
    setAsking(false)
    const all = waiting.current
    waiting.current = []
    for (const each of all) each(cancelled)
  }
  const close = (): void => answered(new Cancelled())
  return (
    <ProofContext value={{ withProof }}>
      {children}
      <Dialog title="Confirm that it is you" isOpen={isAsking} onClose={close}>
        <ProofForm session={session} onDone={() => answered()} onCancel={close} />
      </Dialog>
    </ProofContext>
  )
}

interface ProofFormProps {
  readonly session: Session
  readonly onDone: () => void
  readonly onCancel: () => void
}

function ProofForm({ session: { realm, call, state }, onDone, onCancel }: ProofFormProps) {
  const [refused, setRefused] = useState<Error>()
  const [isBusy, setBusy] = useState(false)
  const hasFactor = state().account?.totpEnabled === true
  const prove = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault()
    const proof = typedText(new FormData(event.currentTarget), 'proof')
    const body = hasFactor ? { code: proof } : { password: proof }
    const { stepUp } = realm
    // A code is valid once: sent twice, it would be refused.
    if (!stepUp || isBusy) return
    setBusy(true)
    setRefused(undefined)
    await call(stepUp, ...([{ body }] as unknown as CallArguments<Shape>)).then(onDone, setRefused)
    setBusy(false)
  }
  return (
    <form className="stack" onSubmit={(event) => void prove(event)} aria-busy={isBusy}>
      <p>This change asks who you are. The answer holds for five minutes.</p>
      <div className="field">
        <label htmlFor="proof">{hasFactor ? 'Code of your second factor' : 'Your password'}</label>
        <input
          id="proof"
          name="proof"
          className="input"
          type={hasFactor ? 'text' : 'password'}
          autoComplete={hasFactor ? 'one-time-code' : 'current-password'}
          required
        />
      </div>
      {refused && <RefusalNotice of={refused} />}
      <div className="dialog-buttons">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" tone="main" isBusy={isBusy}>
          Confirm
        </Button>
      </div>
    </form>
  )
}
