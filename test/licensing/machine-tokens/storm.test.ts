/** The cap of 50 under storms, through one service. The events in the log decide the result, not the answers. */
import { expect, test } from 'vitest'
import { machineTokens } from '#licensing/machine-tokens/decider'
import { startService } from '../../support/licensing/service.ts'
import { sentInTime, statusesOf } from '../../support/storm.ts'

const PATH = '/api/admin/machine-tokens'
const service = await startService()
const { run } = service
const call: typeof service.call = (...ask) => sentInTime(() => service.call(...ask))

interface Minted {
  readonly status: number
  readonly id?: string
}

const as = await service.staff()
async function mint(expiresAt: string | null = null): Promise<Minted> {
  const { status, body } = await call('POST', PATH, {
    as,
    body: { name: 'storm', permissions: ['plans:view'], expiresAt },
  })
  return { status, id: body.token?.id }
}
const revoke = (id: string) => call('POST', `${PATH}/${id}/revoke`, { as })
const live = async () => (await call('GET', `${PATH}?status=ACTIVE&pageSize=1`, { as })).body.total

const revokeAll = () =>
  run(async (unit) => {
    for (const { id } of await unit.load(machineTokens))
      await unit.decide(machineTokens, undefined, 'RevokeToken', { machineTokenId: id })
  })

/** The most tokens that were live at once, computed from the events alone. */
async function mostLive(): Promise<number> {
  const events = await service.licensing.store.readStream('machineTokens')
  const ends = new Map<string, number>()
  let most = 0
  for (const { type, data, metadata } of events) {
    const { machineTokenId: id, expiresAt } = data as { machineTokenId: string; expiresAt?: string | null }
    if (type === 'MachineTokenRevoked') ends.delete(id)
    else ends.set(id, expiresAt ? Date.parse(expiresAt) : Infinity)
    const nowMs = Date.parse(metadata['at'] as string)
    most = Math.max(most, [...ends.values()].filter((ms) => ms > nowMs).length)
  }
  return most
}

test('1,000 concurrent mints: exactly 50', async () => {
  const all = await Promise.all(Array.from({ length: 1_000 }, () => mint()))
  expect(statusesOf(all)).toEqual({ 201: 50, 409: 950 })
  expect(await live()).toBe(50)
  await revokeAll()
}, 120_000)

test('400 concurrent mints against revocations and rotations: never above 50, never below without reason', async () => {
  const revoked: { status: number }[] = []
  const rotated: { status: number }[] = []
  const all = await Promise.all(
    Array.from({ length: 400 }, async (_, nth) => {
      const made = await mint()
      if (made.id && nth % 3 === 0) revoked.push(await revoke(made.id))
      if (made.id && nth % 3 === 1)
        rotated.push(await call('POST', `${PATH}/${made.id}/rotate`, { as, body: { overlapMinutes: nth % 2 } }))
      return made
    }),
  )
  expect(Object.keys(statusesOf([...all, ...rotated])).toSorted()).toEqual(['201', '409'])
  expect(Object.keys(statusesOf(revoked))).toEqual(['200'])
  expect(await mostLive()).toBe(50)
  for (let left = 50 - (await live()); left > 0; left--) expect((await mint()).status).toBe(201)
  expect((await mint()).status).toBe(409)
  expect(await live()).toBe(50)
  await revokeAll()
}, 120_000)

test('expiries make room, exactly as much as they end', async () => {
  const soon = new Date(Date.now() + 8_000).toISOString()
  const mortal = await Promise.all(Array.from({ length: 20 }, () => mint(soon)))
  const lasting = await Promise.all(Array.from({ length: 100 }, () => mint()))
  expect(statusesOf([...mortal, ...lasting])).toEqual({ 201: 50, 409: 70 })
  await expect.poll(live, { timeout: 20_000 }).toBe(30)
  expect(statusesOf(await Promise.all(Array.from({ length: 100 }, () => mint())))).toEqual({ 201: 20, 409: 80 })
  expect(await live()).toBe(50)
  expect(await mostLive()).toBe(50)
}, 120_000)
