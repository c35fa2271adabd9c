/** Signs in at GitHub: the person enters a code there, and the page asks meanwhile whether that is done. */
import { useEffect, useState } from 'react'
import type { DataOf } from '#api-client/operation'
import {
  getGitProvidersOauthHostedGitStatus,
  postGitProvidersOauthHostedGitDevicePoll,
  postGitProvidersOauthHostedGitDeviceStart,
} from '#api-client/panel/git-providers'
import { Action } from '../../kit/action.tsx'
import { Button, ToneText } from '../../kit/controls.tsx'
import { Dialog } from '../../kit/overlay.tsx'
import { RefusalNotice } from '../../kit/refusal.tsx'
import { wordOf } from '../../kit/words.ts'
import { useAnswer, useChange } from '../../session/context.tsx'

type Flow = DataOf<typeof postGitProvidersOauthHostedGitDeviceStart>
type FlowState = DataOf<typeof postGitProvidersOauthHostedGitDevicePoll>

interface SignInProps {
  /** Null: for the person alone. */
  readonly projectId: string | null
}

/** Offered where an administrator has set the client id. */
export function SignInAtGitHub({ projectId }: SignInProps) {
  const { data } = useAnswer(getGitProvidersOauthHostedGitStatus)
  const [flow, setFlow] = useState<Flow>()
  const shared = projectId === null ? [] : ['repositories']
  return (
    <>
      <Action
        operation={postGitProvidersOauthHostedGitDeviceStart}
        label="Sign in at GitHub"
        about={<p>GitHub asks for a code, which is shown next.</p>}
        isOffered={data?.configured === true}
        only={['name', ...shared]}
        required={shared}
        initial={{ name: 'GitHub' }}
        fixed={projectId === null ? {} : { projectId }}
        onDone={setFlow}
      />
      {flow && <Waiting flow={flow} close={() => setFlow(undefined)} />}
    </>
  )
}

interface WaitingProps {
  readonly flow: Flow
  readonly close: () => void
}

const MS = 1_000

interface Asked {
  /** Each answer begins the next wait. */
  readonly times: number
  readonly of?: FlowState
  readonly refused?: Error
}

function Waiting({ flow, close }: WaitingProps) {
  const { flowId, userCode, verificationUri } = flow
  const poll = useChange(postGitProvidersOauthHostedGitDevicePoll)
  const [asked, setAsked] = useState<Asked>({ times: 0 })
  const { times, of: state, refused } = asked
  const waitSeconds = refused ? null : state ? state.intervalSeconds : flow.intervalSeconds

  useEffect(() => {
    if (waitSeconds === null) return undefined
    const timer = setTimeout(
      () =>
        void poll({ body: { flowId } }).then(
          (next) => setAsked({ times: times + 1, of: next }),
          (error: Error) => setAsked({ times: times + 1, refused: error }),
        ),
      waitSeconds * MS,
    )
    return () => clearTimeout(timer)
  }, [times, flowId, poll, waitSeconds])

  return (
    <Dialog title="Sign in at GitHub" isOpen onClose={close}>
      <p>
        Enter the code <strong>{userCode}</strong> at{' '}
        <a href={verificationUri} target="_blank" rel="noreferrer">
          {verificationUri}
        </a>
        .
      </p>
      <output>
        {state && state.state !== 'PENDING' ? (
          <ToneText tone={state.state === 'AUTHORIZED' ? 'good' : 'bad'}>{wordOf(state.state)}</ToneText>
        ) : (
          'The page waits until it is entered.'
        )}
      </output>
      {refused && <RefusalNotice of={refused} />}
      <div className="dialog-buttons">
        <Button tone="main" onClick={close}>
          Close
        </Button>
      </div>
    </Dialog>
  )
}
