import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import {
  deleteProjectsById,
  deleteProjectsByIdMembersMe,
  getProjectsByIdMembers,
  patchProjectsById,
  postProjectsByIdClaimOwnership,
  postProjectsByIdTransferOwnership,
} from '#api-client/panel'
import { Part } from '../../kit/controls.tsx'
import { chosenIn, SelectInput } from '../../kit/select-input.tsx'
import { useAnswer, useCan } from '../../session/context.tsx'
import { personName } from './member-name.ts'
import { ProjectPage } from './project-page.tsx'
import type { Project } from './project-page.tsx'
import { ProjectAction, useProject } from './rights.tsx'

export default function ProjectDanger() {
  return <ProjectPage>{(project) => <Danger project={project} />}</ProjectPage>
}

function Danger({ project: { id, name, description, ownerId } }: { readonly project: Project }) {
  const input = { params: { id } }
  const [, go] = useLocation()
  const { can } = useProject()
  const mayClaim = useCan()(postProjectsByIdClaimOwnership) && ownerId === null
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
          <ProjectAction operation={postProjectsByIdClaimOwnership} input={input} label="Become the owner" />
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

interface MatterProps {
  readonly title: string
  readonly about: string
  readonly children: ReactNode
}

const Matter = ({ title, about, children }: MatterProps) => (
  <Part title={title} actions={children}>
    <p className="soft">{about}</p>
  </Part>
)

function Transfer({ id }: { readonly id: string }) {
  const { data } = useAnswer(getProjectsByIdMembers, { params: { id } })
  const members = (data && 'items' in data ? data.items : (data ?? [])).filter(
    ({ status, role }) => status === 'ACTIVE' && role !== 'OWNER',
  )
  return (
    <Matter
      title="Owner"
      about={
        members.length === 0
          ? 'Another member can become the owner. There is none yet.'
          : 'Another member becomes the owner; you stay as an admin.'
      }
    >
      <ProjectAction
        operation={postProjectsByIdTransferOwnership}
        input={{ params: { id } }}
        label="Transfer the project"
        isOffered={members.length > 0}
        inputs={{
          memberId: (value, change) => (
            <SelectInput
              label="New owner"
              value={chosenIn(value)}
              options={members.map((member) => ({ value: member.id, label: personName(member) }))}
              onChange={change}
            />
          ),
        }}
        done="The project is transferred"
      />
    </Matter>
  )
}
