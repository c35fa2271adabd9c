/** Agents of this process, registered at a panel of the test file. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { startAgent } from '../../../src/agent/agent.ts'
import type { BackOffLimits } from '../../../src/agent/back-off.ts'
import { hostEngine } from '../../../src/agent/host/engine.ts'
import { startMesh } from '../../../src/agent/mesh/mesh.ts'
import type { Performer } from '../../../src/agent/performer.ts'
import { allAskersOn, followersOn, performersOn, plannersOn } from '../../../src/agent/performers.ts'
import { openProxy } from '../../../src/agent/proxy/proxy.ts'
import { targetsOn } from '../../../src/agent/proxy/targets.ts'
import { newBoxKeys } from '../../../src/tasks/sealed-box.ts'
import { testBeat } from '../agent/performers.ts'
import type { TestEngine } from '../docker-engine.ts'
import { freePort } from '../free-port.ts'
import { endProxy } from '../haproxy.ts'
import { FACTS } from './server-examples.ts'
import type { serverFixture } from './server-fixture.ts'
import type { TestPanel, TestUser } from './service.ts'

/** Of each host. */
const DISK_BYTES = 1_024 ** 4

interface RegisteredAgent {
  readonly servers: Pick<ReturnType<typeof serverFixture>, 'add' | 'register'>
  readonly owner: TestUser
  /** An engine has one agent, so each agent says another one. */
  readonly engineId: string
}

type Performing = Pick<Parameters<typeof startAgent>[0], 'performers' | 'askers' | 'followers' | 'planners' | 'backOff'>

/** @param performing what its agent does */
async function startRegistered(
  panel: TestPanel,
  { servers, owner, engineId }: RegisteredAgent,
  performing: (host: {
    readonly directory: string
    readonly serverId: string
  }) => Performing & { readonly kinds: Readonly<Record<string, number>> },
) {
  const boxKeys = newBoxKeys()
  const { id: serverId, installToken } = await servers.add(owner)
  const directory = await mkdtemp(join(tmpdir(), 'hosted-'))
  const { kinds, ...performs } = performing({ directory, serverId })
  const facts = { ...FACTS, kinds: { 'plan.apply': 1, ...kinds } }
  const { token } = await servers.register(installToken, { publicKey: boxKeys.publicKey, engineId, facts })
  await panel.panel.projector.catchUp()
  const agent = await startAgent({
    panelUrl: panel.url,
    serverId,
    token,
    boxKeys,
    taskKeys: [await panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))],
    directory,
    ...performs,
    beat: async () => ({ ...(await testBeat()), diskBytes: DISK_BYTES }),
    isReady: async () => true,
    log: () => {},
  })
  return {
    serverId,
    directory,
    async stop() {
      await agent.stop()
      endProxy(directory)
      await rm(directory, { recursive: true })
    },
  }
}

interface EngineAgent extends RegisteredAgent {
  readonly engine: Pick<TestEngine, 'socketPath'>
  /** Beside the plans. Default: all. */
  readonly kinds?: Readonly<Record<string, number>>
  /** Default: as that of a host. */
  readonly backOff?: BackOffLimits
}

const kindsOf = (performers: readonly Performer[]): Readonly<Record<string, number>> =>
  Object.fromEntries(performers.map(({ kind: { name, version } }) => [name, version]))

/** On a real engine. */
export async function agentOnEngine(panel: TestPanel, { engine, kinds, backOff = {}, ...about }: EngineAgent) {
  const host = hostEngine(`unix://${engine.socketPath}`)
  const httpPort = await freePort()
  const targetsOf = targetsOn(host.call)
  const proxyIn = (directory: string) =>
    openProxy({ directory: join(directory, 'proxy'), httpPort, targetsOf, log: () => {} })
  const agent = await startRegistered(panel, about, ({ directory, serverId }) => {
    const performers = performersOn({ ...host, directory, proxy: proxyIn(directory) })
    return {
      kinds: kinds ?? kindsOf(performers),
      performers,
      askers: allAskersOn(host),
      followers: followersOn(host),
      planners: plannersOn(host.call, startMesh(serverId)),
      backOff,
    }
  })
  return { ...agent, /** Where its proxy serves hosts. */ httpPort }
}

/** With performers of the test, which say what each task does, and what it answers and follows. */
export const agentWith = (
  panel: TestPanel,
  about: RegisteredAgent,
  performers: readonly Performer[],
  { askers = [], followers = [] }: Partial<Pick<Performing, 'askers' | 'followers'>> = {},
) =>
  startRegistered(panel, about, () => ({
    kinds: kindsOf(performers),
    performers,
    askers,
    followers,
    planners: [],
  }))
