/** The frame of all pages of a project: its name, its parts, and what the person may do there. */
import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import type { DataOf, Operation } from '#api-client/operation'
import { getGitProviders } from '#api-client/panel/git-providers'
import {
  deleteProjectsById,
  deleteProjectsByIdMembersMe,
  getProjectsById,
  getProjectsByIdTeams,
  patchProjectsById,
} from '#api-client/panel/projects'
import { getRegistries } from '#api-client/panel/registries'
import { Loading, RecordPage } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectContext, useProjectCan } from './rights.tsx'
import type { ProjectCan } from './rights.tsx'

export type Project = DataOf<typeof getProjectsById>

interface ProjectPart {
  readonly at: string
  readonly title: string
  /** A person who may call none of these does not see the part; absent: all who see the project do. */
  readonly needs?: readonly Operation[]
}

const PARTS: readonly ProjectPart[] = [
  { at: '', title: 'Overview' },
  { at: '/applications', title: 'Applications' },
  { at: '/members', title: 'Members' },
  { at: '/roles', title: 'Roles' },
  { at: '/environments', title: 'Environments' },
  { at: '/variables', title: 'Shared variables' },
  { at: '/teams', title: 'Teams', needs: [getProjectsByIdTeams] },
  { at: '/registries', title: 'Registries', needs: [getRegistries] },
  { at: '/git-providers', title: 'Git providers', needs: [getGitProviders] },
  { at: '/danger', title: 'Danger', needs: [patchProjectsById, deleteProjectsByIdMembersMe, deleteProjectsById] },
]

interface ProjectPageProps {
  /** The operation that the page shows; a person who may not call it is told so. */
  readonly needs?: Operation
  readonly children: (project: Project) => ReactNode
}

export function ProjectPage({ needs, children }: ProjectPageProps) {
  const { id } = useParams<{ id: string }>()
  const project = useAnswer(getProjectsById, { params: { id } })
  const can = useProjectCan(id)
  return (
    <RecordPage
      kind="Project"
      parent={{ to: '/', title: 'Projects' }}
      answer={project}
      gone="This project is gone, or your access to it was taken."
      title={({ name }) => name}
    >
      {(data) =>
        can ? (
          <ProjectContext value={{ id, can }}>
            <Tabs label="Parts of the project" tabs={tabsOf(id, can)} />
            {needs === undefined || can(needs) ? (
              children(data)
            ) : (
              <p className="soft">Your role in this project does not include this.</p>
            )}
          </ProjectContext>
        ) : (
          <Loading />
        )
      }
    </RecordPage>
  )
}

const tabsOf = (id: string, can: ProjectCan) =>
  PARTS.filter(({ needs }) => !needs || needs.some((each) => can(each))).map(({ at, title }) => ({
    to: `/projects/${id}${at}`,
    title,
  }))
