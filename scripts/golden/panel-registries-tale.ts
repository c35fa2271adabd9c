/** Registries of the installation and of a project. */
import type { PanelTeller, Person } from './panel-people.ts'
import type { Call } from './telling.ts'

const LOGIN = { kind: 'EXTERNAL', username: 'robot', password: 'the password of the robot' }
/** Nothing listens there. */
const HERE = '127.0.0.1:59999'

export async function keepsRegistries(call: Call, teller: PanelTeller, { as }: Person): Promise<void> {
  const add = async (body: object): Promise<string> =>
    (await call('POST /api/registries', { as, body: { ...LOGIN, ...body } })).body.id
  const path = `/api/registries/${await add({ name: 'images', address: HERE })}`
  await call(`PATCH ${path}`, { as, body: { name: 'Images', password: 'another password' } })
  await call(`POST ${path}/test`, { as })
  await add({ name: 'Hub', address: 'docker.io' })
  await call(`DELETE ${path}`, { as })
  const [{ id: projectId }] = (await call('GET /api/projects', { as })).body
  await add({ name: 'Hub', address: 'docker.io', projectId })
  await teller.settle()
}
