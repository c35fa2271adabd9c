/** Applications of a project, with their variables. */
import { applications } from '#panel/applications/decider'
import { told } from './panel-people.ts'
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
    const about = { taskId: unit.newId(), service: 'app', replica: 1, stdin: 'a word for its input' }
    return unit.decide(applications, id, 'RunCommand', { ...about, command: '["cat"]' })
  })
  const brief = await create({ name: 'Brief', source, memoryMiB: 64, cpuMillis: 100 })
  await call(`DELETE /api/applications/${brief}`, { as })
  await teller.settle()
}
