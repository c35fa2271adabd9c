/** What a new application is given beside its configuration, so that it runs by the same form. */
import {
  patchApplicationsByIdEnv,
  patchApplicationsByIdFilesCompose,
  patchApplicationsByIdFilesDockerfile,
  postApplicationsByIdRedeploy,
} from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { useChange } from '../../session/context.tsx'
import type { ChoiceProps } from '../projects/environments-choice.tsx'
import { useProject } from '../projects/rights.tsx'
import { VariablesInput } from '../projects/variables-as-text.tsx'
import type { Variable } from '../projects/variables-text.ts'
import { isWritten } from './sources.ts'
import type { Source } from './sources.ts'
import { TextOfFile } from './text-file.tsx'

export interface FirstRelease {
  /** Of its Dockerfile or Compose file. */
  readonly text: string
  readonly variables: readonly Variable[]
  readonly isSecret: boolean
  readonly isDeployed: boolean
}

export const NEW_RELEASE: FirstRelease = { text: '', variables: [], isSecret: true, isDeployed: true }

interface FirstReleaseFieldsProps extends ChoiceProps<FirstRelease> {
  readonly kind: Source['kind']
  readonly environmentId: string | undefined
}

export function FirstReleaseFields({ kind, environmentId, value, onChange }: FirstReleaseFieldsProps) {
  const { can } = useProject()
  const mayDeploy = can(postApplicationsByIdRedeploy, environmentId)
  const change = (more: Partial<FirstRelease>): void => onChange({ ...value, ...more })
  return (
    <>
      {isWritten({ kind }) && (
        <TextOfFile
          label={kind === 'COMPOSE' ? 'Text of the Compose file' : 'Text of the Dockerfile'}
          value={value.text}
          onChange={(text) => change({ text })}
        />
      )}
      {can(patchApplicationsByIdEnv, environmentId) && (
        <>
          <VariablesInput value={value.variables} onChange={(variables) => change({ variables })} isOptional />
          {value.variables.length > 0 && (
            <Check label="Their values are secret" isOn={value.isSecret} set={(isSecret) => change({ isSecret })} />
          )}
        </>
      )}
      {mayDeploy && (
        <Check label="Deploy it at once" isOn={value.isDeployed} set={(isDeployed) => change({ isDeployed })} />
      )}
    </>
  )
}

interface CheckProps {
  readonly label: string
  readonly isOn: boolean
  readonly set: (isOn: boolean) => void
}

const Check = ({ label, isOn, set }: CheckProps) => (
  <div className="field">
    <label className="check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => set(target.checked)} />
      <span>{label}</span>
    </label>
  </div>
)

/**
 * Each step may be made again, so that what was refused can be mended.
 * @returns the path of what comes of it
 * @throws Refusal
 */
export function useFirstRelease(): (of: Application, first: FirstRelease) => Promise<string> {
  const { can } = useProject()
  const setDockerfile = useChange(patchApplicationsByIdFilesDockerfile)
  const setCompose = useChange(patchApplicationsByIdFilesCompose)
  const setVariables = useChange(patchApplicationsByIdEnv)
  const deploy = useChange(postApplicationsByIdRedeploy)
  return async ({ id, environmentId, source }, { text, variables, isSecret, isDeployed }) => {
    const params = { id }
    if (isWritten(source))
      await (source.kind === 'COMPOSE' ? setCompose : setDockerfile)({ params, body: { content: text } })
    const set = variables.map((each) => ({ ...each, secret: isSecret, when: 'RUN' as const }))
    if (set.length > 0) await setVariables({ params, body: { set } })
    if (!isDeployed || !can(postApplicationsByIdRedeploy, environmentId)) return `/applications/${id}`
    return `/applications/${id}/deployments/${(await deploy({ params, body: {} })).id}`
  }
}
