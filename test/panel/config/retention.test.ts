/** How long data is kept that is not history. */
import { expect, test } from 'vitest'
import { hashPassword } from '#kernel/credentials/password'
import { userEvents } from '#panel/users/events'
import { ok } from '../../support/panel/project-fixture.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'

const DAY_MS = 86_400_000

const panel = await startPanel()
await panel.licensed()

async function keep(retention: Record<string, number | null>): Promise<void> {
  const { as } = await panel.somebody('ADMIN', ['settings:manage'])
  expect((await panel.call('PATCH', '/api/admin/config', { as, body: { retention } })).status).toBe(200)
}

/** As if an administrator had set a password for the account, which is notified of it. */
async function tell({ id }: TestUser): Promise<void> {
  const reset = userEvents.UserPasswordReset({ userId: id, passwordHash: await hashPassword(PASSWORD) })
  await panel.run(async (unit) => unit.appendEvent(userEvents, id, reset))
  await panel.settle()
}

async function notices({ email }: TestUser): Promise<number> {
  await panel.settle()
  await panel.panel.projector.catchUp()
  return ok(await panel.call('GET', '/api/notifications', { as: await panel.signIn(email) })).length
}

const expired = async () => (await panel.history()).filter(({ type }) => type === 'UserNotificationsExpired')

test('a notification goes when its time is over, and not before; what it was told by stays', async () => {
  await keep({ notificationDays: 7 })
  const who = await panel.somebody()
  await tell(who)
  panel.passTime(6 * DAY_MS)
  await tell(who)
  expect(await notices(who)).toBe(2)
  const before = (await expired()).length
  panel.passTime(1.5 * DAY_MS)
  expect(await notices(who)).toBe(1)
  expect(await notices(who)).toBe(1)
  const events = await expired()
  expect(events).toHaveLength(before + 1)
  expect(events.at(-1)!.data['notificationIds']).toHaveLength(1)
  const added = (await panel.history()).filter(
    ({ type, data }) => type === 'NotificationAdded' && data['userId'] === who.id,
  )
  expect(added).toHaveLength(2)
})

test('a retention that is made shorter holds for what is there already', async () => {
  await keep({ notificationDays: null })
  const who = await panel.somebody()
  await tell(who)
  panel.passTime(30 * DAY_MS)
  expect(await notices(who)).toBe(1)
  await keep({ notificationDays: 29 })
  panel.passTime(DAY_MS / 12)
  expect(await notices(who)).toBe(0)
})

test('from where a key was used is forgotten when the time of that is over', async () => {
  await keep({ telemetryDays: 10 })
  const who = await panel.somebody()
  const body = { name: 'ci', scopes: ['platform:projects:view'] }
  const mint = async () => ok(await panel.call('POST', '/api/api-keys', { as: who.as, body }), 201)
  const [old, young] = [await mint(), await mint()]
  const addresses = async () => {
    await panel.settle()
    const as = await panel.signIn(who.email)
    const list = ok(await panel.call('GET', '/api/api-keys', { as }))
    return Object.fromEntries(
      list.map(({ id, lastUsedAt, lastUsedIp }: any) => [id, [lastUsedAt !== null, lastUsedIp]]),
    )
  }
  const use = async ({ key, secret }: { key: { id: string }; secret: string }) => {
    ok(await panel.call('GET', '/api/projects', { as: secret }))
    await expect.poll(async () => (await addresses())[key.id], { timeout: 30_000 }).toEqual([true, '127.0.0.1'])
  }
  await use(old)
  panel.passTime(9 * DAY_MS)
  await use(young)
  panel.passTime(2 * DAY_MS)
  expect(await addresses()).toEqual({ [old.key.id]: [true, null], [young.key.id]: [true, '127.0.0.1'] })
})

test('a session that nobody has used for so long is not said to have been used', async () => {
  await keep({ telemetryDays: 2 })
  const who = await panel.somebody()
  const { sid } = JSON.parse(Buffer.from(who.as.split('.')[1]!, 'base64url').toString())
  const sql = 'SELECT FROM telemetry.user_session_use WHERE session_id = $1'
  const used = async () => (await panel.superuser.query(sql, [sid])).rowCount
  ok(await panel.call('GET', '/api/auth/me', { as: who.as }))
  await expect.poll(used, { timeout: 30_000 }).toBe(1)
  panel.passTime(3 * DAY_MS)
  await panel.settle()
  expect(await used()).toBe(0)
})
