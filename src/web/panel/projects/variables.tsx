import { useId, useState } from 'react'
import { useSearchParams } from 'wouter'
import { deleteProjectsByIdSharedEnvByRowId, getProjectsByIdSharedEnv } from '#api-client/panel/projects'
import { Button, Empty, Part } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useEnvironments } from './environments-choice.tsx'
import { ProjectPage } from './project-page.tsx'
import { ProjectAction } from './rights.tsx'
import { StaleVariables } from './stale-variables.tsx'
import { VariablesAsText } from './variables-as-text.tsx'

export default function ProjectVariables() {
  return (
    <ProjectPage>
      {({ id }) => (
        <>
          <Variables projectId={id} />
          <StaleVariables projectId={id} />
        </>
      )}
    </ProjectPage>
  )
}

function Variables({ projectId }: { readonly projectId: string }) {
  const [search] = useSearchParams()
  const [isShown, setShown] = useState(false)
  const environmentId = search.get('environmentId') ?? undefined
  const input = { params: { id: projectId }, query: { environmentId } }
  return (
    <Part
      title="Shared variables"
      actions={
        <>
          <Button aria-pressed={isShown} onClick={() => setShown(!isShown)}>
            {isShown ? 'Hide the values' : 'Show the values'}
          </Button>
          <VariablesAsText key={environmentId} input={input} />
        </>
      }
    >
      <PlaceFilter />
      <RecordTable
        key={environmentId}
        operation={getProjectsByIdSharedEnv}
        caption="Shared variables"
        input={input}
        keyOf={({ id }) => id}
        columns={[
          { label: 'Name', of: ({ name }) => <code>{name}</code> },
          { label: 'Value', of: (variable) => <VariableValue variable={variable} isShown={isShown} /> },
          { label: 'Changed', of: ({ updatedAt }) => <Time at={updatedAt} /> },
          {
            label: 'Actions',
            of: ({ id, name, environmentId: place }) => (
              <ProjectAction
                operation={deleteProjectsByIdSharedEnvByRowId}
                input={{ params: { id: projectId, rowId: id } }}
                environmentId={place}
                label="Delete"
                title={`Delete ${name}`}
                tone="bad"
                done="The variable is deleted"
              />
            ),
          },
        ]}
        empty={<Empty>Variables that all parts of the project share, such as the address of a service.</Empty>}
      />
    </Part>
  )
}

/** The service masks what the person may not read; the page masks the rest until it is asked for. */
function VariableValue({ variable: { value, masked }, isShown }: VariableValueProps) {
  if (masked) return <span className="soft">{value} (not yours to read)</span>
  return isShown ? <code>{value}</code> : <span className="soft">hidden</span>
}

interface VariableValueProps {
  readonly variable: { readonly value: string; readonly masked: boolean }
  readonly isShown: boolean
}

function PlaceFilter() {
  const [search, setSearch] = useSearchParams()
  const id = useId()
  return (
    <search className="filters">
      <div className="field">
        <label htmlFor={id}>Where</label>
        <select
          id={id}
          className="input"
          value={search.get('environmentId') ?? ''}
          onChange={({ target }) => setSearch(target.value === '' ? {} : { environmentId: target.value })}
        >
          <option value="">All environments</option>
          {useEnvironments().map(({ id: place, name }) => (
            <option key={place} value={place}>
              {name}
            </option>
          ))}
        </select>
      </div>
    </search>
  )
}
