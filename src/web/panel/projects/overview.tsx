import {
  getProjectsByIdMembers,
  getProjectsByIdMyPermissions,
  getProjectsByIdMyRole,
  getProjectsByIdUsage,
} from '#api-client/panel/projects'
import { ButtonLink, Fact, Facts, Figures, Part } from '../../kit/controls.tsx'
import { Shown } from '../../kit/page.tsx'
import { PermissionList } from '../../kit/permissions.tsx'
import { Time } from '../../kit/time.tsx'
import { labelOf, wordOf } from '../../kit/words.ts'
import { useAccount, useAnswer } from '../../session/context.tsx'
import { DuplicateProject } from './duplicate-project.tsx'
import { EnvironmentNames } from './environments-choice.tsx'
import { personName } from './member-name.ts'
import { ProjectPage } from './project-page.tsx'
import type { Project } from './project-page.tsx'
import { Quota } from './quota.tsx'
import { RoleName } from './roles-choice.tsx'
import { ProjectServers } from './servers.tsx'

export default function ProjectOverview() {
  return (
    <ProjectPage>
      {(project) => (
        <>
          <Usage id={project.id} />
          <div className="columns">
            <div className="stack">
              <About project={project} />
              <Quota id={project.id} />
            </div>
            <OwnRights id={project.id} />
          </div>
          <ProjectServers id={project.id} />
        </>
      )}
    </ProjectPage>
  )
}

function About({ project }: { readonly project: Project }) {
  const { id, description, ownerId, createdAt } = project
  const { data } = useAnswer(getProjectsByIdMembers, { params: { id } })
  const account = useAccount()
  const owner = (data && 'items' in data ? data.items : data)?.find(({ userId }) => userId === ownerId)
  return (
    <Part title="Project" actions={<DuplicateProject of={project} />}>
      <Facts>
        <Fact label="Description">{description}</Fact>
        <Fact label="Owner">
          {ownerId === null ? 'none' : ownerId === account.id ? 'you' : owner && personName(owner)}
        </Fact>
        <Fact label="Created">
          <Time at={createdAt} />
        </Fact>
      </Facts>
    </Part>
  )
}

function Usage({ id }: { readonly id: string }) {
  const usage = useAnswer(getProjectsByIdUsage, { params: { id } })
  return (
    <Part title="Usage" actions={<ButtonLink to={`/projects/${id}/usage`}>See each day</ButtonLink>}>
      <Shown answer={usage}>
        {(data) => (
          <Figures>
            {Object.entries(data).map(([name, count]) => (
              <div key={name}>
                <dt>{labelOf(name)}</dt>
                <dd>{count}</dd>
              </div>
            ))}
          </Figures>
        )}
      </Shown>
    </Part>
  )
}

function OwnRights({ id }: { readonly id: string }) {
  const role = useAnswer(getProjectsByIdMyRole, { params: { id } })
  const permissions = useAnswer(getProjectsByIdMyPermissions, { params: { id } })
  return (
    <Part title="What you may do">
      <Shown answer={role}>
        {({ role: own, roleId, environmentIds, platform }) => (
          <Facts>
            <Fact label="Your role">
              <RoleName role={own} roleId={roleId} />
            </Fact>
            {environmentIds && (
              <Fact label="In environments">
                <EnvironmentNames ids={environmentIds} />
              </Fact>
            )}
            {platform && <Fact label="By your account">{wordOf(platform)} of every project</Fact>}
          </Facts>
        )}
      </Shown>
      <Shown answer={permissions}>
        {(data) => (
          <>
            {data.environments.length > 0 && <h3>In the whole project</h3>}
            <PermissionList of={data.permissions} />
            {data.environments.map(({ environmentId, permissions: more }) => (
              <div key={environmentId}>
                <h3>
                  Also in <EnvironmentNames ids={[environmentId]} />
                </h3>
                <PermissionList of={more} />
              </div>
            ))}
          </>
        )}
      </Shown>
    </Part>
  )
}
