/** After an erasure the account's actions remain, without its personal data. */
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { emailKeyOf } from '#kernel/auth/sign-in'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { ERASED } from '#kernel/vault/vault'
import { userRoster, users } from '#panel/users/decider'
import { erasedSubjects } from '#panel/users/events'
import { png } from '#test/support/kernel/image-fixtures'
import { rivalWriter } from '#test/support/rival-writer'
import { SYSTEM } from '#test/support/serve'
import { openPanel } from '../../../src/composition/panel.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'

const { followed, overtaking } = rivalWriter()

const panel = await startPanel({ wrapStore: overtaking })

/** Another process on the same events. */
const other = await openPanel(panel.settings, pino({ enabled: false }))
afterAll(() => other.close())
const UNKNOWN = '01890000-0000-7000-8000-00000000dead'

/** The events of an erasure, whose keys are not destroyed yet. */
const erasing = (id: string) => async (unit: UnitOfWork) => {
  await unit.decide(users, id, 'Erase', { by: { id: UNKNOWN, role: 'SUPERADMIN' } })
  await unit.decide(userRoster, undefined, 'Leave', { userId: id })
}

const erase = (as: string, id: string, family = '/api/users') => panel.call('DELETE', `${family}/${id}`, { as })

test.each(['/api/users', '/api/admin/users'])('by DELETE %s/:id a person is gone as if never known', async (family) => {
  const root = await panel.somebody('SUPERADMIN')
  const user = await panel.somebody()
  expect((await erase(root.as, user.id, family)).status).toBe(204)
  expect((await panel.call('GET', '/api/users/me', { as: user.as })).status).toBe(401)
  expect((await panel.login(user.email)).status).toBe(401)
  for (const path of [`${family}/${user.id}`, `/api/users/${user.id}/avatar`]) {
    const unknown = await panel.call('GET', path.replace(user.id, UNKNOWN), { as: root.as })
    const gone = await panel.call('GET', path, { as: root.as })
    expect([gone.status, gone.text]).toEqual([404, unknown.text])
  }
  expect((await erase(root.as, user.id, family)).status).toBe(404)
  const listed = await panel.call('GET', `${family}?q=${user.id}`, { as: root.as })
  expect(listed.body).toEqual([])
})

test.each([
  ['/api/users/:id', 'UserRenamed', { name: 'Grace' }, { name: 'Grace' }],
  ['/api/admin/users/:id/profile', 'UserRenamed', { name: 'Grace' }, { name: 'Grace', adminRole: null }],
  ['/api/admin/users/:id/role', 'UserRoleChanged', { role: 'USER' }, { role: 'USER', adminPermissions: [] }],
  ['/api/admin/users/:id/status', 'UserStatusChanged', { status: 'BANNED' }, { status: 'BANNED' }],
  [
    '/api/admin/users/:id/admin-permissions',
    'UserPermissionsChanged',
    { permissions: ['users:view'] },
    { adminPermissions: ['users:view'] },
  ],
  ['/api/admin/users/:id/admin-role', 'UserAdminRoleChanged', { adminRoleId: null }, { adminRole: null }],
])('a PATCH of %s is answered as it was recorded, also if the account is erased meanwhile', async (...asked) => {
  const [path, type, body, answered] = asked
  const root = await panel.somebody('SUPERADMIN')
  const { id } = await panel.account('ADMIN')
  followed(type, async () => {
    await other.commands.run(SYSTEM, erasing(id))
    await panel.panel.projector.catchUp()
  })
  const reply = await panel.call('PATCH', path.replace(':id', id), { as: root.as, body })
  expect([reply.status, reply.body], reply.text).toMatchObject([200, { id, ...answered }])
  expect((await panel.call('GET', `/api/admin/users/${id}`, { as: root.as })).status).toBe(404)
})

