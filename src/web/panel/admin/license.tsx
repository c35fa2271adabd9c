import { useState } from 'react'
import {
  getAdminLicense,
  postAdminLicense,
  postAdminLicenseRemove,
  postAdminLicenseRevalidate,
} from '#api-client/panel/license'
import { Action } from '../../kit/action.tsx'
import { Actions } from '../../kit/actions.tsx'
import { Empty, Fact, Facts, Notice, Part, State, Value } from '../../kit/controls.tsx'
import { RecordPage } from '../../kit/page.tsx'
import { SecretText } from '../../kit/reveal.tsx'
import { Time } from '../../kit/time.tsx'
import { labelOf, wordOf } from '../../kit/words.ts'
import { useAnswer } from '../../session/context.tsx'

const [BY_KEY, BY_FILE] = postAdminLicense.body!.anyOf!

export default function License() {
  const license = useAnswer(getAdminLicense)
  const [request, setRequest] = useState<string>()
  return (
    <RecordPage
      kind="License"
      answer={license}
      title={({ plan }) => `License: ${plan}`}
      state={({ status }) => <State of={status} />}
      actions={(data) => (
        <Actions
          more={
            <>
              <Action
                operation={{ ...postAdminLicense, body: BY_FILE! }}
                label="Lease file"
                about={<p>Paste the file that your account in the shop gave for this panel.</p>}
              />
              <Action
                operation={postAdminLicenseRemove}
                label="Remove"
                tone="bad"
                about={<p>The panel goes on with the free plan. What exists stays; limits apply to what is new.</p>}
                record={data}
              />
            </>
          }
        >
          <Action
            operation={{ ...postAdminLicense, body: BY_KEY! }}
            label={data.keyId ? 'Replace the key' : 'Enter a key'}
            about={<p>Offline: the panel asks nobody, and shows a request to carry to your account in the shop.</p>}
            onDone={({ offlineRequest }) => setRequest(offlineRequest)}
          />
          <Action
            operation={postAdminLicenseRevalidate}
            label="Check now"
            about={<p>The panel asks the licensing service whether the license holds. It also does so by itself.</p>}
            record={data}
            done="The licensing service was asked"
          />
        </Actions>
      )}
    >
      {(data) => (
        <>
          {data.refusal && (
            <Notice tone="warn">
              <p>
                <Time at={data.refusal.at} />: {data.refusal.message}
              </p>
            </Notice>
          )}
          {request && <SecretText label="Request of this panel" text={request} file="daybook-request.txt" />}
          <Facts>
            <Fact label="Key">{data.keyId}</Fact>
            {data.reason && <Fact label="Reason">{wordOf(data.reason)}</Fact>}
            <Fact label="Ends">
              <Time at={data.expiresAt} absent="never" />
            </Fact>
            {data.graceUntil && (
              <Fact label="Grace until">
                <Time at={data.graceUntil} />
              </Fact>
            )}
            <Fact label="Last contact">
              <Time at={data.lastContactAt} absent="none yet" />
            </Fact>
            <Fact label="Known from">{data.source && wordOf(data.source)}</Fact>
          </Facts>
          <Part title="Features">
            {Object.keys(data.features).length === 0 ? (
              <Empty>The plan names no feature.</Empty>
            ) : (
              <Facts>
                {Object.entries(data.features).map(([key, value]) => (
                  <Fact key={key} label={labelOf(key)}>
                    {value === -1 ? 'no limit' : <Value of={value} />}
                  </Fact>
                ))}
              </Facts>
            )}
          </Part>
        </>
      )}
    </RecordPage>
  )
}
