/** One member: role, environments, and the permissions beyond the role. */
import { useLocation, useParams } from 'wouter'
import type { DataOf } from '#api-client/operation'
import {
  deleteProjectsByIdMembersByMemberId,
  getProjectsByIdMembers,
  getProjectsByIdMembersByMemberIdGrants,
  patchProjectsByIdMembersByMemberId,
  patchProjectsByIdMembersByMemberIdCustomRole,
} from '#api-client/panel/projects'
import { Fact, Facts, Part, State } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { PermissionList } from '../../kit/permissions.tsx'
import { useAccount, useAnswer } from '../../session/context.tsx'
import { environmentInput, EnvironmentNames } from './environments-choice.tsx'
import { MemberGrants } from './member-grants.tsx'
import { personName } from './member-name.ts'
import { ProjectPage } from './project-page.tsx'
import { ProjectAction, useProject } from './rights.tsx'
import { ownRoleInput, RoleName, useRoles } from './roles-choice.tsx'

type Grants = DataOf<typeof getProjectsByIdMembersByMemberIdGrants>

export default function ProjectMember() {
  return <ProjectPage>{() => <Member />}</ProjectPage>
}

function Member() {
  const params = useParams<{ id: string; memberId: string }>()
  const grants = useAnswer(getProjectsByIdMembersByMemberIdGrants, { params })
  const { data } = useAnswer(getProjectsByIdMembers, { params: { id: params.id } })
  const person = (data && 'items' in data ? data.items : data)?.find(({ id }) => id === params.memberId)
  const isOwn = useAccount().id === person?.userId
  return (
    <Shown answer={grants}>
      {(held) => (
        <>
          <Part
            title={person ? personName(person) : 'Member'}
            actions={!isOwn && <Changes params={params} held={held} name={person ? personName(person) : ''} />}
          >
            <Facts>
              <Fact label="E-mail address">{person?.email}</Fact>
              {person && (
                <Fact label="State">
                  <State of={person.status} />
                </Fact>
              )}
              <Fact label="Role">
                <RoleName role={held.role} roleId={held.roleId} />
              </Fact>
              <Fact label="Environments">
                <EnvironmentNames ids={held.environmentIds} />
              </Fact>
            </Facts>
          </Part>
          <Part title="Permissions beyond the role">
            <PermissionList of={held.permissions} />
          </Part>
        </>
      )}
    </Shown>
  )
}

interface ChangesProps {
  readonly params: { readonly id: string; readonly memberId: string }
  readonly held: Grants
  readonly name: string
}

function Changes({ params, held, name }: ChangesProps) {
  const [, go] = useLocation()
  const { can } = useProject()
  const hasOwnRoles = useRoles().length > 0
  // Only who may act as an ADMIN changes one.
  const isChangeable = held.role !== 'ADMIN' || can(patchProjectsByIdMembersByMemberIdCustomRole)
  const { environmentIds } = held
  return (
    <>
      <ProjectAction
        operation={patchProjectsByIdMembersByMemberId}
        input={{ params }}
        label="Change the role"
        initial={{ role: held.roleId === null ? held.role : undefined, environmentIds }}
        inputs={environmentInput}
        record={held}
        isOffered={isChangeable}
        done="The role is changed"
      />
      <ProjectAction
        operation={patchProjectsByIdMembersByMemberIdCustomRole}
        input={{ params }}
        label="Give an own role"
        title="Give a role of this project"
        record={held}
        isOffered={isChangeable && hasOwnRoles}
        initial={{ roleId: held.roleId }}
        inputs={ownRoleInput}
        done="The role is changed"
      />
      <MemberGrants params={params} held={held} isOffered={isChangeable} />
      <ProjectAction
        operation={deleteProjectsByIdMembersByMemberId}
        input={{ params }}
        label="Remove"
        title={`Remove ${name}`}
        tone="bad"
        about={<p>What teams give the person in this project stays.</p>}
        record={held}
        isOffered={isChangeable}
        done="The member is removed"
        onDone={() => go(`/projects/${params.id}/members`)}
      />
    </>
  )
}
