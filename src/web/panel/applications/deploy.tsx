/** A new deployment: of the newest commit or the image, or of what the person names. */
import { postApplicationsByIdRedeploy } from '#api-client/panel/applications'
import type { Application, Deployment } from '#api-client/panel/schemas'
import type { Inputs } from '../projects/environments-choice.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { useBranches } from './branches.ts'
import { ChoiceField } from './choice-field.tsx'
import { TextField } from './text-field.tsx'

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
  IMAGE: 'Its image is pulled, with its own tag or with another one.',
  GIT: 'The newest commit of its branch is fetched and built, unless you name another one.',
  DOCKERFILE: 'An image is built by its Dockerfile.',
  COMPOSE: 'The images of its Compose file are pulled.',
}

export function Deploy({ of: application, ...more }: DeployProps) {
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
    build: (value, change) => (
      <ChoiceField
        label="If the commit runs already, or changes nothing that is watched"
        value={value === 'ALWAYS' ? 'ALWAYS' : 'AUTO'}
        options={[
          ['AUTO', 'nothing is done'],
          ['ALWAYS', 'it is built and deployed all the same'],
        ]}
        onChange={change}
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
      labels={{ imageTag: 'Tag' }}
      inputs={inputs}
      done="The deployment is asked for"
    />
  )
}
