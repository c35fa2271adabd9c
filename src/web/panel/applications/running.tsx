/** What runs now, what is under way, and what can be done with it. */
import type { Application, Deployment } from '#api-client/panel/schemas'
import { Empty, Fact, Facts, Part, State, ToneText } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import { DeployActions } from './deploy-actions.tsx'
import { DeploymentLink } from './deployment-link.tsx'
import { contentOf } from './deployment-words.ts'
import { isSuccessful, useNewest } from './newest.ts'
import { isWritten } from './sources.ts'

export function Running({ of: application }: { readonly of: Application }) {
  const newest = useNewest(application.id)
  return (
    <Part title="Running" actions={<DeployActions of={application} />}>
      {newest && <WhatRuns of={application} newest={newest} />}
    </Part>
  )
}

interface WhatRunsProps {
  readonly of: Application
  readonly newest: readonly Deployment[]
}

function WhatRuns({ of: { source }, newest }: WhatRunsProps) {
  const [first] = newest
  if (!first)
    return (
      <Empty>
        {isWritten(source)
          ? 'Nothing runs yet. Write its text on the page “Files”, and deploy it.'
          : 'Nothing runs yet. “Deploy” brings its image to its server and starts its containers.'}
      </Empty>
    )
  const last = newest.find(isSuccessful)
  return (
    <Facts>
      <Fact label="Now">
        <Now of={last} />
      </Fact>
      <Fact label="Newest deployment">
        <DeploymentLink of={first} />, <State of={first.status} /> <Time at={first.createdAt} />
      </Fact>
    </Facts>
  )
}

function Now({ of: last }: { readonly of: Deployment | undefined }) {
  if (!last) return <ToneText tone="quiet">nothing yet</ToneText>
  if (last.kind === 'STOP') return <ToneText tone="quiet">stopped</ToneText>
  return (
    <>
      <ToneText tone="good">running</ToneText> {contentOf(last)}, <Time at={last.endedAt} />
    </>
  )
}
