/** A copy of an application in an environment of the same project. */
import { useLocation } from 'wouter'
import { postApplicationsByIdDuplicate } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { chosenIn, SelectInput } from '../../kit/select-input.tsx'
import { useEnvironments } from '../projects/environments-choice.tsx'
import { ProjectAction, useProject } from '../projects/rights.tsx'

export function DuplicateApplication({ of: { id, name, environmentId } }: { readonly of: Application }) {
  const [, go] = useLocation()
  const { can } = useProject()
  const environments = useEnvironments().filter((each) => can(postApplicationsByIdDuplicate, each.id))
  return (
    <ProjectAction
      operation={postApplicationsByIdDuplicate}
      input={{ params: { id } }}
      label="Duplicate"
      title={`Duplicate ${name}`}
      about={
        <p>
          The copy has the configuration, the variables with their sets, and the files. It has an address of its own and
          no ports, and nothing of it runs until it is deployed.
        </p>
      }
      order={['name', 'environmentId', 'copyData', 'pause']}
      initial={{ environmentId }}
      labels={{ copyData: 'Copy what is in its volumes', pause: 'Its containers stand still meanwhile' }}
      inputs={{
        environmentId: (value, change) => (
          <SelectInput
            label="Environment"
            value={chosenIn(value)}
            options={environments.map((each) => ({ value: each.id, label: each.name }))}
            onChange={change}
          />
        ),
      }}
      done="The copy is made"
      onDone={(copy) => go(`/applications/${copy.id}`)}
    />
  )
}
