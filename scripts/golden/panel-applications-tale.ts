/** Applications of a project, with their variables. */
import type { PanelTeller, Person } from './panel-people.ts'
import type { Call } from './telling.ts'

export async function hasApplications(call: Call, teller: PanelTeller, { as }: Person): Promise<void> {
  const [{ id: projectId }] = (await call('GET /api/projects', { as })).body
  const place = `/api/projects/${projectId}/environments`
  const { id: environmentId } = (await call(`POST ${place}`, { as, body: { name: 'shops' } })).body
  const [{ id: serverId }] = (await call('GET /api/servers', { as })).body
  const create = async (body: object): Promise<string> =>
    (await call('POST /api/applications', { as, body: { projectId, environmentId, serverId, ...body } })).body.id
  const source = { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }
  const path = `/api/applications/${await create({ name: 'Shop', source, port: 8_080, memoryMiB: 64, cpuMillis: 100 })}`
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
  await teller.settle()
}
