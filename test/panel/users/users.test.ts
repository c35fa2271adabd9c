/** Accounts over HTTP: changes of the own account, and changes by administrators. */
import { expect, test } from 'vitest'
import { NOTIFICATION_KINDS } from '#panel/users/events'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import type { Reply } from '../../support/panel/service.ts'

const panel = await startPanel()
const UNKNOWN = '01890000-0000-7000-8000-00000000dead'

const manager = () => panel.somebody('ADMIN', ['users:view', 'users:manage'])
const adding = (as: string, body: object) => panel.call('POST', '/api/admin/users', { as, body })
/** A busy machine refuses some requests: they are repeated. */
async function untilAnswered(as: string, body: object): Promise<Reply> {
  const reply = await adding(as, body)
  return reply.status === 503 ? untilAnswered(as, body) : reply
}
const me = (as: string) => panel.call('GET', '/api/users/me', { as })
let named = 0
const fresh = (): string => `person-${(named += 1)}@people.test`

test('a person reads and renames himself, and nothing else of him', async () => {
  const { as, id, email } = await panel.somebody()
  const shown = { id, email, role: 'USER', status: 'ACTIVE', totpEnabled: false, avatarId: null }
  expect((await me(as)).body).toMatchObject(shown)
  for (const name of ['Ada Lovelace', null]) {
    const renamed = await panel.call('PATCH', '/api/users/me', { as, body: { name } })
    expect(renamed.body).toEqual((await me(as)).body)
    expect(renamed.body).toMatchObject({ ...shown, name })
  }
  for (const body of [{}, { name: '' }, { name: 'x'.repeat(101) }, { name: 'A', role: 'ADMIN' }, { email: 'a@b.test' }])
    expect((await panel.call('PATCH', '/api/users/me', { as, body })).status).toBe(400)
  expect(Object.keys((await me(as)).body)).not.toContain('passwordHash')
})

test('a person wants to be notified of everything until he says otherwise', async () => {
  const { as } = await panel.somebody()
  const path = '/api/users/me/notification-preferences'
  const all = (wanted: boolean) => Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, wanted]))
  expect((await panel.call('GET', path, { as })).body).toEqual({ notifications: all(true) })
  for (const notifications of [{ ...all(false), PASSWORD: true }, all(false)]) {
    expect((await panel.call('PUT', path, { as, body: { notifications } })).body).toEqual({ notifications })
    expect((await panel.call('GET', path, { as })).body).toEqual({ notifications })
  }
  const one = await panel.call('PUT', path, { as, body: { notifications: { SERVER: true } } })
  expect(one.body, 'the others stay').toEqual({ notifications: { ...all(false), SERVER: true } })
  for (const notifications of [{}, { ...all(true), WEATHER: true }, { ...all(true), PASSWORD: 'no' }])
    expect((await panel.call('PUT', path, { as, body: { notifications } })).status).toBe(400)
})

test('administrators list, find and read accounts; nobody else does', async () => {
  const [{ as }, user] = [await manager(), await panel.somebody()]
  const all = await panel.call('GET', '/api/users', { as })
  expect(all.body[0]).toMatchObject({ id: user.id, email: user.email })
  expect(all.headers.get('total-count')).toBe(String(all.body.length))
  for (const [prefix, more] of [
    ['/api/users', {}],
    ['/api/admin/users', { adminPermissions: [], adminRole: null }],
  ] as const) {
    for (const q of [user.email, ` ${user.email.toUpperCase()}`, user.id.toUpperCase()]) {
      const { body } = await panel.call('GET', `${prefix}?page=1&pageSize=2&q=${encodeURIComponent(q)}`, { as })
      expect(body).toMatchObject({ items: [{ id: user.id, email: user.email, ...more }], total: 1 })
    }
    expect((await panel.call('GET', `${prefix}?q=nobody`, { as })).body).toEqual([])
    const admins = await panel.call('GET', `${prefix}?role=ADMIN&status=ACTIVE`, { as })
    expect(new Set(admins.body.map(({ role }: { role: string }) => role))).toEqual(new Set(['ADMIN']))
    expect((await panel.call('GET', `${prefix}/${user.id}`, { as })).body).toMatchObject({ id: user.id, ...more })
    expect((await panel.call('GET', `${prefix}/${UNKNOWN}`, { as })).status).toBe(404)
    expect((await panel.call('GET', `${prefix}?page=1`, { as })).status).toBe(400)
  }
  expect((await panel.call('GET', `/api/users/${user.id}`, { as: user.as })).status).toBe(403)
})

test('what an administrator was granted is shown where administrators are managed, and nowhere else', async () => {
  const { as, id } = await manager()
  const detail = await panel.call('GET', `/api/admin/users/${id}`, { as })
  expect(detail.body).toMatchObject({ adminPermissions: ['users:view', 'users:manage'], adminRole: null })
  expect((await panel.call('GET', `/api/users/${id}`, { as })).body).not.toHaveProperty('adminPermissions')
})

test('an account made by an administrator waits for its link, which sets a password', async () => {
  await panel.licensed()
  const { as } = await manager()
  const email = fresh()
  const made = await adding(as, { email, name: 'Grace' })
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({ link: null, user: { email, role: 'USER', status: 'PENDING_VERIFICATION' } })
  expect((await panel.login(email)).status).toBe(401)
  const { id } = made.body.user
  expect((await panel.call('GET', `/api/users/${id}`, { as })).body).toMatchObject({ id, name: 'Grace' })
  await panel.settle()
  const [mail, ...others] = panel.mails.filter(({ to }) => to === email)
  expect([mail!.text.includes(`${panel.settings.baseUrl}/reset-password#token=`), others]).toEqual([true, []])
  const again = await adding(as, { email: email.toUpperCase() })
  expect([again.status, again.headers.get('error-code')]).toEqual([409, 'EMAIL_TAKEN'])
})

