import { Link } from 'wouter'
import {
  deleteApplicationsByIdEnvSetsBySetId,
  getApplicationsByIdEnvSets,
  postApplicationsByIdEnvSets,
  postApplicationsByIdEnvSetsBySetIdActivate,
} from '#api-client/panel/applications'
import type { EnvSetEntry } from '#api-client/panel/schemas'
import { Empty, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { ApplicationPage } from './application-page.tsx'

export default function ApplicationSets() {
  return <ApplicationPage needs={getApplicationsByIdEnvSets}>{({ id }) => <Sets id={id} />}</ApplicationPage>
}

function Sets({ id }: { readonly id: string }) {
  const answer = useAnswer(getApplicationsByIdEnvSets, { params: { id } })
  return (
    <Part
      title="Sets of variables"
      actions={
        <ProjectAction
          operation={postApplicationsByIdEnvSets}
          input={{ params: { id } }}
          label="New set"
          tone="main"
          only={['name']}
          done="The set is added"
        />
      }
    >
      <Shown answer={answer}>{(sets) => <SetTable id={id} of={sets} />}</Shown>
    </Part>
  )
}

function SetTable({ id, of }: { readonly id: string; readonly of: readonly EnvSetEntry[] }) {
  if (of.length === 0)
    return <Empty>The variables of the active set replace those of the same names, such as for a trial.</Empty>
  return (
    <RowsTable
      rows={of}
      caption="Sets of variables of the application"
      keyOf={(set) => set.id}
      columns={[
        {
          label: 'Set',
          of: (set) => (
            <Link href={`/applications/${id}/sets/${set.id}`} className="long">
              {set.name}
            </Link>
          ),
        },
        { label: 'Variables', isNumber: true, of: ({ variables }) => variables },
        { label: 'Active', of: ({ isActive }) => (isActive ? 'yes' : 'no') },
        { label: 'Actions', of: (set) => <SetActions id={id} of={set} /> },
      ]}
    />
  )
}

function SetActions({ id, of: set }: { readonly id: string; readonly of: EnvSetEntry }) {
  const input = { params: { id, setId: set.id } }
  return (
    <div className="row">
      <ProjectAction
        operation={postApplicationsByIdEnvSetsBySetIdActivate}
        input={input}
        record={set}
        label="Activate"
        title={`Activate ${set.name}`}
        done="The set is the active one"
      />
      <ProjectAction
        operation={deleteApplicationsByIdEnvSetsBySetId}
        input={input}
        record={set}
        label="Delete"
        title={`Delete ${set.name}`}
        tone="bad"
        about={<p>Its variables are deleted too.</p>}
        done="The set is deleted"
      />
    </div>
  )
}
