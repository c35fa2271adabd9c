/** A new password ends no API key. Its owner is told which keys still work, and can revoke them all at once. */
import { expect, test } from 'vitest'
import { apiKeyFixture } from '../../support/panel/api-key-fixture.ts'
import { mailedToken } from '../../support/panel/people.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

const panel = await startPanel()
const { minted, use, revoke, list } = apiKeyFixture(panel)
const NEW = 'another quite long passphrase'
const SUBJECT = 'Your password was set'

/** @returns what the account was told by mail and in the panel, and its new session */
async function reset(who: TestUser, more: object = {}) {
  await panel.call('POST', '/api/auth/forgot-password', { body: { email: who.email } })
  const { token } = await mailedToken(panel, who.email)
  const { status, text } = await panel.call('POST', '/api/auth/reset-password', {
    body: { token, password: NEW, ...more },
  })
  expect(status, text).toBe(204)
  await panel.settle()
  const as = await panel.signIn(who.email, NEW)
  const { body } = await panel.call('GET', '/api/notifications', { as })
  const titles: string[] = body.map(({ title }: { title: string }) => title)
  const mail = panel.mails.findLast(({ to, subject }) => to === who.email && subject === SUBJECT)!
  return { as, mail: mail.text, title: titles.find((title) => title.startsWith(SUBJECT))! }
}

const statuses = (secrets: readonly { readonly secret: string }[]) =>
  Promise.all(secrets.map(async ({ secret }) => (await use(secret)).status))

test('those that work on are told of, and revoked by one request', async () => {
  const [who, other, root] = [await panel.somebody(), await panel.somebody(), await panel.somebody('SUPERADMIN')]
  const keys = [await minted(who), await minted(who)]
  const gone = await minted(who)
  await revoke(who, gone.id)
  const foreign = [await minted(other), await minted(root, { kind: 'MACHINE' })]
  const { as, mail, title } = await reset(who)
  expect(await statuses(keys)).toEqual([200, 200])
  for (const { id } of keys) expect(mail).toContain(id)
  for (const { id } of [gone, ...foreign]) expect(mail).not.toContain(id)
  expect(title).toContain('2 of your API keys work on')

  const all = await revoke({ as }, 'all')
  expect([all.status, all.body.map(({ id, status }: any) => `${id} ${status}`).toSorted()]).toEqual([
    200,
    keys.map(({ id }) => `${id} REVOKED`).toSorted(),
  ])
  expect(await statuses([...keys, ...foreign])).toEqual([401, 401, 200, 200])
  expect((await list({ as })).map(({ status }) => status)).toEqual(['REVOKED', 'REVOKED', 'REVOKED'])
  const recorded = (await panel.history()).filter(
    ({ metadata }) => (metadata as any).requestId === all.headers.get('x-request-id'),
  )
  expect(recorded.map(({ type }) => type)).toEqual(['ApiKeyRevoked', 'ApiKeyRevoked'])
  const again = await revoke({ as }, 'all')
  expect([again.status, again.body.message]).toEqual([404, 'Not found'])
  expect((await revoke(root, 'all', '/api/admin/api-keys')).status).toBe(404)
  expect(await statuses(foreign)).toEqual([200, 200])
})

test('all of them go with the password, where that is wished', async () => {
  const [who, other] = [await panel.somebody(), await panel.somebody()]
  const [keys, foreign] = [[await minted(who), await minted(who)], [await minted(other)]]
  const { mail, title } = await reset(who, { revokeApiKeys: true })
  expect(await statuses([...keys, ...foreign])).toEqual([401, 401, 200])
  expect([mail, title].filter((text) => text.includes('API key'))).toEqual([])
})

test('a link that does not count revokes nothing', async () => {
  const who = await panel.somebody()
  const key = await minted(who)
  await panel.call('POST', '/api/auth/forgot-password', { body: { email: who.email } })
  const { token } = await mailedToken(panel, who.email)
  for (const body of [
    { token, password: 'short', revokeApiKeys: true },
    { token: 'dbl_nothing', password: NEW, revokeApiKeys: true },
    { token, password: NEW, revokeApiKeys: 'yes' },
  ])
    expect((await panel.call('POST', '/api/auth/reset-password', { body })).status).toBe(400)
  expect(await statuses([key])).toEqual([200])
})
