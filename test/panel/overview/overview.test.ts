/** The overview of the whole platform for administrators, over HTTP. */
import { expect, test } from 'vitest'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()

const overview = async (as: string) => (await panel.call('GET', '/api/admin/overview', { as })).body

test('accounts, projects, keys and sessions are counted, and what is gone is not', async () => {
  const { as } = await panel.somebody('SUPERADMIN')
  const before = await overview(as)
  await panel.account('USER', 'SUSPENDED')
  await panel.account('USER', 'PENDING_VERIFICATION')
  const project = await panel.call('POST', '/api/projects', { as, body: { name: 'One' } })
  const body = { kind: 'PERSONAL', name: 'Deploys', scopes: ['platform:projects:view'] }
  const keys = [
    await panel.call('POST', '/api/api-keys', { as, body }),
    await panel.call('POST', '/api/api-keys', { as, body }),
  ]
  expect([project.status, ...keys.map(({ status }) => status)]).toEqual([201, 201, 201])
  await panel.panel.projector.catchUp()
  const { users, ...after } = await overview(as)
  expect(users.total).toBe(before.users.total + 2)
  expect(users.byStatus).toEqual({
    ...before.users.byStatus,
    SUSPENDED: before.users.byStatus.SUSPENDED + 1,
    PENDING_VERIFICATION: before.users.byStatus.PENDING_VERIFICATION + 1,
  })
  expect(after.projects).toEqual({ total: before.projects.total + 1, unowned: before.projects.unowned })
  expect(after.apiKeys.active).toBe(before.apiKeys.active + 2)
  expect(after.sessions.active).toBe(before.sessions.active)
  const [row] = (await panel.call('GET', '/api/api-keys', { as })).body
  expect((await panel.call('POST', `/api/api-keys/${row.id}/revoke`, { as })).status).toBeLessThan(300)
  expect((await overview(as)).apiKeys.active).toBe(before.apiKeys.active + 1)
})

test('the newest accounts come first, ten at most', async () => {
  const { as } = await panel.somebody('SUPERADMIN')
  const ids: string[] = []
  for (let each = 0; each < 11; each += 1) ids.unshift((await panel.account('USER')).id)
  const { recentSignups } = await overview(as)
  expect(recentSignups.map(({ id }: any) => id)).toEqual(ids.slice(0, 10))
})

test('who may not look at accounts sees neither addresses nor names', async () => {
  const blind = await panel.somebody('ADMIN', ['system:view'])
  const seeing = await panel.somebody('ADMIN', ['system:view', 'users:view'])
  const { email } = await panel.account('USER')
  const seen = await overview(seeing.as)
  expect(seen.recentSignups[0]).toMatchObject({ email, name: expect.any(String), status: 'ACTIVE' })
  const { recentSignups } = await overview(blind.as)
  expect(recentSignups[0]).toEqual({ ...seen.recentSignups[0], email: null, name: null })
  expect(JSON.stringify(recentSignups)).not.toContain('@')
})
