/** Which account may change which: the same on every path, over HTTP. users/rules.test.ts tests the rules. */
import { expect, test } from 'vitest'
import { actingUser } from '#panel/access/accounts'
import type { UserCaller } from '#panel/access/user-caller'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()

/** Every route that changes an account, with its input. */
const PATHS: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['PATCH', '/api/users/:id', { name: 'Other' }],
  ['PATCH', '/api/users/:id', { role: 'USER' }],
  ['PATCH', '/api/users/:id', { status: 'SUSPENDED' }],
  ['DELETE', '/api/users/:id'],
  ['PATCH', '/api/admin/users/:id/profile', { name: 'Other' }],
  ['PATCH', '/api/admin/users/:id/role', { role: 'USER' }],
  ['PATCH', '/api/admin/users/:id/status', { status: 'BANNED' }],
  ['POST', '/api/admin/users/:id/reset-password'],
  ['POST', '/api/admin/users/:id/avatar'],
  ['DELETE', '/api/admin/users/:id/avatar'],
  ['DELETE', '/api/admin/users/:id'],
]

const bytes = { raw: 'no picture', headers: { 'content-type': 'application/octet-stream' } }
const asked = (method: string, path: string, as: string, body?: object) =>
  panel.call(method, path, method === 'POST' && path.endsWith('/avatar') ? { as, ...bytes } : { as, body })

test('no path lets an ADMIN change another ADMIN or a SUPERADMIN', async () => {
  const admin = await panel.somebody('ADMIN', ['users:view', 'users:manage'])
  const others = [await panel.somebody('ADMIN'), await panel.somebody('SUPERADMIN')]
  for (const { id, as, email } of others) {
    const before = await panel.call('GET', `/api/admin/users/${id}`, { as: admin.as })
    for (const [method, path, body] of PATHS) {
      const reply = await asked(method, path.replace(':id', id), admin.as, body)
      expect([reply.status, reply.headers.get('error-code')], `${method} ${path}`).toEqual([403, 'HIERARCHY'])
    }
    expect((await panel.call('GET', `/api/admin/users/${id}`, { as: admin.as })).body).toEqual(before.body)
    expect((await panel.call('GET', '/api/users/me', { as })).body).toMatchObject({ id, email })
  }
})

test('no path lets an ADMIN make an ADMIN or a SUPERADMIN', async () => {
  const admin = await panel.somebody('ADMIN', ['users:view', 'users:manage'])
  const user = await panel.somebody()
  for (const role of ['ADMIN', 'SUPERADMIN'])
    for (const [method, path, body] of [
      ['POST', '/api/admin/users', { email: 'new@people.test', role }],
      ['PATCH', `/api/users/${user.id}`, { role }],
      ['PATCH', `/api/admin/users/${user.id}/role`, { role }],
    ] as const) {
      const reply = await panel.call(method, path, { as: admin.as, body })
      expect([reply.status, reply.headers.get('error-code')], `${method} ${path}`).toEqual([403, 'HIERARCHY'])
    }
})

test('the role that counts is the one at that moment: a demoted administrator changes nobody any more', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const other = await panel.somebody('SUPERADMIN')
  const victim = await panel.somebody('ADMIN')
  const demoting = panel.call('PATCH', `/api/admin/users/${other.id}/role`, { as: root.as, body: { role: 'USER' } })
  const change = { as: other.as, body: { name: 'Late' } }
  const [, late] = await Promise.all([demoting, panel.call('PATCH', `/api/users/${victim.id}`, change)])
  expect([200, 401, 403]).toContain(late.status)
  expect((await panel.call('PATCH', `/api/users/${victim.id}`, change)).status).toBe(401)
})

test('whoever acts has the role that the streams say, whatever his session was told when it came in', async () => {
  const [{ id }, gone] = [await panel.account('ADMIN'), await panel.account('SUPERADMIN', 'SUSPENDED')]
  const session = (userId: string): UserCaller => ({
    kind: 'user',
    actor: { type: 'USER', id: userId },
    can: () => true,
    forbiddenMessage: '',
    userId,
    sid: id,
    role: 'SUPERADMIN',
    permissions: [],
  })
  expect(await panel.run((unit) => actingUser(unit, session(id)))).toMatchObject({ id, role: 'ADMIN' })
  await expect(panel.run((unit) => actingUser(unit, session(gone.id)))).rejects.toMatchObject({ statusCode: 401 })
})

test('the last active SUPERADMIN stays, also when each takes the other down at once', async () => {
  const supers = await superadmins()
  const [one, other] = [await panel.somebody('SUPERADMIN'), await panel.somebody('SUPERADMIN')]
  for (const id of supers) await panel.call('DELETE', `/api/admin/users/${id}`, { as: one.as })
  const demote = (by: { as: string }, whom: { id: string }) =>
    panel.call('PATCH', `/api/admin/users/${whom.id}/role`, { as: by.as, body: { role: 'USER' } })
  const statuses = (await Promise.all([demote(one, other), demote(other, one)])).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  const left = (await superadmins())[0]!
  const { as, id } = left === one.id ? one : other
  const leaving = await panel.call('DELETE', `/api/users/${id}`, { as })
  expect([leaving.status, leaving.headers.get('error-code')]).toEqual([409, 'LAST_SUPERADMIN'])
  expect(await superadmins()).toEqual([id])
})

test('of many who take each other down at once in every way, some active SUPERADMIN is left', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => panel.somebody('SUPERADMIN')))
  const ring = new Set(all.map(({ id }) => id))
  for (const id of await superadmins())
    if (!ring.has(id)) await panel.call('DELETE', `/api/users/${id}`, { as: all[0]!.as })
  const replies = await Promise.all(
    all.flatMap(({ as }, n) => {
      const { id } = all[(n + 1) % all.length]!
      return [
        panel.call('PATCH', `/api/users/${id}`, { as, body: { status: 'SUSPENDED' } }),
        panel.call('PATCH', `/api/admin/users/${id}/role`, { as, body: { role: 'ADMIN' } }),
        panel.call('DELETE', `/api/admin/users/${id}`, { as }),
      ]
    }),
  )
  for (const { status, text } of replies) expect([200, 204, 401, 403, 404, 409], text).toContain(status)
  expect((await superadmins()).length).toBeGreaterThanOrEqual(1)
})

async function superadmins(): Promise<string[]> {
  await panel.panel.projector.catchUp()
  const { rows } = await panel.superuser.query(
    `SELECT id FROM read.users WHERE role = 'SUPERADMIN' AND status = 'ACTIVE'`,
  )
  return rows.map(({ id }) => id)
}
