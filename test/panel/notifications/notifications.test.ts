/** Notifications of accounts in the panel, over HTTP. */
import { expect, test } from 'vitest'
import { panelLicense } from '#panel/license/decider'
import { userEvents } from '#panel/users/events'
import { apiKeyFixture, UNKNOWN_ID } from '../../support/panel/api-key-fixture.ts'
import { enableTotp, signIn } from '../../support/panel/people.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
await panel.settle()
const { project, member, patch, remove } = projectFixture(panel)

async function toldTo({ as }: Pick<TestUser, 'as'>, query = ''): Promise<any> {
  await panel.settle()
  await panel.panel.projector.catchUp()
  return ok(await panel.call('GET', `/api/notifications${query}`, { as }))
}
const titles = async (who: Pick<TestUser, 'as'>): Promise<string[]> =>
  (await toldTo(who)).map(({ title }: any) => title)
const unread = async ({ as }: Pick<TestUser, 'as'>) =>
  ok(await panel.call('GET', '/api/notifications/unread-count', { as })).count
const act = (who: TestUser, method: string, path: string) =>
  panel.call(method, `/api/notifications${path}`, { as: who.as })
const asked = ({ as }: TestUser, method: string, path: string, body?: unknown) =>
  panel.call(method, `/api${path}`, { as, ...(body === undefined ? {} : { body }) })
const team = async (owner: TestUser): Promise<string> =>
  ok(await asked(owner, 'POST', '/teams', { name: 'Operations' }), 201).id
const prefer = ({ as }: TestUser, kind: string, isWanted: boolean) => {
  const all = ['NEW_DEVICE', 'SECOND_FACTOR', 'PASSWORD', 'API_KEY', 'MEMBERSHIP', 'LICENSE']
  const wishes = Object.fromEntries(all.map((each) => [each, each === kind ? isWanted : true]))
  return panel.call('PUT', '/api/users/me/notification-preferences', { as, body: { notifications: wishes } })
}

/** As if the account had used a mailed link. */
async function resetPassword({ id }: TestUser): Promise<void> {
  const reset = userEvents.UserPasswordReset({ userId: id, passwordHash: 'of nothing' })
  await panel.run(async (unit) => unit.appendEvent(userEvents, id, reset))
}

test('a new password is told of once, however often it is worked on', async () => {
  const who = await panel.somebody()
  await resetPassword(who)
  const [one, ...others] = await toldTo(who)
  expect(one).toEqual({
    id: expect.any(String),
    kind: 'PASSWORD',
    title: expect.stringContaining('password'),
    projectId: null,
    teamId: null,
    apiKeyId: null,
    serverId: null,
    readAt: null,
    createdAt: expect.any(String),
  })
  expect(others).toEqual([])
  const { position } = (await panel.history()).findLast(({ type }) => type === 'UserPasswordReset')!
  const again = 'INSERT INTO telemetry.work_pending (reaction, position) VALUES ($1, $2)'
  await panel.superuser.query(again, ['notify-accounts', position])
  expect(await titles(who)).toHaveLength(1)
})

test('the second factor is told of', async () => {
  const who = await panel.somebody()
  await enableTotp(panel, who.id)
  expect(await titles(who)).toEqual(['Your second factor was enabled'])
})

test('a device is told of when it is new, and the first one and another version of it are not', async () => {
  const { email } = await panel.account('USER')
  const from = async (userAgent: string): Promise<string> => {
    const { accessToken } = await signIn(panel, { email }, { headers: { 'user-agent': userAgent } })
    await panel.settle()
    return accessToken
  }
  const as = await from('Firefox/140.0 (X11; Linux)')
  await from('Firefox/141.0 (X11; Linux)')
  expect(await titles({ as })).toEqual([])
  await from('Chrome/139 (Windows)')
  await from('Chrome/140 (Windows)')
  expect(await titles({ as })).toEqual(['Somebody signed in with a new device'])
  expect(await panel.dump()).not.toContain('Chrome')
})

test('keys are told of to their owners when another has a hand in them', async () => {
  const [owner, admin] = [await panel.somebody(), await panel.somebody('SUPERADMIN')]
  const ring = apiKeyFixture(panel)
  const own = await ring.minted(owner)
  expect(await toldTo(owner)).toEqual([])
  expect((await ring.revoke(admin, own.id, '/api/admin/api-keys')).status).toBeLessThan(300)
  expect(await toldTo(owner)).toMatchObject([{ kind: 'API_KEY', apiKeyId: own.id, projectId: null }])
  expect(await toldTo(admin)).toEqual([])
})

test('a member is told when he is added, given another role and removed; his own doing is no news', async () => {
  const owner = await panel.somebody()
  const id = await project(owner)
  const who = await member(owner, id, { role: 'VIEWER' })
  ok(await patch(owner, `/${id}/members/${who.memberId}`, { role: 'DEVELOPER' }))
  await panel.settle()
  expect((await remove(owner, `/${id}/members/${who.memberId}`)).status).toBeLessThan(300)
  const told = await toldTo(who)
  expect(told.map(({ title }: any) => title)).toEqual([
    'You were removed from a project',
    'Your role in a project was changed',
    'You were added to a project',
  ])
  expect(told.every(({ projectId }: any) => projectId === id)).toBe(true)
  expect(await toldTo(owner)).toEqual([])
})

