/** Servers over HTTP, with agents that register by the workflow alone. */
import { hashSecret } from '#kernel/credentials/secret-token'
import type { Caller } from '#kernel/http/route'
import { USER } from '#panel/access/access'
import { noteContact } from '#panel/servers/contacts'
import { placeWorkload } from '#panel/workflows/place-workload'
import { addServer, registerServer, rejectTakenEngine } from '#panel/workflows/servers'
import { ok } from './project-fixture.ts'
import { BEAT, FACTS, SERVER_VALUES } from './server-examples.ts'
import type { Reply, TestPanel, TestUser } from './service.ts'

type Who = Pick<TestUser, 'as'>

export interface AddedServer {
  readonly id: string
  readonly installToken: string
}

export const RUN = '01890000-0000-4000-8000-000000000001'
export const SMALL = { cpuMillis: 100, memoryMiB: 256, diskMiB: 0 }

export const tokenIn = (command: string): string => /dbi_\w+/.exec(command)![0]

/** A caller as the gate lets it in. Its rights are read anew by whatever decides. */
export const callerOf = (userId: string): Caller & { readonly userId: string } => ({
  kind: USER,
  userId,
  actor: { type: 'USER', id: userId },
  can: () => false,
  forbiddenMessage: '',
})

export function serverFixture(panel: TestPanel) {
  let made = 0
  const next = () => (made += 1)
  const send = (method: string, { as }: Who, path: string, body?: unknown): Promise<Reply> =>
    panel.call(method, `/api/servers${path}`, { as, ...(body === undefined ? {} : { body }) })
  const post = (who: Who, path: string, body?: unknown) => send('POST', who, path, body)

  const register = (installToken: string, more: object = {}) =>
    panel
      .run((unit) => {
        const about = hashSecret(installToken)
        const agent = { publicKey: `key ${about}`, engineId: `engine ${about}`, facts: FACTS }
        return registerServer(unit, panel.panel.vault, { installToken, ...agent, ...more })
      })
      .catch(rejectTakenEngine)

  /** The panel’s own host. */
  async function addLocal(): Promise<AddedServer> {
    const local = { ...SERVER_VALUES, kind: 'LOCAL' as const, name: 'local' }
    const { serverId: id, token: installToken } = await panel.run((unit) => addServer(unit, panel.panel.vault, local))
    return { id, installToken }
  }

  return {
    send,
    post,
    get: (who: Who, path: string) => send('GET', who, path),
    patch: (who: Who, path: string, body: unknown) => send('PATCH', who, path, body),
    remove: (who: Who, path: string) => send('DELETE', who, path),
    async add(who: Who, more: object = {}): Promise<AddedServer> {
      const { server, installCommand } = ok(await post(who, '', { name: `server ${next()}`, ...more }), 201)
      return { id: server.id, installToken: tokenIn(installCommand) }
    },
    register,
    /** A server whose agent has registered. */
    async running(who: Who, more: object = {}): Promise<string> {
      const { server, installCommand } = ok(await post(who, '', { name: `server ${next()}`, ...more }), 201)
      await register(tokenIn(installCommand))
      await panel.panel.projector.catchUp()
      return server.id
    },
    addLocal,
    /** The panel’s own host, with an agent that has told figures. */
    async local(at: Date): Promise<string> {
      const { id: serverId, installToken } = await addLocal()
      await register(installToken, { facts: { ...FACTS, addresses: ['192.0.2.1', '2001:db8::1'] } })
      await noteContact(panel.superuser, { serverId, at, run: RUN, beat: BEAT })
      await panel.panel.projector.catchUp()
      return serverId
    },
    grant: async (who: Who, id: string, rule: object): Promise<string> =>
      ok(await post(who, `/${id}/access`, { level: 'USE', ...rule }), 201).id,
    contact: (serverId: string, at: Date, beat?: object) =>
      noteContact(panel.superuser, { serverId, at, run: RUN, beat }),
    place: (userId: string, serverId: string, more: object = {}) =>
      panel.run(async (unit) => {
        const workload = { kind: 'REGISTRY', id: unit.newId() }
        await placeWorkload(unit, { caller: callerOf(userId), serverId, workload, projectId: null, ...SMALL, ...more })
        return workload
      }),
  }
}
