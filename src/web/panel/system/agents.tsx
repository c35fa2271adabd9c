import { Link } from 'wouter'
import { postAdminAgentsUpdate } from '#api-client/panel/agents'
import type { SystemUpdates } from '#api-client/panel/schemas'
import { Action } from '../../kit/action.tsx'
import { Fact, Facts, Part } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'

/** The release of the agent, and how far its newest update is. */
export function Agents({ agents: { version, update } }: Pick<SystemUpdates, 'agents'>) {
  return (
    <Part title="Agents">
      {version === null && <p className="soft">No agent is built, so servers run it in a clone of Daybook.</p>}
      <Facts>
        <Fact label="Handed out">{version}</Fact>
        {update && <NewestUpdate update={update} />}
      </Facts>
      <Action
        operation={postAdminAgentsUpdate}
        label="Update all agents"
        title="Update the agents of all servers"
        about={<p>One server is first. The others follow once its agent has told the new version.</p>}
        fixed={{ serverId: undefined }}
        isOffered={version !== null}
        done="The first agent is being updated"
      />
    </Part>
  )
}

type AgentsUpdate = NonNullable<SystemUpdates['agents']['update']>

const NewestUpdate = ({
  update: { version, state, total, updated, first, halted, changedAt },
}: {
  readonly update: AgentsUpdate
}) => (
  <>
    <Fact label="Newest update">
      {version}: {wordOf(state)}, {updated} of {total}, <Time at={changedAt} />
    </Fact>
    <Fact label="First server">
      <Link href={`/servers/tasks/${first.taskId}`}>Follow its update</Link>
    </Fact>
    {halted && (
      <Fact label="Halted by">
        <Link href={`/servers/${halted.serverId}`}>The server</Link> with {halted.code}
      </Fact>
    )}
  </>
)
