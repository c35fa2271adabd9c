/** Back to an earlier deployment, with its variables or with those of now. */
import { postApplicationsByIdRollback } from '#api-client/panel/applications'
import type { Application, Deployment } from '#api-client/panel/schemas'
import { exactTime } from '../../kit/time.tsx'
import type { Inputs } from '../projects/environments-choice.tsx'
import { ProjectAction } from '../projects/rights.tsx'
import { ChoiceField } from './choice-field.tsx'
import { contentOf } from './deployment-words.ts'
import { earlierOf } from './deployment-words.ts'

interface RollBackProps {
  readonly of: Application
  readonly newest: readonly Deployment[]
  readonly input: { readonly params: { readonly id: string } }
  readonly onDone: (made: Deployment) => void
}

export function RollBack({ of: { name }, newest, ...more }: RollBackProps) {
  const earlier = earlierOf(newest)
  return (
    <ProjectAction
      {...more}
      operation={postApplicationsByIdRollback}
      label="Roll back"
      title={`Roll back ${name}`}
      about={
        <p>
          The images of the earlier deployment run again, with its configuration. Nothing is built, so it takes seconds.
          An image that is no longer kept is refused.
        </p>
      }
      isOffered={earlier.length > 0}
      only={['deploymentId', 'env']}
      order={['deploymentId', 'env']}
      inputs={inputsFor(earlier)}
      done="The rollback is asked for"
    />
  )
}

const inputsFor = (earlier: readonly Deployment[]): Inputs => ({
  deploymentId: (value, change) => (
    <ChoiceField
      label="Back to"
      value={typeof value === 'string' ? value : ''}
      options={[
        ['', 'the last one before that which runs'],
        ...earlier.map((each) => [each.id, lineOf(each)] as const),
      ]}
      onChange={(id) => change(id || undefined)}
    />
  ),
  env: (value, change) => (
    <ChoiceField
      label="Variables"
      value={value === 'NOW' ? 'NOW' : 'THEN'}
      options={[
        ['THEN', 'those of then'],
        ['NOW', 'those of now'],
      ]}
      onChange={change}
    />
  ),
})

const lineOf = (each: Deployment): string => [exactTime(each.createdAt), contentOf(each)].filter(Boolean).join(' · ')
