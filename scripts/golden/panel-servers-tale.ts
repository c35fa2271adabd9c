/** Servers: how they are installed, who may use them, and what is placed on them. */
import { hashSecret } from '#kernel/credentials/secret-token'
import { USER } from '#panel/access/access'
import { servers } from '#panel/servers/decider'
import { liftWorkload, placeWorkload, resizeWorkload } from '#panel/workflows/place-workload'
import { nextAgentTokenOf, registerServer } from '#panel/workflows/servers'
import { FACTS } from '#test/support/panel/server-examples'
import { told } from './panel-people.ts'
import type { PanelTeller, Person } from './panel-people.ts'
import type { Call } from './telling.ts'

interface People {
  readonly ada: Person
  readonly margaret: Person
}

const RUNS = { run: '01890000-0000-4000-8000-000000000001', otherRun: '01890000-0000-4000-8000-000000000002' }
const SIZE = { cpuMillis: 250, memoryMiB: 256, diskMiB: 1_024 }

/** The agent of a server, from its registration to its return after a silence. */
async function runsAgent(teller: PanelTeller, serverId: string, installToken: string): Promise<void> {
  const { vault } = teller.panel
  const agent = { publicKey: 'the public key of east', engineId: 'the engine of east', facts: FACTS }
  await told(teller, (unit) => registerServer(unit, vault, { installToken, ...agent }))
  await told(teller, async (unit) => {
    const next = await nextAgentTokenOf(vault, (await unit.load(servers, serverId))!.agent!)
    await unit.decide(servers, serverId, 'RotateToken', { tokenHash: hashSecret(next) })
  })
  const facts = {
    ...FACTS,
    version: '0.2.1',
    addresses: ['192.0.2.4'],
    systemd: true,
    cgroup: 2,
    programs: { git: null },
  }
  await told(teller, (unit) => unit.decide(servers, serverId, 'NoteFacts', { engineId: agent.engineId, facts }))
  const lastContactAt = '2026-01-05T09:00:00.000Z'
  await told(teller, (unit) => unit.decide(servers, serverId, 'GoOffline', { lastContactAt }))
  await told(teller, (unit) => unit.decide(servers, serverId, 'ComeBack', {}))
}

/** A workload of the installation, which is placed, grows and goes. */
async function holdsWorkload(teller: PanelTeller, serverId: string, { id: userId }: Person): Promise<void> {
  const caller = {
    kind: USER,
    userId,
    actor: { type: 'USER', id: userId },
    can: () => false,
    forbiddenMessage: '',
  }
  const workload = await told(teller, async (unit) => {
    const placed = { kind: 'REGISTRY', id: unit.newId() }
    await placeWorkload(unit, { caller, serverId, workload: placed, projectId: null, ...SIZE })
    return placed
  })
  await told(teller, (unit) => resizeWorkload(unit, { serverId, workload, ...SIZE, memoryMiB: 512 }))
  await told(teller, (unit) => liftWorkload(unit, { serverId, workload }))
}

async function isShared(call: Call, teller: PanelTeller, path: string, { ada, margaret }: People): Promise<void> {
  const { as } = ada
  const grant = async (body: object) => (await call(`POST ${path}/access`, { as, body })).body.id
  const own = await grant({ userId: margaret.id, level: 'USE' })
  await call(`PATCH ${path}/access/${own}`, { as, body: { level: 'MANAGE' } })
  const { id: teamId } = (await call('POST /api/teams', { as, body: { name: 'Operators' } })).body
  await grant({ teamId, level: 'USE' })
  await call(`DELETE /api/teams/${teamId}`, { as })
  await teller.settle()
  await call(`DELETE ${path}/access/${own}`, { as })
}

export async function runsServers(call: Call, teller: PanelTeller, people: People): Promise<void> {
  const { as } = people.ada
  const body = { name: 'east', description: 'the cupboard of Ada', publicAddress: 'east.example.test', labels: ['eu'] }
  const { id } = (await call('POST /api/servers', { as, body })).body.server
  const path = `/api/servers/${id}`
  await call(`PATCH ${path}`, { as, body: { name: 'East', allowedIps: ['192.0.2.0/24'], meshPort: 4_711 } })
  const { command } = (await call(`GET ${path}/install-command`, { as })).body
  await runsAgent(teller, id, /dbi_\w+/.exec(command)![0])
  await isShared(call, teller, path, people)
  await call(`PATCH /api/admin/quotas/servers/${id}`, { as, body: { workloads: 10, memoryMiB: 4_096 } })
  await holdsWorkload(teller, id, people.ada)
  await told(teller, (unit) => unit.decide(servers, id, 'NoteConflict', RUNS))
  await call(`POST ${path}/reset`, { as })
  await call(`DELETE ${path}`, { as })
  await call('POST /api/servers', { as, body: { ...body, name: 'west' } })
  await teller.settle()
}