test('his address is anybody’s again', async () => {
  const root = await panel.somebody('SUPERADMIN')
  await panel.licensed()
  const { id, email } = await panel.somebody()
  await erase(root.as, id)
  const again = await panel.call('POST', '/api/admin/users', { as: root.as, body: { email } })
  expect(again.status, again.text).toBe(201)
  expect(again.body.user.id).not.toBe(id)
})

test('how often somebody guessed his password is forgotten with him', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const { id, email } = await panel.somebody()
  const counters = async () =>
    (await panel.superuser.query(`SELECT FROM telemetry.attempt WHERE key LIKE 'password:%'`)).rowCount!
  expect((await panel.login(email, 'not the password')).status).toBe(401)
  const before = await counters()
  expect((await erase(root.as, id)).status).toBe(204)
  expect(await counters()).toBe(before - 1)
})

test('his key is destroyed: whatever was sealed with it reads ERASED for ever', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const { id, as } = await panel.somebody()
  const { vault } = panel.panel
  const subject = `user/${id}`
  const sealed = await vault.seal('Ada', { subject, type: 'UserAdded', field: 'name' })
  await panel.call('PATCH', '/api/users/me', { as, body: { name: 'Ada Lovelace' } })
  await fetch(`${panel.url}/api/auth/profile/avatar`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(png(9, 9)),
  })
  await erase(root.as, id)
  expect(await vault.open(sealed, { subject, field: 'name' })).toBe(ERASED)
  await expect(vault.seal('Ada', { subject, type: 'UserAdded', field: 'name' })).rejects.toThrow(/erased/)
  const { rows } = await panel.superuser.query('SELECT FROM telemetry.avatar WHERE user_id = $1', [id])
  expect(rows).toEqual([])
})

test('an erasure whose process did not live to destroy the keys is finished by another', async () => {
  const { id } = await panel.account('USER')
  await panel.run(erasing(id))
  await panel.panel.projector.catchUp()
  await panel.panel.erasures.destroyPendingKeys()
  const { rows } = await panel.superuser.query(
    'SELECT subject FROM vault.data_key WHERE wrapped IS NULL AND subject = ANY ($1)',
    [erasedSubjects(id)],
  )
  expect(new Set(rows.map(({ subject }) => subject))).toEqual(new Set(erasedSubjects(id)))
})

test('what he was stays nowhere but where it was always readable: his events, sealed', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const { id, email } = await panel.somebody()
  await panel.login(email, `not ${PASSWORD}`)
  await erase(root.as, id)
  const dump = await panel.dump()
  expect(dump).not.toContain(email)
  const history = dump.split('\n').filter((line) => !line.startsWith('telemetry.'))
  expect(history.join('\n')).not.toContain(await emailKeyOf(panel.panel.vault, email))
  expect(panel.logs()).not.toContain(email)
  const { rows } = await panel.superuser.query('SELECT sentence FROM read.audit_trail WHERE $1 = ANY (ids)', [id])
  expect(rows.map(({ sentence }) => sentence)).toContain(`erased account ${id}`)
})

test('his API keys end with him, and from where they called is sealed with what is destroyed', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const user = await panel.somebody()
  const body = { name: 'deploys', scopes: ['platform:projects:view', 'platform:projects:manage'] }
  const minted = await panel.call('POST', '/api/api-keys', { as: user.as, body })
  const { key, secret } = minted.body
  const made = await panel.call('POST', '/api/projects', { as: secret, body: { name: 'Anything' } })
  expect(made.status, made.text).toBe(201)
  await erase(root.as, user.id)
  expect((await panel.call('GET', '/api/projects', { as: secret })).status).toBe(401)
  await panel.panel.projector.catchUp()
  const { rows } = await panel.superuser.query('SELECT revoked_at FROM read.api_keys WHERE id = $1', [key.id])
  expect(rows[0].revoked_at).not.toBeNull()
  const { rows: destroyed } = await panel.superuser.query(
    'SELECT subject FROM vault.data_key WHERE wrapped IS NULL AND subject = $1',
    [`api_key/${key.id}`],
  )
  expect(destroyed).toHaveLength(1)
})
