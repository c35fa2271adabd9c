/** What runs with values of shared variables that have changed since. */
import { Link } from 'wouter'
import { getApplications, postApplicationsByIdRestart } from '#api-client/panel/applications'
import { getProjectsByIdSharedEnvStale } from '#api-client/panel/projects'
import type { StaleSharedEnv } from '#api-client/panel/schemas'
import { Part } from '../../kit/controls.tsx'
import { RowsTable } from '../../kit/rows-table.tsx'
import { Time } from '../../kit/time.tsx'
import { useAnswerIf, useList } from '../../session/context.tsx'
import { ProjectAction } from './rights.tsx'

/** Nothing where all that runs has the values of now, and for those who see no application. */
export function StaleVariables({ projectId }: { readonly projectId: string }) {
  const { data } = useAnswerIf(true, getProjectsByIdSharedEnvStale, { params: { id: projectId } })
  return data && data.length > 0 ? <Stale projectId={projectId} of={data} /> : null
}

interface StaleProps {
  readonly projectId: string
  readonly of: readonly StaleSharedEnv[]
}

function Stale({ projectId, of }: StaleProps) {
  const { items } = useList(getApplications, { query: { projectId } })
  const applicationOf = ({ applicationId }: StaleSharedEnv) => items.find(({ id }) => id === applicationId)
  return (
    <Part title="What runs with older values">
      <RowsTable
        rows={of}
        caption="What runs with older values"
        keyOf={({ applicationId }) => applicationId}
        columns={[
          {
            label: 'Application',
            of: (each) => (
              <Link href={`/applications/${each.applicationId}`} className="long">
                {applicationOf(each)?.name ?? each.applicationId}
              </Link>
            ),
          },
          { label: 'Changed since', of: ({ names }) => <code className="long">{names.join(', ')}</code> },
          { label: 'Runs since', of: ({ since }) => <Time at={since} /> },
          {
            label: 'Actions',
            of: (each) => (
              <ProjectAction
                operation={postApplicationsByIdRestart}
                input={{ params: { id: each.applicationId } }}
                environmentId={applicationOf(each)?.environmentId ?? null}
                label="Restart"
                title={`Restart ${applicationOf(each)?.name ?? 'the application'}`}
                about={
                  <p>New containers of the same images take the place of the present ones, with the values of now.</p>
                }
                done="The restart is asked for: it is gone from here when its new containers run"
              />
            ),
          },
        ]}
      />
    </Part>
  )
}