test('whoever is put into a team, or taken out of it, is told of it', async () => {
  const [owner, who] = [await panel.somebody(), await panel.somebody()]
  const teamId = await team(owner)
  ok(await asked(owner, 'POST', `/teams/${teamId}/members`, { userId: who.id }), 201)
  ok(await asked(owner, 'POST', `/teams/${teamId}/members`, { email: 'awaited@panel.test' }), 201)
  await panel.settle()
  ok(await asked(owner, 'DELETE', `/teams/${teamId}/members/${who.id}`), 204)
  const told = await toldTo(who)
  expect(told.map(({ title }: any) => title)).toEqual(['You were removed from a team', 'You were added to a team'])
  for (const one of told) expect(one).toMatchObject({ kind: 'MEMBERSHIP', teamId, projectId: null })
  expect(await toldTo(owner)).toEqual([])
})

test('who was in a project or a team that is deleted is told of it, whoever was there by a team among them', async () => {
  const [owner, byTeam, stranger] = [await panel.somebody(), await panel.somebody(), await panel.somebody()]
  const [id, teamId] = [await project(owner), await team(owner)]
  const who = await member(owner, id)
  for (const userId of [byTeam.id, who.id]) ok(await asked(owner, 'POST', `/teams/${teamId}/members`, { userId }), 201)
  ok(await asked(owner, 'POST', `/projects/${id}/teams`, { teamId, role: 'VIEWER' }), 201)
  await panel.settle()
  ok(await remove(owner, `/${id}`), 204)
  const [ofProject, ofTeam] = ['A project that you were in was deleted', 'A team that you were in was deleted']
  for (const each of [who, byTeam])
    expect((await toldTo(each))[0]).toMatchObject({ kind: 'MEMBERSHIP', title: ofProject, projectId: id, teamId: null })
  expect((await titles(who)).filter((title) => title === ofProject)).toHaveLength(1)
  const admin = await panel.somebody('SUPERADMIN')
  ok(await asked(admin, 'DELETE', `/admin/teams/${teamId}`), 204)
  for (const each of [owner, who, byTeam])
    expect((await toldTo(each))[0]).toMatchObject({ title: ofTeam, teamId, projectId: null })
  expect([await toldTo(stranger), await toldTo(admin)]).toEqual([[], []])
})

test('how the license stands is told to who may see that, and to nobody else', async () => {
  const [seeing, blind, user] = [
    await panel.somebody('ADMIN', ['license:view']),
    await panel.somebody('ADMIN', ['users:view']),
    await panel.somebody(),
  ]
  const features = { 'projects.max': -1, 'users.max': -1 }
  const license = { licenseId: 'lic_test', reason: 'OFFLINE', plan: 'test', features, expiresAt: null }
  await panel.run((unit) =>
    unit.decide(panelLicense, undefined, 'NoteState', {
      ...license,
      graceUntil: null,
      state: 'OFFLINE',
      source: 'ONLINE',
    }),
  )
  expect(await titles(seeing)).toContain('The panel’s license is OFFLINE')
  expect(await toldTo(blind)).toEqual([])
  expect(await toldTo(user)).toEqual([])
})

test('what somebody does not want to hear of he is not told', async () => {
  const who = await panel.somebody()
  expect((await prefer(who, 'PASSWORD', false)).status).toBe(200)
  await resetPassword(who)
  expect(await toldTo(who)).toEqual([])
  expect((await prefer(who, 'PASSWORD', true)).status).toBe(200)
  await resetPassword(who)
  expect(await toldTo(who)).toHaveLength(1)
})

test('notifications are read and deleted, one and all, and each of that is recorded', async () => {
  const who = await panel.somebody()
  for (let each = 0; each < 3; each += 1) await resetPassword(who)
  const [newest, middle] = await toldTo(who, '?page=1&pageSize=2').then(({ items, total }) => {
    expect(total).toBe(3)
    return items
  })
  expect(await unread(who)).toBe(3)
  const replies = [await act(who, 'POST', `/${newest.id}/read`)]
  expect(await unread(who)).toBe(2)
  replies.push(await act(who, 'DELETE', `/${middle.id}`))
  expect(await unread(who)).toBe(1)
  const [first] = await toldTo(who)
  expect(first).toEqual({ ...newest, readAt: expect.any(String) })
  replies.push(await act(who, 'POST', '/read-all'))
  expect(await unread(who)).toBe(0)
  replies.push(await act(who, 'DELETE', ''))
  expect(await toldTo(who)).toEqual([])
  replies.push(await act(who, 'POST', '/read-all'), await act(who, 'DELETE', ''))
  const recorded = new Set((await panel.history()).map(({ metadata }) => (metadata as any).requestId))
  for (const { status, headers } of replies)
    expect([status, recorded.has(headers.get('x-request-id'))]).toEqual([204, true])
})

test('those of somebody else are not there: neither to see, nor to read, nor to delete', async () => {
  const [who, other] = [await panel.somebody(), await panel.somebody()]
  await resetPassword(who)
  const [one] = await toldTo(who)
  expect(await toldTo(other)).toEqual([])
  for (const [method, end] of [
    ['POST', '/read'],
    ['DELETE', ''],
  ] as const) {
    const foreign = await act(other, method, `/${one.id}${end}`)
    const unknown = await act(other, method, `/${UNKNOWN_ID}${end}`)
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  }
  expect((await act(other, 'DELETE', '')).status).toBe(204)
  expect((await act(other, 'POST', '/read-all')).status).toBe(204)
  expect(await toldTo(who)).toEqual([one])
})

test('with an account go its notifications', async () => {
  const [who, admin] = [await panel.somebody(), await panel.somebody('SUPERADMIN')]
  await resetPassword(who)
  expect(await toldTo(who)).toHaveLength(1)
  expect((await panel.call('DELETE', `/api/admin/users/${who.id}`, { as: admin.as })).status).toBeLessThan(300)
  await panel.settle()
  await panel.panel.projector.catchUp()
  const { rows } = await panel.superuser.query('SELECT FROM read.notifications WHERE user_id = $1', [who.id])
  expect(rows).toEqual([])
})