test.each([
  {},
  { email: 'nonsense' },
  { email: 'a@b.test', role: 'ROOT' },
  { email: 'a@b.test', password: PASSWORD },
  { email: 'a@b.test', status: 'ACTIVE' },
])('no account is made of %j', async (body) => {
  expect((await adding((await manager()).as, body)).status).toBe(400)
})

test('accounts are made up to what the license allows, exactly, however many are made at once', async () => {
  const free = await panel.somebody('SUPERADMIN')
  await panel.settle()
  const { rows } = await panel.superuser.query('SELECT count(*)::int AS present FROM read.users')
  const room = 5
  await panel.licensed({ 'users.max': rows[0].present + room })
  const replies = await Promise.all(Array.from({ length: 20 }, () => untilAnswered(free.as, { email: fresh() })))
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(room)
  const refused = replies.filter(({ status }) => status === 402)
  expect(refused).toHaveLength(20 - room)
  expect(refused[0]!.body.message).toMatch(/plan test allows \d+ accounts/)
  await panel.licensed()
})

test('a changed role or status ends the sessions of the account, at once', async () => {
  const root = await panel.somebody('SUPERADMIN')
  for (const change of [{ role: 'ADMIN' }, { status: 'SUSPENDED' }, { status: 'BANNED' }]) {
    const user = await panel.somebody()
    const [field] = Object.keys(change)
    const reply = await panel.call('PATCH', `/api/admin/users/${user.id}/${field}`, { as: root.as, body: change })
    expect(reply.body).toMatchObject({ id: user.id, ...change })
    expect((await me(user.as)).status).toBe(401)
  }
})

test('a suspended account does not sign in until it is reactivated', async () => {
  const { as } = await manager()
  const user = await panel.somebody()
  const set = (status: string) => panel.call('PATCH', `/api/users/${user.id}`, { as, body: { status } })
  expect((await set('SUSPENDED')).body).toMatchObject({ status: 'SUSPENDED' })
  expect((await panel.login(user.email)).status).toBe(401)
  expect((await set('ACTIVE')).body).toMatchObject({ status: 'ACTIVE' })
  expect((await me(user.as)).status).toBe(401)
  await panel.signIn(user.email)
  expect((await set('PENDING_VERIFICATION')).status).toBe(400)
})

test('what is changed by both families is the same', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const { id } = await panel.somebody()
  const change = { name: 'Changed', role: 'ADMIN', status: 'SUSPENDED' }
  const reply = await panel.call('PATCH', `/api/users/${id}`, { as: root.as, body: change })
  expect(reply.body).toMatchObject({ id, ...change })
  expect((await panel.call('GET', `/api/users/${id}`, { as: root.as })).body).toEqual(reply.body)
  const profile = { as: root.as, body: { name: null } }
  expect((await panel.call('PATCH', `/api/admin/users/${id}/profile`, profile)).body).toMatchObject({ name: null })
  for (const body of [{}, { email: 'a@b.test' }, { permissions: ['users:view'] }])
    expect((await panel.call('PATCH', `/api/users/${id}`, { as: root.as, body })).status).toBe(400)
})

test('a password is reset by a link alone: mailed, never set, and not for oneself', async () => {
  const admin = await manager()
  const user = await panel.somebody()
  const reset = (id: string) => panel.call('POST', `/api/admin/users/${id}/reset-password`, { as: admin.as })
  const reply = await reset(user.id)
  expect([reply.status, reply.body]).toEqual([202, { link: null }])
  expect((await me(user.as)).status).toBe(200)
  await panel.signIn(user.email)
  expect((await reset(admin.id)).headers.get('error-code')).toBe('OWN_ACCOUNT')
  expect((await reset(UNKNOWN)).status).toBe(404)
})

test('each change leaves an entry with its request in the audit trail, and what is refused leaves none', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const { id } = await panel.somebody('ADMIN')
  const entries = async (requestId: string) => {
    const { rows } = await panel.superuser.query('SELECT action FROM read.audit_trail WHERE request_id = $1', [
      requestId,
    ])
    return rows.length
  }
  const asked: [string, string, object | undefined, boolean][] = [
    ['PATCH', '/api/users/me', { name: 'Same' }, true],
    ['PATCH', '/api/users/me', { name: 'Same' }, true],
    ['PATCH', `/api/admin/users/${id}/role`, { role: 'ADMIN' }, true],
    ['PATCH', `/api/admin/users/${id}/status`, { status: 'ACTIVE' }, true],
    ['PATCH', `/api/admin/users/${id}/admin-permissions`, { permissions: [] }, true],
    ['PATCH', `/api/admin/users/${id}/admin-role`, { adminRoleId: null }, true],
    ['PATCH', `/api/admin/users/${root.id}/status`, { status: 'ACTIVE' }, false],
    ['PATCH', `/api/admin/users/${root.id}/role`, { role: 'SUPERADMIN' }, false],
    ['DELETE', `/api/users/${UNKNOWN}`, undefined, false],
  ]
  for (const [method, path, body, isDone] of asked) {
    const reply = await panel.call(method, path, { as: root.as, body })
    expect(reply.status < 300, `${method} ${path} ${reply.text}`).toBe(isDone)
    await panel.panel.projector.catchUp()
    expect((await entries(reply.headers.get('x-request-id')!)) > 0, `${method} ${path}`).toBe(isDone)
  }
})
