import { Link } from 'wouter'
import {
  deleteProjectsByIdEnvironmentsByEnvId,
  getProjectsByIdEnvironments,
  patchProjectsByIdEnvironmentsByEnvId,
  postProjectsByIdEnvironments,
} from '#api-client/panel/projects'
import { ButtonLink, Empty, Part } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { ProjectPage } from './project-page.tsx'
import { usePromotable } from './promotable.tsx'
import { ProjectAction } from './rights.tsx'

export default function ProjectEnvironments() {
  return <ProjectPage>{({ id }) => <Environments id={id} />}</ProjectPage>
}

function Environments({ id }: { readonly id: string }) {
  return (
    <Part
      title="Environments"
      actions={
        <ProjectAction
          operation={postProjectsByIdEnvironments}
          input={{ params: { id } }}
          label="New environment"
          tone="main"
          done="The environment is added"
        />
      }
    >
      <RecordTable
        operation={getProjectsByIdEnvironments}
        caption="Environments of the project"
        input={{ params: { id } }}
        keyOf={(environment) => environment.id}
        columns={[
          {
            label: 'Environment',
            of: ({ id: place, name }) => <Link href={`/projects/${id}/variables?environmentId=${place}`}>{name}</Link>,
          },
          { label: 'Created', of: ({ createdAt }) => <Time at={createdAt} /> },
          { label: 'Actions', of: (environment) => <Changes projectId={id} environment={environment} /> },
        ]}
        empty={<Empty>An environment, such as staging, has shared variables and members of its own.</Empty>}
      />
    </Part>
  )
}

interface ChangesProps {
  readonly projectId: string
  readonly environment: { readonly id: string; readonly name: string }
}

function Changes({ projectId, environment: { id, name } }: ChangesProps) {
  const input = { params: { id: projectId, envId: id } }
  const { from, to } = usePromotable()
  const canPromote = from.some((each) => each.id === id) && to.some((each) => each.id !== id)
  return (
    <div className="row">
      {canPromote && <ButtonLink to={`/projects/${projectId}/environments/promote?from=${id}`}>Promote</ButtonLink>}
      <ProjectAction
        operation={patchProjectsByIdEnvironmentsByEnvId}
        input={input}
        environmentId={id}
        label="Rename"
        title={`Rename ${name}`}
        initial={{ name }}
        done="The environment is renamed"
      />
      <ProjectAction
        operation={deleteProjectsByIdEnvironmentsByEnvId}
        input={input}
        environmentId={id}
        label="Delete"
        title={`Delete ${name}`}
        tone="bad"
        about={<p>Only an environment without shared variables can be deleted.</p>}
        done="The environment is deleted"
      />
    </div>
  )
}
