/** The frame of all pages of an application: its name, its parts, and what the person may do in its environment. */
import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import type { Operation } from '#api-client/operation'
import {
  getApplicationsById,
  getApplicationsByIdDeployments,
  getApplicationsByIdEnv,
  getApplicationsByIdFilesDockerfile,
  getApplicationsByIdPreviews,
  getApplicationsByIdLogs,
  getApplicationsByIdStatsLive,
  getApplicationsByIdWebhook,
  postApplicationsByIdExec,
} from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { Loading, RecordPage } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectContext, useProjectCan } from '../projects/rights.tsx'
import type { ProjectCan } from '../projects/rights.tsx'
import { PendingChanges } from './pending-changes.tsx'

interface PagePart {
  readonly at: string
  readonly title: string
  readonly needs?: Operation
  /** Default: of every source. */
  readonly isOf?: (source: Application['source']) => boolean
}

const PARTS: readonly PagePart[] = [
  { at: '', title: 'Overview' },
  { at: '/deployments', title: 'Deployments', needs: getApplicationsByIdDeployments },
  { at: '/logs', title: 'Logs', needs: getApplicationsByIdLogs },
  { at: '/containers', title: 'Containers', needs: getApplicationsByIdStatsLive },
  { at: '/command', title: 'Run a command', needs: postApplicationsByIdExec },
  { at: '/variables', title: 'Variables', needs: getApplicationsByIdEnv },
  { at: '/sets', title: 'Sets of variables', needs: getApplicationsByIdEnv },
  {
    at: '/files',
    title: 'Files',
    needs: getApplicationsByIdFilesDockerfile,
    isOf: ({ kind }) => kind !== 'IMAGE',
  },
  { at: '/webhook', title: 'Webhook', needs: getApplicationsByIdWebhook, isOf: ({ kind }) => kind === 'GIT' },
  { at: '/previews', title: 'Previews', needs: getApplicationsByIdPreviews, isOf: ({ kind }) => kind === 'GIT' },
  { at: '/schedules', title: 'Schedules', needs: getApplicationsByIdDeployments },
]

interface ApplicationPageProps {
  /** The operation that the page shows; a person who may not call it is told so. */
  readonly needs?: Operation
  readonly children: (application: Application) => ReactNode
}

export function ApplicationPage({ needs, children }: ApplicationPageProps) {
  const { id } = useParams<{ id: string }>()
  const application = useAnswer(getApplicationsById, { params: { id } })
  return (
    <RecordPage
      kind="Application"
      parent={{ to: '/applications', title: 'Applications' }}
      answer={application}
      gone="This application is gone, or your access to it was taken."
      title={({ name }) => name}
    >
      {(data) => (
        <InEnvironment of={data}>
          {(can) => (
            <>
              <Tabs label="Parts of the application" tabs={tabsOf(data, can)} />
              <PendingChanges of={data} />
              {needs === undefined || can(needs) ? (
                children(data)
              ) : (
                <p className="soft">Your role in this environment does not include this.</p>
              )}
            </>
          )}
        </InEnvironment>
      )}
    </RecordPage>
  )
}

interface InEnvironmentProps {
  readonly of: Application
  readonly children: (can: ProjectCan) => ReactNode
}

/** All that is offered below asks for rights in the environment of the application. */
function InEnvironment({ of: { projectId, environmentId }, children }: InEnvironmentProps) {
  const canIn = useProjectCan(projectId)
  if (!canIn) return <Loading />
  const can: ProjectCan = (operation, environment = environmentId) => canIn(operation, environment)
  return <ProjectContext value={{ id: projectId, can }}>{children(can)}</ProjectContext>
}

const tabsOf = ({ id, source }: Application, can: ProjectCan) =>
  PARTS.filter(({ needs, isOf }) => (!needs || can(needs)) && (isOf?.(source) ?? true)).map(({ at, title }) => ({
    to: `/applications/${id}${at}`,
    title,
  }))
