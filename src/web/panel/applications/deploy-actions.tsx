/** What a person can do with what runs: each says what follows from it, and leads to its deployment. */
import { useLocation } from 'wouter'
import {
  postApplicationsByIdRedeploy,
  postApplicationsByIdRestart,
  postApplicationsByIdStart,
  postApplicationsByIdStop,
} from '#api-client/panel/applications'
import type { Application, Deployment } from '#api-client/panel/schemas'
import { Actions } from '../../kit/actions.tsx'
import type { Inputs } from '../projects/environments-choice.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { useBranches } from './branches.ts'
import { isSuccessful, useNewest } from './newest.ts'
import { RollBack } from './roll-back.tsx'
import { TextField } from './text-field.tsx'

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
            about={<p>Its containers stop, and it is not reached any more. Its images and volumes stay.</p>}
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

interface DeployProps {
  readonly of: Application
  readonly input: { readonly params: { readonly id: string } }
  readonly onDone: (made: Deployment) => void
}

const FIELDS: Readonly<Record<Application['source']['kind'], readonly string[]>> = {
  IMAGE: ['imageTag'],
  GIT: ['branch', 'commit', 'build'],
  DOCKERFILE: [],
  COMPOSE: [],
}

const ABOUT: Readonly<Record<Application['source']['kind'], string>> = {
  IMAGE: 'Its image is pulled. Empty: with the tag that it has.',
  GIT: 'The newest commit of its branch is fetched and built, unless you name another one.',
  DOCKERFILE: 'An image is built by its Dockerfile.',
  COMPOSE: 'The images of its Compose file are pulled.',
}

function Deploy({ of: application, ...more }: DeployProps) {
  const { name, source } = application
  const branches = useBranches(application.id, source)
  const inputs: Inputs = {
    branch: (value, change) => (
      <TextField
        label="Branch"
        maxLength={200}
        choices={branches}
        help="Instead of its own"
        value={typeof value === 'string' ? value : ''}
        onChange={(branch) => change(branch || undefined)}
      />
    ),
  }
  return (
    <ProjectAction
      {...more}
      operation={postApplicationsByIdRedeploy}
      label="Deploy"
      title={`Deploy ${name}`}
      tone="main"
      about={
        <p>
          {ABOUT[source.kind]} New containers take the place of the old ones when they are healthy. If they are not,
          what runs stays.
        </p>
      }
      only={FIELDS[source.kind]}
      order={FIELDS[source.kind]}
      labels={{ imageTag: 'Tag', commit: 'Commit', build: 'When the commit runs already' }}
      inputs={inputs}
      done="The deployment is asked for"
    />
  )
}
