/** The cap of 50 under storms. The events in the log decide the result, not the answers. */
import { expect, test } from 'vitest'
import { apiKeyFixture } from '../../support/panel/api-key-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { TestUser } from '../../support/panel/service.ts'
import { sentInTime, statusesOf } from '../../support/storm.ts'

const panel = await startPanel()
const { revoke, remove, list, use, ...keys } = apiKeyFixture(panel)
const mint: typeof keys.mint = (...ask) => sentInTime(() => keys.mint(...ask))

const active = async (who: TestUser) => (await list(who)).filter(({ status }) => status === 'ACTIVE').length

/** The most keys of a stream that were active at once, computed from the events alone. */
async function mostActive(stream: string): Promise<number> {
  const alive = new Set<string>()
  let most = 0
  for (const { type, data } of await panel.panel.store.readStream(stream)) {
    const { apiKeyId } = data as { apiKeyId: string }
    if (type === 'ApiKeyMinted') alive.add(apiKeyId)
    else alive.delete(apiKeyId)
    most = Math.max(most, alive.size)
  }
  return most
}

test('1,000 concurrent mints of one account: exactly 50, and another account has its own', async () => {
  const [one, other] = [await panel.somebody(), await panel.somebody()]
  const all = await Promise.all(Array.from({ length: 1_000 }, () => mint(one)))
  expect(statusesOf(all)).toEqual({ 201: 50, 409: 950 })
  expect(await active(one)).toBe(50)
  expect((await mint(other)).status).toBe(201)
}, 180_000)

test('MACHINE keys of many minters count together', async () => {
  const roots = await Promise.all([panel.somebody('SUPERADMIN'), panel.somebody('SUPERADMIN')])
  const all = await Promise.all(Array.from({ length: 200 }, (_, nth) => mint(roots[nth % 2]!, { kind: 'MACHINE' })))
  expect(statusesOf(all)).toEqual({ 201: 50, 409: 150 })
  expect(statusesOf(await Promise.all(roots.map((root) => mint(root))))).toEqual({ 201: 2 })
}, 180_000)

test('400 concurrent mints against revocations and deletions: never above 50, never below without reason', async () => {
  const who = await panel.somebody()
  const ended: { status: number }[] = []
  const stale: string[] = []
  const all = await Promise.all(
    Array.from({ length: 400 }, async (_, nth) => {
      const made = await mint(who)
      if (made.status === 201 && nth % 3 > 0) {
        const end = await (nth % 3 === 1 ? revoke : remove)(who, made.body.key.id)
        ended.push(end)
        if (end.status < 300 && (await use(made.body.secret)).status !== 401) stale.push(made.body.key.id)
      }
      return made
    }),
  )
  expect(Object.keys(statusesOf(all)).toSorted()).toEqual(['201', '409'])
  expect(Object.keys(statusesOf(ended)).every((status) => ['200', '204'].includes(status))).toBe(true)
  expect(stale, 'accepted after they were taken away').toEqual([])
  expect(await mostActive(`apiKeys-${who.id}`)).toBe(50)
  for (let left = 50 - (await active(who)); left > 0; left--) expect((await mint(who)).status).toBe(201)
  expect((await mint(who)).status).toBe(409)
}, 180_000)
