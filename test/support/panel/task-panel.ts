/** A panel with the routes of agents, the test kinds, and servers that a test registers by hand. */
import type { Logger } from 'pino'
import { z } from 'zod'
import { hashSecret, newSecret } from '#kernel/credentials/secret-token'
import { answer, route } from '#kernel/http/route'
import { found, reject } from '#kernel/lib/rejection'
import { provide } from '#kernel/lib/services'
import { section } from '#kernel/resource/section'
import type { Section } from '#kernel/resource/section'
import { session } from '#panel/access/access'
import { ask, askedAsk, askedFollow } from '#panel/agent/asks'
import { askedTask } from '#panel/agent/kinds'
import { askedPlan } from '#panel/agent/plans'
import { serversOfAgents } from '#panel/agent/servers-of-agents'
import type { AgentContact, PlansTold, ServerOfAgent, ServersOfAgents } from '#panel/agent/servers-of-agents'
import { sections } from '#panel/index'
import { noteContact } from '#panel/servers/contacts'
import { settingEvents } from '#panel/settings/events'
import { undestroyedSubjects } from '#projections/panel/users'
import { composition } from '../../../src/composition/core.ts'
import type { CoreWrappers } from '../../../src/composition/core.ts'
import { openPanelOf } from '../../../src/composition/panel.ts'
import type { PanelSettings } from '../../../src/composition/panel.ts'
import { planApply } from '../../../src/tasks/plan.ts'
import { newBoxKeys } from '../../../src/tasks/sealed-box.ts'
import type { BoxKeys } from '../../../src/tasks/sealed-box.ts'
import { count, look, sign, TEST_KINDS } from '../agent/kinds.ts'

/** A live read, as sections have them. */
const lookRoute = route('GET /api/test/look/:serverId', {
  does: 'Look at a server.',
  access: session,
  refuses: [409],
  query: z.strictObject({ at: z.string(), afterMs: z.coerce.number().int().optional() }),
  reply: look.answer,
  handle: async (call) => answer(await ask(call, look, call.params.serverId, call.query as never)),
})

/** Which servers have the plan, and what it says; a test changes both. */
export const signs = new Map<string, { revision: number; body: { text: string } }>()

const signPlan = askedPlan({
  kind: sign,
  on: [settingEvents.SettingChanged],
  serversOf: async () => [...signs.keys()],
  contents: async (serverId) => found(signs.get(serverId)),
})

const compositionWith = (declares: Section['declares']) =>
  composition(
    [...sections, section({ name: 'test', routes: [lookRoute], declares: declares ?? [] })],
    undestroyedSubjects,
  )

export interface TestServer extends ServerOfAgent {
  readonly token: string
  readonly boxKeys: BoxKeys
}

export function testServer(serverId: string, changes: Partial<ServerOfAgent> = {}): TestServer {
  const [token, boxKeys] = [newSecret('a'), newBoxKeys()]
  const kinds = Object.fromEntries([...TEST_KINDS, planApply].map(({ name, version }) => [name, version]))
  const { publicKey } = boxKeys
  return { serverId, token, boxKeys, publicKey, tokenHash: hashSecret(token), kinds, allowedIps: [], ...changes }
}

/** What the section of the servers will provide. */
export interface HandServers extends ServersOfAgents {
  readonly known: Map<string, ServerOfAgent>
  readonly contacts: { readonly serverId: string; readonly beat: AgentContact['beat'] }[]
  /** Of each request of an agent, in their order. */
  readonly asked: string[]
  /** What the next look at the beats finds. */
  readonly plans: PlansTold[]
  /** By account and server. */
  readonly managers: Set<string>
}

export function handServers(): HandServers {
  const [known, contacts, managers] = [
    new Map<string, ServerOfAgent>(),
    [] as HandServers['contacts'],
    new Set<string>(),
  ]
  const plans: PlansTold[] = []
  const asked: string[] = []
  return {
    known,
    contacts,
    asked,
    plans,
    managers,
    async find(_read, serverId) {
      asked.push(serverId)
      return known.get(serverId)
    },
    isPresent: async (_unit, { serverId, publicKey }) => known.get(serverId)?.publicKey === publicKey,
    async noteContact({ telemetry, now: at }, { serverId }, { run, beat }) {
      contacts.push({ serverId, beat })
      const isCurrent = await noteContact(telemetry, { serverId, run, beat, at })
      if (!isCurrent) reject('conflict', 'Another process is the agent of this server', 'RUN_SUPERSEDED')
      return {}
    },
    nextTokenOf: async () => undefined,
    isReachable: async (_telemetry, serverId) => known.has(serverId),
    plansTold: async () => plans,
    nextBeatMs: () => 10_000,
    mayManage: async (_read, { actor }, serverId) => managers.has(`${actor.id}/${serverId}`),
  }
}

/** By the id of the task. */
type TestSecrets = Map<string, object | Error>

export const openTaskPanel =
  (servers: ServersOfAgents, secrets: TestSecrets = new Map()) =>
  (settings: PanelSettings, log: Logger, wraps?: CoreWrappers) => {
    const kinds = TEST_KINDS.map((kind) => ({
      kind,
      async secrets({ taskId }: { taskId: string }) {
        const own = secrets.get(taskId) ?? null
        if (own instanceof Error) throw own
        return own
      },
    }))
    const passwordFor = ({ at }: { readonly at: string }) =>
      at === 'too-much' ? 'x'.repeat(2_000_000) : 'canary-of-an-ask'
    const asks = [
      askedAsk({ kind: look, secrets: async (params) => ({ password: passwordFor(look.params.parse(params)) }) }),
    ]
    const follows = [askedFollow({ kind: count, secrets: async () => ({ password: 'canary-of-a-follow' }) })]
    const made = compositionWith([...kinds.map(askedTask), ...asks, ...follows, signPlan])
    return openPanelOf(made, [provide(serversOfAgents, servers)], settings, log, wraps)
  }
