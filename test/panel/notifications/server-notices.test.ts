/** Accounts that manage a server are told when it needs a person, and others are not. */
import { expect, test } from 'vitest'
import { agentUpdateEvents } from '#panel/agent/updates/events'
import { servers } from '#panel/servers/decider'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { RUN, serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { running, grant } = serverFixture(panel)
const { project, member } = projectFixture(panel)
const root = await panel.somebody('SUPERADMIN')

async function toldTo({ as }: Pick<TestUser, 'as'>): Promise<any[]> {
  await panel.settle()
  await panel.panel.projector.catchUp()
  return ok(await panel.call('GET', '/api/notifications', { as })).filter(({ kind }: any) => kind === 'SERVER')
}

const conflict = (serverId: string) =>
  panel.run((unit) => unit.decide(servers, serverId, 'NoteConflict', { run: RUN, otherRun: unit.newId() }))

test('managers by permission or by a rule are told once, and others are not', async () => {
  const id = await running(root)
  const [manager, user, owner, mate, stranger] = await Promise.all(Array.from({ length: 5 }, () => panel.somebody()))
  const viewing = await panel.somebody('ADMIN', ['servers:view'])
  const projectId = await project(owner!)
  const viewer = await member(owner!, projectId, { role: 'VIEWER' })
  const teamId = ok(await panel.call('POST', '/api/teams', { as: mate!.as, body: { name: 'Operations' } }), 201).id
  await grant(root, id, { userId: manager!.id, level: 'MANAGE' })
  await grant(root, id, { userId: user!.id })
  await grant(root, id, { projectId, level: 'MANAGE' })
  await grant(root, id, { teamId, level: 'MANAGE' })
  await conflict(id)
  for (const each of [root, manager!, owner!, mate!]) {
    const [notice, ...others] = await toldTo(each)
    expect(notice).toMatchObject({ kind: 'SERVER', serverId: id, title: expect.stringContaining('Two agents') })
    expect(others).toEqual([])
  }
  for (const each of [user!, viewer, stranger!, viewing]) expect(await toldTo(each)).toEqual([])
})

test('a server that is offline and a halted update are told of, and a kind that is switched off is not', async () => {
  const id = await running(root)
  const quiet = await panel.somebody('SUPERADMIN')
  const path = '/api/users/me/notification-preferences'
  ok(await panel.call('PUT', path, { as: quiet.as, body: { notifications: { SERVER: false } } }))
  await panel.run(async (unit) => {
    await unit.decide(servers, id, 'GoOffline', { lastContactAt: new Date().toISOString() })
    const updateId = unit.newId()
    const halted = agentUpdateEvents.AgentUpdateHalted({ agentUpdateId: updateId, serverId: id, code: 'TAKEN_BACK' })
    unit.appendEvent(agentUpdateEvents, updateId, halted)
  })
  const titles = (await toldTo(root)).slice(0, 2).map(({ title }) => title)
  expect(new Set(titles)).toEqual(
    new Set([
      'A server that you manage is offline',
      'The update of agents was halted, because a server that you manage ended with TAKEN_BACK',
    ]),
  )
  expect(await toldTo(quiet)).toEqual([])
})
