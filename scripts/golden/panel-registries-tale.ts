/** Registries of the installation and of a project. */
import { registries } from '#panel/registries/decider'
import { registerServer } from '#panel/workflows/servers'
import { FACTS } from '#test/support/panel/server-examples'
import { told } from './panel-people.ts'
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
  await runsOne(call, teller, as)
  await teller.settle()
}

/** A registry that a server runs, told by the commands of its agent. */
async function runsOne(call: Call, teller: PanelTeller, as: string): Promise<void> {
  const [{ id: serverId }] = (await call('GET /api/servers', { as })).body
  const { command } = (await call(`GET /api/servers/${serverId}/install-command`, { as })).body
  const agent = { publicKey: 'the public key of west', engineId: 'the engine of west', facts: FACTS }
  const [installToken = ''] = /dbi_\w+/.exec(command)!
  await told(teller, (unit) => registerServer(unit, teller.panel.vault, { installToken, ...agent }))
  const body = { kind: 'SELF_HOSTED', name: 'Own', serverId, diskMiB: 1_024 }
  const { id } = (await call('POST /api/registries', { as, body })).body
  await told(teller, (unit) => unit.decide(registries, id, 'NotePort', { serverId, port: 49_153 }))
  await call('POST /api/registries', { as, body: { ...body, name: 'Second' } })
  await call(`DELETE /api/registries/${id}?deleteData=true`, { as })
}
