/** Applications of a project, with their variables. */
import { applications } from '#panel/applications/decider'
import { servers } from '#panel/servers/decider'
import { FACTS } from '#test/support/panel/server-examples'
import { told } from './panel-people.ts'
import type { PanelTeller, Person } from './panel-people.ts'
import { hasPreviews } from './panel-previews-tale.ts'
import type { Call } from './telling.ts'

export async function hasApplications(call: Call, teller: PanelTeller, { as }: Person): Promise<void> {
  const [{ id: projectId }] = (await call('GET /api/projects', { as })).body
  const place = `/api/projects/${projectId}/environments`
  const { id: environmentId } = (await call(`POST ${place}`, { as, body: { name: 'shops' } })).body
  const [{ id: serverId }] = (await call('GET /api/servers', { as })).body
  const create = async (body: object): Promise<string> =>
    (await call('POST /api/applications', { as, body: { projectId, environmentId, serverId, ...body } })).body.id
  const source = { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }
  const id = await create({ name: 'Shop', source, port: 8_080, memoryMiB: 64, cpuMillis: 100 })
  const path = `/api/applications/${id}`
  await call(`PATCH ${path}`, { as, body: { name: 'Web shop', replicas: 2 } })
  const set = [
    { name: 'LOG_LEVEL', value: 'info' },
    { name: 'TOKEN', value: 'a secret value', secret: true, when: 'BOTH' },
  ]
  await call(`PATCH ${path}/env`, { as, body: { set } })
  await call(`PATCH ${path}/env`, { as, body: { remove: ['LOG_LEVEL'] } })
  const addSet = async (name: string): Promise<string> =>
    (await call(`POST ${path}/env-sets`, { as, body: { name, variables: [{ name: 'MODE', value: name }] } })).body.id
  const [live, test] = [await addSet('live'), await addSet('test')]
  await call(`POST ${path}/env-sets/${live}/activate`, { as })
  await call(`PATCH ${path}/env-sets/${test}`, { as, body: { name: 'trial' } })
  await call(`DELETE ${path}/env-sets/${test}`, { as })
  // No agent is part of the tale, so that the command is recorded without its task.
  await told(teller, (unit) => {
    const about = { taskId: unit.newId(), previewId: null, service: 'app', replica: 1, stdin: 'a word for its input' }
    return unit.decide(applications, id, 'RunCommand', { ...about, command: '["cat"]' })
  })
  await tellsAddress(teller, serverId)
  await isReached(call, path, as)
  const repository = { kind: 'GIT', url: 'https://forge.example/team/shop.git', branch: 'main', watchPaths: ['web'] }
  const volumes = [{ name: 'data', mountPath: '/var/lib/shop' }]
  await call(`PATCH ${path}`, { as, body: { source: repository, volumes, rollover: 'STOP_FIRST' } })
  await call(`PATCH ${path}/auto-deploy`, { as, body: { enabled: true } })
  await call(`PATCH ${path}/files/dockerfile`, { as, body: { content: 'FROM shop:1\n' } })
  const composed = { name: 'Forum', source: { kind: 'COMPOSE', service: 'web' }, memoryMiB: 64, cpuMillis: 100 }
  const forum = `/api/applications/${await create(composed)}`
  await call(`PATCH ${forum}/files/compose`, { as, body: { content: 'services: {web: {image: "forum:1"}}\n' } })
  const brief = await create({ name: 'Brief', source, memoryMiB: 64, cpuMillis: 100 })
  await call(`DELETE /api/applications/${brief}`, { as })
  await hasPreviews(call, teller, path, as)
  await teller.settle()
}

/** The agent tells the address that its server got. */
const tellsAddress = (teller: PanelTeller, serverId: string) =>
  told(teller, async (unit) => {
    const { engineId } = (await unit.load(servers, serverId))!.agent!
    await unit.decide(servers, serverId, 'NoteFacts', { engineId, facts: { ...FACTS, addresses: ['192.0.2.4'] } })
  })

/** Its URL, a port of its server, and the address that it leaves from. */
async function isReached(call: Call, path: string, as: Person['as']): Promise<void> {
  await call(`PATCH ${path}/bind-ip`, { as, body: { ip: '192.0.2.4' } })
  await call(`PATCH ${path}/outbound-ip`, { as, body: { ip: '192.0.2.4' } })
  const port = { containerPort: 5_432, ip: '192.0.2.4', port: 5_432 }
  const { id } = (await call(`POST ${path}/host-ports`, { as, body: port })).body
  await call(`PATCH ${path}/ports`, { as, body: { ports: [{ id, hostPort: 5_433 }] } })
  await call(`DELETE ${path}/host-ports/${id}`, { as })
  await call('PATCH /api/admin/settings/appsDomain', { as, body: { value: 'apps.example.com' } })
  await call(`PATCH ${path}/url-mode`, { as, body: { mode: 'CLEAN' } })
  await call(`PATCH ${path}/url-mode`, { as, body: { mode: 'PORT' } })
}
