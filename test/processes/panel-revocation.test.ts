/** The same as revocation.test.ts for the panel: API keys, sessions, and the membership that gives a right. */
import { afterAll, expect, test } from 'vitest'
import { callPanel, firstSession, memberSession } from '../support/processes/panel-process.ts'
import { openPanelSite } from '../support/processes/panel-site.ts'
import { expectRevocationHolds } from '../support/processes/revocation-storm.ts'

const site = await openPanelSite()
afterAll(site.close, 60_000)
async function opening() {
  const [one, other] = [await site.serving(), await site.serving()]
  const boss = await firstSession(one.url, one.running)
  const call = async (method: string, path: string, as: string, body?: unknown): Promise<any> => {
    const reply = await callPanel(one.url, method, path, as, body)
    expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBeLessThan(300)
    return reply.body
  }
  const member = await memberSession(one.url, boss)
  const { id } = await call('POST', '/projects', boss, { name: 'Shop' })
  const readAs = (as: string) => callPanel(other.url, 'GET', `/projects/${id}`, as)
  return { boss, call, member, members: `/projects/${id}/members`, readAs }
}

const opened = opening()

test('a revoked API key: what is sent after the answer is refused', async () => {
  const { boss, call, readAs } = await opened
  const { key, secret } = await call('POST', '/api-keys', boss, { name: 'CI', scopes: ['platform:projects:view'] })
  await expectRevocationHolds({
    use: () => readAs(secret),
    revoke: () => call('POST', `/api-keys/${key.id}/revoke`, boss),
    refused: 401,
  })
}, 120_000)

test('a member who leaves a project: what is sent after the answer is refused', async () => {
  const { boss, call, member, members, readAs } = await opened
  const { id } = await call('POST', members, boss, { userId: member.id, role: 'VIEWER' })
  await expectRevocationHolds({
    use: () => readAs(member.as),
    revoke: () => call('DELETE', `${members}/${id}`, boss),
    refused: 404,
  })
}, 120_000)

test('a session that signs out: what is sent after the answer is refused', async () => {
  const { boss, call, member, members, readAs } = await opened
  await call('POST', members, boss, { userId: member.id, role: 'VIEWER' })
  await expectRevocationHolds({
    use: () => readAs(member.as),
    revoke: () => call('POST', '/auth/logout', member.as, {}),
    refused: 401,
  })
}, 120_000)
