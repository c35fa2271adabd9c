import { useLocation } from 'wouter'
import {
  deleteProjectsById,
  deleteProjectsByIdMembersMe,
  patchProjectsById,
  postProjectsByIdClaimOwnership,
  postProjectsByIdTransferOwnership,
} from '#api-client/panel/projects'
import { wouldChange } from '../../kit/offered.ts'
import { useCan } from '../../session/context.tsx'
import { Matter } from './matter.tsx'
import { ProjectPage } from './project-page.tsx'
import type { Project } from './project-page.tsx'
import { ProjectAction, useProject } from './rights.tsx'
import { Transfer } from './transfer.tsx'

export default function ProjectDanger() {
  return <ProjectPage>{(project) => <Danger project={project} />}</ProjectPage>
}

function Danger({ project }: { readonly project: Project }) {
  const { id, name, description } = project
  const input = { params: { id } }
  const [, go] = useLocation()
  const { can } = useProject()
  const mayClaim = useCan()(postProjectsByIdClaimOwnership) && wouldChange(postProjectsByIdClaimOwnership, project)
  const leave = (): void => go('/')
  return (
    <>
      {can(patchProjectsById) && (
        <Matter title="Name and description" about="Members see both.">
          <ProjectAction
            operation={patchProjectsById}
            input={input}
            label="Rename or describe"
            initial={{ name, description }}
            done="The project is changed"
          />
        </Matter>
      )}
      {can(postProjectsByIdTransferOwnership) && <Transfer id={id} />}
      {mayClaim && (
        <Matter title="Owner" about="This project has no owner.">
          <ProjectAction
            operation={postProjectsByIdClaimOwnership}
            input={input}
            record={project}
            label="Become the owner"
          />
        </Matter>
      )}
      {can(deleteProjectsByIdMembersMe) && (
        <Matter title="Your membership" about="You lose your role here. What teams give you stays.">
          <ProjectAction
            operation={deleteProjectsByIdMembersMe}
            input={input}
            label="Leave the project"
            tone="bad"
            done="You have left the project"
            onDone={leave}
          />
        </Matter>
      )}
      {can(deleteProjectsById) && (
        <Matter title="Delete" about="Its environments, shared variables and roles go with it, and never come back.">
          <ProjectAction
            operation={deleteProjectsById}
            input={input}
            label="Delete the project"
            tone="bad"
            about={<p>All members lose access at once. What the project held becomes unreadable for good.</p>}
            confirm={name}
            done="The project is deleted"
            onDone={leave}
          />
        </Matter>
      )}
    </>
  )
}
