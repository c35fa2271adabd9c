/** Moves an application to an environment of another project of the person. */
import { useState } from 'react'
import { postApplicationsByIdTransferProject } from '#api-client/panel/applications'
import { getProjects, getProjectsByIdEnvironments } from '#api-client/panel/projects'
import type { Application } from '#api-client/panel/schemas'
import { chosenIn, SelectInput } from '../../kit/select-input.tsx'
import { useList } from '../../session/context.tsx'
import { ProjectAction } from '../projects/rights.tsx'

export function MoveApplication({ of: { id, name, projectId, deploymentId } }: { readonly of: Application }) {
  const [chosen, choose] = useState('')
  const projects = useList(getProjects, {}).items.filter((each) => each.id !== projectId)
  return (
    <ProjectAction
      operation={postApplicationsByIdTransferProject}
      input={{ params: { id } }}
      label="Move to another project"
      title={`Move ${name}`}
      isOffered={projects.length > 0}
      about={
        <>
          <p>
            The rights of the other project hold from then on. Its address, variables, volumes and schedules go with it.
          </p>
          {deploymentId !== null && <p>It is restarted at once, to join the network there.</p>}
        </>
      }
      order={['projectId', 'environmentId']}
      inputs={{
        projectId: (value, change) => (
          <SelectInput
            label="Project"
            value={chosenIn(value)}
            options={projects.map(named)}
            onChange={(next) => {
              choose(next)
              change(next)
            }}
          />
        ),
        environmentId: (value, change) =>
          chosen === '' ? null : <EnvironmentOf key={chosen} id={chosen} value={chosenIn(value)} onChange={change} />,
      }}
      done="The application is moved"
    />
  )
}

interface EnvironmentOfProps {
  /** Of the project. */
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
}

function EnvironmentOf({ id, value, onChange }: EnvironmentOfProps) {
  const { items } = useList(getProjectsByIdEnvironments, { params: { id } })
  const isHere = items.some((each) => each.id === value)
  return <SelectInput label="Environment" value={isHere ? value : ''} options={items.map(named)} onChange={onChange} />
}

const named = ({ id, name }: { readonly id: string; readonly name: string }) => ({ value: id, label: name })
