/** The owner of an API key is notified after 90 days without a use, once for each such period. */
import { expect, test } from 'vitest'
import { users } from '#panel/users/decider'
import { apiKeyFixture, mintWithoutRules } from '../../support/panel/api-key-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const SUBJECT = 'An API key of yours has not been used for 90 days'

const panel = await startPanel()
const { minted, revoke, remove } = apiKeyFixture(panel)

async function after(ms: number): Promise<void> {
  panel.passTime(ms)
  await panel.settle()
}

const mailsOf = ({ email }: Pick<TestUser, 'email'>) =>
  panel.mails.filter(({ to, subject }) => to === email && subject === SUBJECT)

/** Records a use of a key. */
const used = (id: string) =>
  panel.superuser.query(
    `INSERT INTO telemetry.api_key_use (api_key_id, last_used_at) VALUES ($1, $2)
     ON CONFLICT (api_key_id) DO UPDATE SET last_used_at = excluded.last_used_at`,
    [id, panel.panel.clock.now().toISOString()],
  )

async function noticed(who: Pick<TestUser, 'email'>): Promise<any[]> {
  await panel.panel.projector.catchUp()
  const reply = await panel.call('GET', '/api/notifications', { as: await panel.signIn(who.email) })
  return reply.body.filter(({ title }: { title: string }) => title === SUBJECT)
}

test('90 days after it was made or last used, once, and once more when it was used and left again', async () => {
  const who = await panel.somebody()
  const [unused, busy] = [await minted(who), await minted(who)]
  await after(60 * DAY_MS)
  await used(busy.id)
  await after(29 * DAY_MS)
  expect(mailsOf(who)).toEqual([])
  await after(DAY_MS + HOUR_MS)
  expect(mailsOf(who)).toHaveLength(1)
  expect(mailsOf(who)[0]!.text).toContain(unused.id)
  await after(59 * DAY_MS)
  expect(mailsOf(who)).toHaveLength(1)
  await after(2 * DAY_MS)
  expect(mailsOf(who).map(({ text }) => text.includes(busy.id))).toEqual([false, true])
  await used(busy.id)
  await after(89 * DAY_MS)
  expect(mailsOf(who)).toHaveLength(2)
  await after(2 * DAY_MS)
  expect(mailsOf(who).map(({ text }) => text.includes(busy.id))).toEqual([false, true, true])
  expect((await noticed(who))[0]).toMatchObject({ kind: 'API_KEY', apiKeyId: busy.id })
})

test('once also where everything that follows is done again', async () => {
  const who = await panel.somebody()
  await minted(who)
  await after(91 * DAY_MS)
  expect(mailsOf(who)).toHaveLength(1)
  await panel.superuser.query(`DELETE FROM telemetry.work_effect WHERE effect LIKE 'idle-api-keys-all%'`)
  await panel.settle()
  await after(HOUR_MS)
  expect(mailsOf(who)).toHaveLength(1)
})

test('nobody is told of a key that is good for nothing any more, nor who is not active', async () => {
  const [who, suspended] = [await panel.somebody(), await panel.somebody()]
  const [revoked, deleted] = [await minted(who), await minted(who)]
  await revoke(who, revoked.id)
  await remove(who, deleted.id)
  const soon = new Date(panel.panel.clock.now().getTime() + DAY_MS).toISOString()
  await mintWithoutRules(panel, who.id, { expiresAt: soon })
  await minted(suspended)
  const suspension = { by: { id: 'test', role: 'SUPERADMIN' as const }, status: 'SUSPENDED' as const }
  await panel.run((unit) => unit.decide(users, suspended.id, 'ChangeUser', suspension))
  await after(91 * DAY_MS)
  expect([mailsOf(who), mailsOf(suspended)]).toEqual([[], []])
  const said = (await panel.history()).filter(
    ({ type, data }) => type === 'ApiKeyIdleNoted' && data['ownerId'] === who.id,
  )
  expect(said).toEqual([])
})

test('a MACHINE key is nobody’s, so nobody is told', async () => {
  const root = await panel.somebody('SUPERADMIN')
  const { id } = await minted(root, { kind: 'MACHINE' })
  await after(91 * DAY_MS)
  expect(mailsOf(root)).toEqual([])
  expect(
    (await panel.history()).filter(({ type, data }) => type === 'ApiKeyIdleNoted' && data['apiKeyId'] === id),
  ).toEqual([])
})

test('a key that is used is not idle, however short it is kept from where', async () => {
  const [who, root] = [await panel.somebody(), await panel.somebody('SUPERADMIN')]
  const keep = async (telemetryDays: number | null) => {
    const ask = { as: await panel.signIn(root.email), body: { retention: { telemetryDays } } }
    expect((await panel.call('PATCH', '/api/admin/config', ask)).status).toBe(200)
  }
  await keep(30)
  const { id } = await minted(who)
  await after(60 * DAY_MS)
  await used(id)
  await after(40 * DAY_MS)
  await after(HOUR_MS)
  expect(mailsOf(who)).toEqual([])
  await keep(null)
})
