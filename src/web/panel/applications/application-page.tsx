/** The frame of all pages of an application: its name, its parts, and what the person may do in its environment. */
import type { ReactNode } from 'react'
import { useParams } from 'wouter'
import type { Operation } from '#api-client/operation'
import { getApplicationsById, getApplicationsByIdEnv } from '#api-client/panel/applications'
import type { Application } from '#api-client/panel/schemas'
import { Loading, RecordPage } from '../../kit/page.tsx'
import { Tabs } from '../../kit/tabs.tsx'
import { useAnswer } from '../../session/context.tsx'
import { ProjectContext, useProjectCan } from '../projects/rights.tsx'
import type { ProjectCan } from '../projects/rights.tsx'

const PARTS: readonly { readonly at: string; readonly title: string; readonly needs?: Operation }[] = [
  { at: '', title: 'Overview' },
  { at: '/variables', title: 'Variables', needs: getApplicationsByIdEnv },
  { at: '/sets', title: 'Sets of variables', needs: getApplicationsByIdEnv },
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
              <Tabs label="Parts of the application" tabs={tabsOf(id, can)} />
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
  const can: ProjectCan = (operation) => canIn(operation, environmentId)
  return <ProjectContext value={{ id: projectId, can }}>{children(can)}</ProjectContext>
}

const tabsOf = (id: string, can: ProjectCan) =>
  PARTS.filter(({ needs }) => !needs || can(needs)).map(({ at, title }) => ({ to: `/applications/${id}${at}`, title }))
