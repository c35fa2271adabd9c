/** In place of a list of applications: what is missing first, and where it is made. */
import { Link } from 'wouter'
import { postApplications } from '#api-client/panel/applications'
import { getServersMine } from '#api-client/panel/servers'
import { Empty } from '../../kit/controls.tsx'
import { useList } from '../../session/context.tsx'
import { useEnvironments } from '../projects/environments-choice.tsx'
import { useProject } from '../projects/rights.tsx'

export function NoApplication() {
  const { id, can } = useProject()
  const environments = useEnvironments()
  const { items: servers, isLoading } = useList(getServersMine, {})
  if (environments.length === 0)
    return (
      <Empty action={<Link href={`/projects/${id}/environments`}>Add an environment</Link>}>
        An application belongs to an environment, and the project has none.
      </Empty>
    )
  if (servers.length === 0 && !isLoading)
    return (
      <Empty action={<Link href="/servers">See the servers</Link>}>
        An application needs a server, and none is open to you.
      </Empty>
    )
  return (
    <Empty>
      {environments.some((each) => can(postApplications, each.id))
        ? 'An application is made from an image or a repository. It says what its containers may use, and the variables that they get.'
        : 'There is no application that you may see.'}
    </Empty>
  )
}
