/** A new application of a project, from its source to what runs. */
import { useImperativeHandle, useRef, useState } from 'react'
import type { ComponentProps, Ref } from 'react'
import { useLocation } from 'wouter'
import { postApplications } from '#api-client/panel/applications'
import { getServersMine } from '#api-client/panel/servers'
import { Action } from '../../kit/action.tsx'
import { chosenIn, SelectInput } from '../../kit/select-input.tsx'
import { useUnsaved } from '../../kit/unsaved.ts'
import { useList } from '../../session/context.tsx'
import { useEnvironments } from '../projects/environments-choice.tsx'
import type { Inputs } from '../projects/environments-choice.tsx'
import { useProject } from '../projects/rights.tsx'
import { FirstReleaseFields, NEW_RELEASE, useFirstRelease } from './first-release.tsx'
import { AMOUNTS } from './labels.ts'
import { RefusedRelease } from './refused-release.tsx'
import { sourceInput } from './source-input.tsx'
import type { Source } from './sources.ts'
import { volumeInput } from './volume-input.tsx'

const FIELDS = ['name', 'environmentId', 'serverId', 'source', 'port', 'replicas', 'memoryMiB', 'cpuMillis', 'volumes']

export function CreateApplication() {
  const [, go] = useLocation()
  const [first, setFirst] = useState(NEW_RELEASE)
  const [refused, setRefused] = useState<ComponentProps<typeof RefusedRelease>>()
  const release = useFirstRelease()
  const forget = useRef<() => void>(null)
  const { id: projectId, can } = useProject()
  const environments = useEnvironments().filter(({ id }) => can(postApplications, id))
  const { items: servers } = useList(getServersMine, {})
  return (
    <>
      <Action
        operation={postApplications}
        label="New application"
        tone="main"
        isOffered={environments.length > 0 && servers.length > 0}
        about={<p>What it may use is reserved on its server. It can be changed later, and so can all but its place.</p>}
        only={FIELDS}
        order={FIELDS}
        required={['serverId']}
        fixed={{ projectId }}
        initial={{ environmentId: environments[0]?.id, serverId: servers[0]?.id }}
        labels={AMOUNTS}
        inputs={{
          ...sourceInput(),
          ...volumeInput,
          environmentId: choiceOf('Environment', environments),
          serverId: choiceOf('Server', servers),
        }}
        extra={({ source, environmentId = environments[0]?.id }) => (
          <Extra
            forget={forget}
            kind={(source as Source | undefined)?.kind ?? 'IMAGE'}
            environmentId={chosenIn(environmentId)}
            value={first}
            onChange={setFirst}
          />
        )}
        done="The application is created"
        onDone={(made) => {
          forget.current?.()
          release(made, first).then(go, (why: Error) => setRefused({ of: made, first, why }))
          setFirst(NEW_RELEASE)
        }}
      />
      {refused && <RefusedRelease {...refused} />}
    </>
  )
}

interface ExtraProps extends ComponentProps<typeof FirstReleaseFields> {
  /** Takes what was typed as sent. */
  readonly forget: Ref<() => void>
}

/** It is asked before what was typed here is lost, too. */
function Extra({ forget, ...fields }: ExtraProps) {
  const forgetUnsaved = useUnsaved(fields.value !== NEW_RELEASE)
  useImperativeHandle(forget, () => forgetUnsaved, [forgetUnsaved])
  return <FirstReleaseFields {...fields} />
}

const choiceOf =
  (label: string, of: readonly Named[]): Inputs[string] =>
  (value, change) => <SelectInput label={label} value={chosenIn(value)} options={of.map(named)} onChange={change} />

interface Named {
  readonly id: string
  readonly name: string
}

const named = ({ id, name }: Named) => ({ value: id, label: name })
