/** What a person can do with what runs: each says what follows from it, and leads to its deployment. */
import { useLocation } from 'wouter'
import {
  postApplicationsByIdRestart,
  postApplicationsByIdStart,
  postApplicationsByIdStop,
} from '#api-client/panel/applications'
import type { Application, Deployment } from '#api-client/panel/schemas'
import { Actions } from '../../kit/actions.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { Deploy } from './deploy.tsx'
import { isSuccessful } from './deployment-words.ts'
import { useNewest } from './newest.tsx'
import { RollBack } from './roll-back.tsx'

export function DeployActions({ of: application }: { readonly of: Application }) {
  const { id, name } = application
  const [, go] = useLocation()
  const newest = useNewest(id)
  const last = newest?.find(isSuccessful)
  const [isNew, isStopped] = [newest !== undefined && !last, last?.kind === 'STOP']
  const more = {
    input: { params: { id } },
    onDone: (made: Deployment) => go(`/applications/${id}/deployments/${made.id}`),
  }
  return (
    <Actions
      more={
        <>
          <ProjectAction
            {...more}
            operation={postApplicationsByIdRestart}
            label="Restart"
            title={`Restart ${name}`}
            about={
              <p>
                New containers of the same images take the place of the present ones. They get the newest variables.
              </p>
            }
            isOffered={!isNew && !isStopped}
            done="The restart is asked for"
          />
          <ProjectAction
            {...more}
            operation={postApplicationsByIdStop}
            label="Stop"
            title={`Stop ${name}`}
            tone="bad"
            about={<p>Its containers stop, and requests to it fail. Its images and volumes stay.</p>}
            isOffered={!isNew && !isStopped}
            done="The stop is asked for"
          />
        </>
      }
    >
      <Deploy of={application} {...more} />
      <ProjectAction
        {...more}
        operation={postApplicationsByIdStart}
        label="Start"
        title={`Start ${name}`}
        about={<p>It starts with the images that it had. Nothing is built.</p>}
        isOffered={!isNew && (newest === undefined || isStopped)}
        done="The start is asked for"
      />
      <RollBack of={application} newest={newest ?? []} {...more} />
    </Actions>
  )
}
