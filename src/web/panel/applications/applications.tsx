/** Applications of one project, or of all projects of the person. */
import { Link } from 'wouter'
import { getApplications } from '#api-client/panel/applications'
import { getProjects } from '#api-client/panel/projects'
import type { Application } from '#api-client/panel/schemas'
import { Empty } from '../../kit/controls.tsx'
import { RecordTable } from '../../kit/table.tsx'
import { Time } from '../../kit/time.tsx'
import { useList } from '../../session/context.tsx'
import { useEnvironments } from '../projects/environments-choice.tsx'
import { NoApplication } from './no-application.tsx'
import { sourceLine } from './sources.ts'

const keyOf = ({ id }: Application) => id
const NAME = {
  label: 'Application',
  of: ({ id, name }: Application) => (
    <Link href={`/applications/${id}`} className="long">
      {name}
    </Link>
  ),
}
const OTHERS = [
  { label: 'Made from', of: ({ source }: Application) => <code className="long">{sourceLine(source)}</code> },
  { label: 'Containers', isNumber: true, of: ({ replicas }: Application) => replicas },
  { label: 'Created', of: ({ createdAt }: Application) => <Time at={createdAt} /> },
]

export function ProjectApplications({ projectId }: { readonly projectId: string }) {
  const environments = useEnvironments()
  const nameOf = (id: string) => environments.find((each) => each.id === id)?.name
  return (
    <RecordTable
      operation={getApplications}
      caption="Applications of the project"
      input={{ query: { projectId } }}
      keyOf={keyOf}
      columns={[NAME, { label: 'Environment', of: ({ environmentId }) => nameOf(environmentId) }, ...OTHERS]}
      empty={<NoApplication />}
    />
  )
}

export function AllApplications() {
  const { items: projects } = useList(getProjects, {})
  const nameOf = (id: string) => projects.find((each) => each.id === id)?.name ?? 'another project'
  return (
    <RecordTable
      operation={getApplications}
      caption="Applications"
      keyOf={keyOf}
      columns={[
        NAME,
        {
          label: 'Project',
          of: ({ projectId }) => (
            <Link href={`/projects/${projectId}/applications`} className="long">
              {nameOf(projectId)}
            </Link>
          ),
        },
        ...OTHERS,
      ]}
      empty={<Empty action={<Link href="/">See the projects</Link>}>Applications are made in their project.</Empty>}
    />
  )
}
