/** Projects and teams: their members, contents and owners. */
import { registered } from './panel-people.ts'
import type { PanelTeller, Person } from './panel-people.ts'
import type { Call } from './telling.ts'

interface People {
  readonly ada: Person
  readonly margaret: Person
}

const project = async (call: Call, as: string, body: object): Promise<string> =>
  `/api/projects/${(await call('POST /api/projects', { as, body })).body.id}`

/** Members, invited and joined; roles; teams, added to a project and removed. */
export async function belongs(call: Call, teller: PanelTeller, { ada, margaret }: People): Promise<void> {
  const { as } = ada
  const path = await project(call, as, { name: 'Analytical Engine', description: 'of Ada' })
  const { id: teamId } = (await call('POST /api/teams', { as, body: { name: 'Mathematicians', colour: '#aabbcc' } }))
    .body
  await call(`PATCH /api/teams/${teamId}`, { as, body: { name: 'Computers' } })
  for (const place of [path, `/api/teams/${teamId}`])
    await call(`POST ${place}/members`, { as, body: { email: 'mary@panel.test' } })
  const mary = await registered(call, teller, 'Mary')
  await call(`POST /api/teams/${teamId}/members`, { as, body: { userId: margaret.id } })
  const { id: memberId } = (await call(`POST ${path}/members`, { as, body: { userId: margaret.id } })).body
  const permissions = ['apps:view', 'apps:logs']
  const { id: roleId } = (await call(`POST ${path}/roles`, { as, body: { name: 'Night watch', permissions } })).body
  await call(`PATCH ${path}/roles/${roleId}`, { as, body: { name: 'Day watch' } })
  await call(`PUT ${path}/roles/${roleId}/grants`, { as, body: { permissions: ['apps:view'] } })
  await call(`PATCH ${path}/members/${memberId}/custom-role`, { as, body: { roleId } })
  await call(`PUT ${path}/members/${memberId}/grants`, { as, body: { permissions: ['apps:deploy'] } })
  await call(`PATCH ${path}/members/${memberId}`, { as, body: { role: 'DEVELOPER' } })
  await call(`POST ${path}/teams`, { as, body: { teamId, role: 'DEVELOPER' } })
  await call(`DELETE ${path}/roles/${roleId}`, { as })
  await call(`POST ${path}/transfer-ownership`, { as, body: { memberId } })
  await teller.settle()
  await call(`DELETE ${path}/members/me`, { as: mary.as })
  await call(`DELETE ${path}/teams/${teamId}`, { as: margaret.as })
  await call(`POST ${path}/teams`, { as, body: { teamId } })
  await call(`DELETE /api/teams/${teamId}/members/${margaret.id}`, { as })
  await call(`DELETE /api/teams/${teamId}`, { as })
}

/** The contents of a project, its quota and its end, and a project without an owner. */
export async function runsProjects(call: Call, teller: PanelTeller, { ada, margaret }: People): Promise<void> {
  const { as } = ada
  const path = await project(call, as, { name: 'Difference Engine' })
  await call(`PATCH ${path}`, { as, body: { name: 'Difference Engine No. 2', description: 'lighter' } })
  await call(`PATCH ${path}/quota`, { as, body: { members: 9, environments: 3 } })
  const { id: live } = (await call(`POST ${path}/environments`, { as, body: { name: 'live' } })).body
  const { id: spare } = (await call(`POST ${path}/environments`, { as, body: { name: 'spare' } })).body
  await call(`PATCH ${path}/environments/${spare}`, { as, body: { name: 'staging' } })
  await call(`DELETE ${path}/environments/${spare}`, { as })
  const variables = [
    { name: 'GEARS', value: 'twenty-five thousand' },
    { name: 'STEAM', value: 'secret' },
  ]
  await call(`PUT ${path}/shared-env?environmentId=${live}`, { as, body: { variables } })
  const [{ id: rowId }] = (await call(`PUT ${path}/shared-env`, { as, body: { variables } })).body
  await call(`DELETE ${path}/shared-env/${rowId}`, { as })
  await call(`PUT ${path}/shared-env`, { as, body: { variables: [] } })
  await call(`POST ${path}/members`, { as, body: { userId: margaret.id } })
  await call(`POST ${path}/members`, { as, body: { email: 'awaited@panel.test' } })
  const { id: roleId } = (await call(`POST ${path}/roles`, { as, body: { name: 'Stokers' } })).body
  const { id: teamId } = (await call('POST /api/teams', { as, body: { name: 'Engineers' } })).body
  await call(`POST /api/teams/${teamId}/members`, { as, body: { email: 'awaited@panel.test' } })
  await call(`POST ${path}/teams`, { as, body: { teamId, roleId, environmentIds: [live] } })
  const doomed = await project(call, as, { name: 'Forgotten' })
  await call(`POST ${doomed}/members`, { as, body: { userId: margaret.id, role: 'ADMIN' } })
  await teller.settle()
  await call(`DELETE ${doomed}`, { as })

  const machine = { name: 'nobody’s', kind: 'MACHINE', scopes: ['platform:projects:manage'] }
  const { secret } = (await call('POST /api/api-keys', { as, body: machine })).body
  await call(`POST ${await project(call, secret, { name: 'Made by a machine' })}/claim-ownership`, { as })
}
