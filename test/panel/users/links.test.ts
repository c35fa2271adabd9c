/** Accounts of a panel that sends no mail: the administrator who creates one is shown its link, once. */
import { expect, test } from 'vitest'
import { hashSecret, isSecret } from '#kernel/credentials/secret-token'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel({ mail: undefined })

const tokenIn = (link: string): string => {
  const { origin, pathname, search, hash } = new URL(link)
  expect([origin, pathname, search]).toEqual([panel.settings.baseUrl, '/reset-password', ''])
  return hash.replace('#token=', '')
}

const holderOf = (token: string) => panel.run((unit) => unit.holderOf('userLink', hashSecret(token)))

async function linksMade(): Promise<string[]> {
  const events = await panel.history()
  return events.filter(({ type }) => type === 'UserLinkMade').map(({ data }) => JSON.stringify(data))
}

test('whoever makes an account without a mail is shown its link this once', async () => {
  const { as } = await panel.somebody('ADMIN', ['users:view', 'users:manage'])
  const body = { email: 'grace@people.test' }
  const headers = { 'idempotency-key': 'once' }
  const made = await panel.call('POST', '/api/admin/users', { as, body, headers })
  expect(made.status, made.text).toBe(201)
  const token = tokenIn(made.body.link)
  expect(isSecret(token, 'l')).toBe(true)
  expect(await holderOf(token)).toBe(made.body.user.id)
  expect(made.headers.get('cache-control')).toBe('no-store')
  const again = await panel.call('POST', '/api/admin/users', { as, body, headers })
  expect(again.body).toEqual({ user: made.body.user })
  expect(await panel.dump()).not.toContain(token)
  expect(panel.logs()).not.toContain(token)
})

test('a link to reset a password is shown this once, holds ten minutes and changes nothing by itself', async () => {
  const { as } = await panel.somebody('ADMIN', ['users:manage'])
  const user = await panel.somebody()
  const { body } = await panel.call('POST', `/api/admin/users/${user.id}/reset-password`, { as })
  expect(await holderOf(tokenIn(body.link))).toBe(user.id)
  expect((await linksMade()).at(-1)).toMatch(/"purpose":"RESET".*"mailed":false/)
  expect((await panel.call('GET', '/api/auth/me', { as: user.as })).status).toBe(200)
  await panel.signIn(user.email)
})

test('who never had a password is shown a link that holds a day', async () => {
  const { as } = await panel.somebody('ADMIN', ['users:manage'])
  await panel.licensed()
  const made = await panel.call('POST', '/api/admin/users', { as, body: { email: 'ada@people.test' } })
  const path = `/api/admin/users/${made.body.user.id}/reset-password`
  const { body } = await panel.call('POST', path, { as })
  expect(body.link).not.toBe(made.body.link)
  expect((await linksMade()).at(-1)).toMatch(/"purpose":"INVITE"/)
})

test('by the link that was shown a password is chosen, once, and the account counts from then on', async () => {
  await panel.licensed()
  const root = await panel.somebody('SUPERADMIN')
  const [email, password] = ['katherine@people.test', 'orbits are computed by hand 7']
  const made = await panel.call('POST', '/api/admin/users', { as: root.as, body: { email, role: 'SUPERADMIN' } })
  const { id } = made.body.user
  const waiting = await panel.call('PATCH', `/api/users/${id}`, { as: root.as, body: { status: 'ACTIVE' } })
  expect([waiting.status, waiting.headers.get('error-code')]).toEqual([409, 'NOT_VERIFIED'])
  const body = { token: tokenIn(made.body.link), password }
  expect((await panel.call('POST', '/api/auth/reset-password', { body })).status).toBe(204)
  expect((await panel.call('POST', '/api/auth/reset-password', { body })).status).toBe(400)
  const as = await panel.signIn(email, password)
  expect((await panel.call('GET', '/api/users/me', { as })).body).toMatchObject({ id, email, status: 'ACTIVE' })
  expect((await panel.call('DELETE', `/api/users/${root.id}`, { as })).status).toBe(204)
})

test('a link leads nobody back from a suspension', async () => {
  await panel.licensed()
  const { as } = await panel.somebody('ADMIN', ['users:manage'])
  const user = await panel.somebody()
  const { body } = await panel.call('POST', `/api/admin/users/${user.id}/reset-password`, { as })
  await panel.call('PATCH', `/api/users/${user.id}`, { as, body: { status: 'BANNED' } })
  const chosen = { token: tokenIn(body.link), password: 'another passphrase of 42 letters' }
  expect((await panel.call('POST', '/api/auth/reset-password', { body: chosen })).status).toBe(400)
})

test('a link that an administrator was shown does not lead into what the account has become since', async () => {
  await panel.licensed()
  const root = await panel.somebody('SUPERADMIN')
  const { as } = await panel.somebody('ADMIN', ['users:manage'])
  const made = await panel.call('POST', '/api/admin/users', { as, body: { email: 'edith@people.test' } })
  const known = await panel.somebody()
  const reset = await panel.call('POST', `/api/admin/users/${known.id}/reset-password`, { as })
  for (const id of [made.body.user.id, known.id]) {
    const raised = await panel.call('PATCH', `/api/admin/users/${id}/role`, {
      as: root.as,
      body: { role: 'SUPERADMIN' },
    })
    expect(raised.status, raised.text).toBe(200)
  }
  for (const { body } of [made, reset]) {
    const chosen = { token: tokenIn(body.link), password: 'another passphrase of 42 letters' }
    const used = await panel.call('POST', '/api/auth/reset-password', { body: chosen })
    expect([used.status, used.headers.get('error-code')]).toEqual([400, 'LINK_INVALID'])
  }
  const anew = await panel.call('POST', `/api/admin/users/${known.id}/reset-password`, { as: root.as })
  const chosen = { token: tokenIn(anew.body.link), password: 'another passphrase of 42 letters' }
  expect((await panel.call('POST', '/api/auth/reset-password', { body: chosen })).status).toBe(204)
})

test('a link that was shown is not taken away by strangers who ask for one', async () => {
  await panel.licensed()
  const { as } = await panel.somebody('ADMIN', ['users:manage'])
  const email = 'hedy@people.test'
  const made = await panel.call('POST', '/api/admin/users', { as, body: { email } })
  for (let n = 0; n < 4; n += 1) {
    expect((await panel.call('POST', '/api/auth/forgot-password', { body: { email } })).status).toBe(202)
    await panel.settle()
    panel.passTime(5 * 60_000)
  }
  const body = { token: tokenIn(made.body.link), password: 'another passphrase of 42 letters' }
  expect((await panel.call('POST', '/api/auth/reset-password', { body })).status).toBe(204)
})
