import { useParams } from 'wouter'
import { getApplicationsByIdEnvSetsBySetId, patchApplicationsByIdEnvSetsBySetId } from '#api-client/panel/applications'
import type { EnvSet, SetVariable } from '#api-client/panel/schemas'
import { Empty, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { ApplicationPage } from './application-page.tsx'
import { timeWords, variableInput } from './variable-input.tsx'

export default function OneSet() {
  const { id, setId } = useParams<{ id: string; setId: string }>()
  const answer = useAnswer(getApplicationsByIdEnvSetsBySetId, { params: { id, setId } })
  return (
    <ApplicationPage needs={getApplicationsByIdEnvSetsBySetId}>
      {() => <Shown answer={answer}>{(set) => <SetVariables id={id} of={set} />}</Shown>}
    </ApplicationPage>
  )
}

interface OfSet {
  /** Of the application. */
  readonly id: string
  readonly of: EnvSet
}

function SetVariables({ id, of: set }: OfSet) {
  const input = { params: { id, setId: set.id } }
  const change = { operation: patchApplicationsByIdEnvSetsBySetId, input }
  return (
    <Part
      title={set.isActive ? `${set.name}, the active set` : set.name}
      actions={
        <>
          <ProjectAction
            {...change}
            label="Rename"
            only={['name']}
            initial={{ name: set.name }}
            done="The set is renamed"
          />
          <ProjectAction
            {...change}
            label="Set a variable"
            tone="main"
            only={['set']}
            inputs={variableInput}
            done="The variable is set"
          />
        </>
      }
    >
      {set.variables.length === 0 ? (
        <Empty>The set has no variable yet.</Empty>
      ) : (
        <RowsTable
          rows={set.variables}
          caption="Variables of the set"
          keyOf={({ name }) => name}
          columns={[
            { label: 'Name', of: ({ name }) => <code>{name}</code> },
            { label: 'Value', of: ({ value }) => <code className="long">{value}</code> },
            { label: 'For', of: timeWords },
            { label: 'Actions', of: (variable) => <Changes id={id} of={set} variable={variable} /> },
          ]}
        />
      )}
    </Part>
  )
}

function Changes({ id, of: set, variable }: OfSet & { readonly variable: SetVariable }) {
  const change = { operation: patchApplicationsByIdEnvSetsBySetId, input: { params: { id, setId: set.id } } }
  return (
    <div className="row">
      <ProjectAction
        {...change}
        label="Change"
        title={`Change ${variable.name}`}
        only={['set']}
        initial={{ set: [variable] }}
        inputs={variableInput}
        done="The variable is changed"
      />
      <ProjectAction
        {...change}
        label="Remove"
        title={`Remove ${variable.name}`}
        tone="bad"
        only={[]}
        fixed={{ remove: [variable.name] }}
        done="The variable is removed"
      />
    </div>
  )
}
