import { getApplicationsByIdEnv, postApplicationsByIdDuplicate } from '#api-client/panel/applications'
import { postProjectsByIdEnvironmentsByEnvIdPromoteToByDstEnvId as promote } from '#api-client/panel/projects'
import type { Application, Promotion } from '#api-client/panel/schemas'
import { PreviewedAction } from '../../kit/previewed-action.tsx'
import type { ChoiceProps, Inputs } from './environments-choice.tsx'
import { Promotions } from './promotions.tsx'
import { useProject } from './rights.tsx'

interface Place {
  readonly id: string
  readonly name: string
}

interface PromoteActionProps {
  readonly projectId: string
  readonly from: Place
  readonly to: Place
  /** Of the project. */
  readonly applications: readonly Application[]
  readonly onDone: (promoted: readonly Promotion[]) => void
}

export function PromoteAction({ projectId, from, to, applications, onDone }: PromoteActionProps) {
  const input = { params: { id: projectId, envId: from.id, dstEnvId: to.id } }
  const { can } = useProject()
  // A copy has the variables of its source.
  const mayCopy = can(getApplicationsByIdEnv, from.id) && can(postApplicationsByIdDuplicate, to.id)
  const own = applications.filter(({ environmentId }) => environmentId === from.id)
  return (
    <PreviewedAction
      operation={promote}
      input={input}
      label="Promote"
      title={`Promote ${from.name} to ${to.name}`}
      done="The promotion is asked for"
      onDone={onDone}
      preview={{
        operation: promote,
        input,
        fixed: { dryRun: true, ...(!mayCopy && { create: false }) },
        order: ['applicationIds', 'create'],
        labels: { create: 'Copy what the other environment lacks' },
        inputs: applicationsInput(own),
      }}
      shown={(promoted) => <Promotions of={promoted} applications={applications} to={to.name} />}
      promised={() => ({ dryRun: false })}
    />
  )
}

const applicationsInput = (own: readonly Application[]): Inputs => ({
  applicationIds: (value, change) => (
    <Choice of={own} value={(value as readonly string[] | undefined) ?? own.map(({ id }) => id)} onChange={change} />
  ),
})

interface ApplicationsProps extends ChoiceProps<readonly string[]> {
  readonly of: readonly Application[]
}

function Choice({ of, value, onChange }: ApplicationsProps) {
  if (of.length === 0) return <p className="soft">The environment has no application.</p>
  return (
    <fieldset className="field">
      <legend>Applications</legend>
      <div className="checks">
        {of.map(({ id, name }, nth) => (
          <label key={id} className="check">
            <input
              ref={
                nth === 0 ? (first) => first?.setCustomValidity(value.length === 0 ? 'Choose at least one.' : '') : null
              }
              type="checkbox"
              checked={value.includes(id)}
              onChange={({ target }) =>
                onChange(target.checked ? [...value, id] : value.filter((other) => other !== id))
              }
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
