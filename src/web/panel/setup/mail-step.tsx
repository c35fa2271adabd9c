import { useState } from 'react'
import type { DataOf } from '#api-client/operation'
import { getAdminConfig, patchAdminConfig, postAdminConfigTestSmtp } from '#api-client/panel/config'
import { getSettingsPublic } from '#api-client/panel/settings'
import { Action } from '../../kit/action.tsx'
import { Button, Notice } from '../../kit/controls.tsx'
import { DirectAction } from '../../kit/direct-action.tsx'
import { Shown } from '../../kit/page.tsx'
import { useAnswer } from '../../session/context.tsx'
import type { StepProps } from './setup.tsx'

type Tried = DataOf<typeof postAdminConfigTestSmtp>

export function MailStep({ onDone }: StepProps) {
  const config = useAnswer(getAdminConfig)
  const [tried, setTried] = useState<Tried>()
  return (
    <Shown answer={config}>
      {({ mail, sources }) => (
        <>
          <p>{mail.host === null ? <NoServer /> : `Mails are sent by ${mail.host}.`}</p>
          {tried && <Tested tried={tried} />}
          <div className="row">
            {mail.host !== null && (
              <Button tone="main" onClick={onDone}>
                Continue
              </Button>
            )}
            <Action
              operation={patchAdminConfig}
              part="mail"
              label="Set the mail server"
              tone={mail.host === null ? 'main' : 'plain'}
              labels={{ user: 'User name', from: 'Sender' }}
              initial={mail}
              isOffered={sources.mail.host !== 'ENVIRONMENT'}
              hasNewPassword={false}
              done="The mail server is set"
              onDone={() => setTried(undefined)}
            />
            {mail.host !== null && (
              <DirectAction
                operation={postAdminConfigTestSmtp}
                input={{}}
                label="Send me a test mail"
                done="The mail server was tried"
                onDone={setTried}
              />
            )}
            {mail.host === null && <Button onClick={onDone}>Later</Button>}
          </div>
        </>
      )}
    </Shown>
  )
}

/** An evaluation has no server, and keeps mails as files. */
function NoServer() {
  const { data } = useAnswer(getSettingsPublic)
  return data?.canMail
    ? 'No mail server is set. This installation keeps mails as files in the folder mailbox of its data.'
    : 'No mail server is set. Without one, accounts cannot be registered, and administrators hand over links themselves.'
}

const Tested = ({ tried: { sent, reason } }: { readonly tried: Tried }) => (
  <Notice tone={sent ? 'good' : 'bad'} isUrgent={!sent}>
    <p>{sent ? 'A test mail is on its way to your address.' : reason}</p>
  </Notice>
)
