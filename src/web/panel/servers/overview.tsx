import type { SeenServer } from '#api-client/panel/schemas'
import { Fact, Facts, Notice, Part, Value } from '../../kit/controls.tsx'
import { Time } from '../../kit/time.tsx'
import { wordOf } from '../../kit/words.ts'
import { LiveFigures } from './live-figures.tsx'
import { ServerQuota } from './quota.tsx'
import { ServerPage } from './server-page.tsx'
import type { WholeServer } from './server-page.tsx'

export default function ServerOverview() {
  return (
    <ServerPage forUser={(server) => <UsedServer server={server} />}>
      {(server) => (
        <>
          <Hint server={server} />
          <LiveFigures serverId={server.id} />
          <WholeFacts server={server} />
          <ServerQuota server={server} />
        </>
      )}
    </ServerPage>
  )
}

/** What keeps work from the server, and what to do about it. */
function Hint({ server: { kind, status, problem, cordoned } }: { readonly server: WholeServer }) {
  if (problem)
    return (
      <Notice tone="warn">
        <p>{problem.message}.</p>
        <p>{problem.remedy}.</p>
      </Notice>
    )
  if (status === 'PENDING_INSTALL')
    return (
      <Notice>
        <p>
          {kind === 'LOCAL'
            ? 'The agent of the panel’s own host has not registered.'
            : 'Run the install command as root on the host. The server is shown here as soon as its agent has registered.'}
        </p>
      </Notice>
    )
  if (status === 'OFFLINE')
    return (
      <Notice tone="bad">
        <p>
          The agent is silent. What runs on the host may run on. Look whether the host and its service `daybook-agent`
          run.
        </p>
      </Notice>
    )
  return cordoned ? (
    <Notice>
      <p>This server takes no new workload. What is there runs on.</p>
    </Notice>
  ) : null
}

const WholeFacts = ({ server }: { readonly server: WholeServer }) => (
  <Part title="Server">
    <Facts>
      <Fact label="Kind">{server.kind === 'LOCAL' ? 'the host of the panel' : 'a host of its own'}</Fact>
      <Fact label="Open to">{server.isOpen ? 'every account' : 'those with an access rule'}</Fact>
      <Fact label="Description">{server.description}</Fact>
      <Fact label="Labels">
        <Value of={server.labels} />
      </Fact>
      <Fact label="Public address">{server.publicAddress}</Fact>
      <Fact label="The agent may call from">
        <Value of={server.allowedIps.length === 0 ? 'every address' : server.allowedIps} />
      </Fact>
      <Fact label="Container engine">
        {server.engine && `Docker ${server.engine.version} (API ${server.engine.api})`}
      </Fact>
      <Fact label="Agent">{server.agent && `${server.agent.version}, ${server.agent.arch}`}</Fact>
      <Fact label="Heard of">
        <Time at={server.agent?.lastContactAt} absent="never" />
      </Fact>
      <Fact label="Added">
        <Time at={server.createdAt} />
      </Fact>
    </Facts>
  </Part>
)

const UsedServer = ({ server: { labels, level } }: { readonly server: SeenServer }) => (
  <Facts>
    <Fact label="You may">{level && wordOf(level).toLowerCase()}</Fact>
    <Fact label="Labels">
      <Value of={labels} />
    </Fact>
  </Facts>
)
