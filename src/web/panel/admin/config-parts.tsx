import { useState } from 'react'
import type { DataOf } from '#api-client/operation'
import { getAdminConfig, patchAdminConfig, postAdminConfigTestSmtp } from '#api-client/panel/config'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Notice, Part, Value } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { labelOf, wordOf } from '../../kit/words.ts'
import { useAnswerIf, useCan } from '../../session/context.tsx'

type Config = DataOf<typeof getAdminConfig>
type Group = 'mail' | 'urls' | 'retention'

const TITLES: Readonly<Record<Group, string>> = { mail: 'Mail server', urls: 'Addresses', retention: 'Kept for' }

/** The configuration by its parts, each value with where it comes from. */
export function ConfigParts() {
  const can = useCan()
  const config = useAnswerIf(true, getAdminConfig, {})
  if (!can(getAdminConfig)) return null
  return (
    <Shown answer={config}>
      {(data) => (
        <>
          <ConfigPart config={data} group="mail" />
          <TestMail />
          <ConfigPart config={data} group="urls" />
          <ConfigPart config={data} group="retention" />
        </>
      )}
    </Shown>
  )
}

/** Who has set a value. */
const SOURCES: Readonly<Record<string, string>> = {
  ENVIRONMENT: 'by the environment',
  ADMIN: 'by an administrator',
  USUAL: 'default',
}

function ConfigPart({ config, group }: { readonly config: Config; readonly group: Group }) {
  const values: Readonly<Record<string, unknown>> = config[group]
  const sources: Readonly<Record<string, string>> = config.sources[group]
  return (
    <Part
      title={TITLES[group]}
      actions={
        <Action
          key={JSON.stringify(values)}
          operation={patchAdminConfig}
          part={group}
          initial={values}
          label="Change"
          title={TITLES[group]}
          about={<p>A value that the environment sets stays as it is. Empty: the default.</p>}
          done="The configuration is changed"
          hasNewPassword={false}
        />
      }
    >
      <Facts>
        {Object.entries(values).map(([name, value]) => (
          <Fact key={name} label={labelOf(name)}>
            <Value of={value} /> <span className="soft small">{SOURCES[sources[name] ?? '']}</span>
          </Fact>
        ))}
      </Facts>
    </Part>
  )
}

function TestMail() {
  const [answer, setAnswer] = useState<DataOf<typeof postAdminConfigTestSmtp>>()
  return (
    <>
      <div>
        <Action
          operation={postAdminConfigTestSmtp}
          label="Send a test mail"
          about={<p>It goes to your own address.</p>}
          done="The mail server was asked"
          onDone={setAnswer}
        />
      </div>
      {answer && (
        <Notice tone={answer.sent ? 'good' : 'bad'} isUrgent>
          <p>{answer.sent ? 'The mail was accepted.' : `${wordOf(answer.step ?? 'FAILED')}: ${answer.reason ?? ''}`}</p>
        </Notice>
      )}
    </>
  )
}
