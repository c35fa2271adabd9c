import { getApplicationsByIdEnv, patchApplicationsByIdEnv } from '#api-client/panel/applications'
import type { ApplicationVariable } from '#api-client/panel/schemas'
import { Empty, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { ApplicationPage } from './application-page.tsx'
import { timeWords, variableInput } from './variable-input.tsx'

export default function ApplicationVariables() {
  return <ApplicationPage needs={getApplicationsByIdEnv}>{({ id }) => <Variables id={id} />}</ApplicationPage>
}

function Variables({ id }: { readonly id: string }) {
  const answer = useAnswer(getApplicationsByIdEnv, { params: { id } })
  return (
    <Part
      title="Variables"
      actions={
        <ProjectAction
          operation={patchApplicationsByIdEnv}
          input={{ params: { id } }}
          label="Set a variable"
          tone="main"
          only={['set']}
          inputs={variableInput}
          done="The variable is set"
        />
      }
    >
      <Shown answer={answer}>{(variables) => <VariableTable id={id} of={variables} />}</Shown>
    </Part>
  )
}

const SOURCES: Readonly<Record<ApplicationVariable['source'], string>> = {
  PROJECT: 'the project',
  ENVIRONMENT: 'its environment',
  APPLICATION: 'the application',
  SET: 'its active set',
}

interface VariableTableProps {
  readonly id: string
  readonly of: readonly ApplicationVariable[]
}

function VariableTable({ id, of }: VariableTableProps) {
  if (of.length === 0)
    return <Empty>Shared variables of the project and of the environment stand here too, beside its own.</Empty>
  return (
    <RowsTable
      rows={of}
      caption="Variables of the application"
      keyOf={({ name, source }) => `${source} ${name}`}
      columns={[
        { label: 'Name', of: ({ name }) => <code>{name}</code> },
        {
          label: 'Value',
          of: ({ value, inEffect }) => <code className={inEffect ? 'long' : 'long soft'}>{value}</code>,
        },
        { label: 'Set by', of: ({ source }) => SOURCES[source] },
        { label: 'In effect', of: ({ inEffect }) => (inEffect ? 'yes' : 'no: another one replaces it') },
        { label: 'For', of: timeWords },
        { label: 'Actions', of: (variable) => variable.source === 'APPLICATION' && <Changes id={id} of={variable} /> },
      ]}
    />
  )
}

function Changes({ id, of: { name, value, secret, when } }: { readonly id: string; readonly of: ApplicationVariable }) {
  return (
    <div className="row">
      <ProjectAction
        operation={patchApplicationsByIdEnv}
        input={{ params: { id } }}
        label="Change"
        title={`Change ${name}`}
        only={['set']}
        initial={{ set: [{ name, value, secret, when }] }}
        inputs={variableInput}
        done="The variable is changed"
      />
      <ProjectAction
        operation={patchApplicationsByIdEnv}
        input={{ params: { id } }}
        label="Remove"
        title={`Remove ${name}`}
        tone="bad"
        only={[]}
        fixed={{ remove: [name] }}
        done="The variable is removed"
      />
    </div>
  )
}
