/** An agent of this process on a real engine, registered at a panel of the test file. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { startAgent } from '../../../src/agent/agent.ts'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import { startMesh } from '../../../src/agent/mesh/mesh.ts'
import { allAskersOn, followersOn, performersOn, plannersOn } from '../../../src/agent/performers.ts'
import { newBoxKeys } from '../../../src/tasks/sealed-box.ts'
import { testBeat } from '../agent/performers.ts'
import type { TestEngine } from '../docker-engine.ts'
import { FACTS } from './server-examples.ts'
import type { serverFixture } from './server-fixture.ts'
import type { TestPanel, TestUser } from './service.ts'

interface EngineAgent {
  readonly servers: Pick<ReturnType<typeof serverFixture>, 'add' | 'register'>
  readonly owner: TestUser
  readonly engine: Pick<TestEngine, 'socketPath'>
  /** An engine has one agent, so each agent says another one. */
  readonly engineId: string
  /** Beside the plans. */
  readonly kinds?: Readonly<Record<string, number>>
}

export async function agentOnEngine(panel: TestPanel, { servers, owner, engine, engineId, kinds }: EngineAgent) {
  const boxKeys = newBoxKeys()
  const { id: serverId, installToken } = await servers.add(owner)
  const facts = { ...FACTS, kinds: { 'plan.apply': 1, ...kinds } }
  const { token } = await servers.register(installToken, { publicKey: boxKeys.publicKey, engineId, facts })
  await panel.panel.projector.catchUp()
  const directory = await mkdtemp(join(tmpdir(), 'hosted-'))
  const host = hostEngine(`unix://${engine.socketPath}`)
  const agent = await startAgent({
    panelUrl: panel.url,
    serverId,
    token,
    boxKeys,
    taskKeys: [await panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))],
    directory,
    performers: performersOn({ ...host, directory }),
    askers: allAskersOn(host),
    followers: followersOn(host),
    planners: plannersOn(host.call, startMesh(serverId)),
    beat: testBeat,
    isReady: async () => true,
    log: () => {},
  })
  return {
    serverId,
    async stop() {
      await agent.stop()
      await rm(directory, { recursive: true })
    },
  }
}
