import { afterAll, expect, test } from 'vitest'
import { NonceStore } from '#kernel/credentials/nonces'
import { RateLimiter } from '#kernel/credentials/rate-limit'
import { Rejection } from '#kernel/lib/rejection'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'

const database = await testDatabase()
const pool = servicePool(database.url, { role: 'daybook_service' })
const other = servicePool(database.url, { role: 'daybook_service' })
afterAll(async () => {
  await Promise.all([pool.end(), other.end()])
  await database.drop()
})

const now = new Date('2026-01-01T00:00:00Z')
const rate = { name: 'signatures', max: 1_000, perSeconds: 3_600 }
const use = (keyId: string, nonce: string, more: object = {}) => ({ keyId, nonce, signer: keyId, rate, now, ...more })

const refused = async (work: Promise<unknown>): Promise<Rejection> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (error instanceof Rejection) return error
  throw new Error('was not refused', { cause: error })
}

test('a nonce is taken once, by whichever of a hundred at once in two processes, and each key has its own', async () => {
  const processes = [new NonceStore(pool), new NonceStore(other)]
  const all = Array.from({ length: 100 }, (_, nth) => processes[nth % 2]!.take(use('key', 'nonce')))
  expect((await Promise.all(all)).filter(Boolean)).toHaveLength(1)
  expect(await processes[0]!.take(use('key', 'nonce'))).toBe(false)
  expect(await processes[0]!.take(use('other', 'nonce'))).toBe(true)
  expect(await processes[1]!.take(use('keyn', 'once'))).toBe(true)
})

test('many nonces at once are all taken', async () => {
  const nonces = new NonceStore(pool)
  const all = await Promise.all(Array.from({ length: 500 }, (_, nth) => nonces.take(use('many', `n${nth}`))))
  expect(all.every(Boolean)).toBe(true)
})

test('who signs too much is refused, and nobody else; copies cost nothing, and time gives it back', async () => {
  const nonces = new NonceStore(pool)
  const two = { rate: { name: 'signatures', max: 2, perSeconds: 3_600 } }
  const count = async () => (await pool.query('SELECT count(*)::int AS n FROM telemetry.request_nonce')).rows[0].n
  expect(await nonces.take(use('greedy', 'n0', two))).toBe(true)
  for (let nth = 0; nth < 5; nth += 1) expect(await nonces.take(use('greedy', 'n0', two))).toBe(false)
  expect(await nonces.take(use('greedy', 'n1', two))).toBe(true)
  const before = await count()
  const refusal = await refused(nonces.take(use('greedy', 'n2', two)))
  expect(refusal).toMatchObject({ statusCode: 429, message: 'Too many signatures: try again later' })
  expect(refusal.headers).toMatchObject({ 'Retry-After': '1800' })
  expect(await count()).toBe(before)
  expect(await nonces.take(use('greedy', 'n2', { ...two, signer: 'an instance' }))).toBe(true)
  expect(await nonces.take(use('modest', 'n2', two))).toBe(true)
  expect(await nonces.take(use('greedy', 'n3', { ...two, now: new Date(now.getTime() + 1_800_000) }))).toBe(true)
})

test('nothing is taken for granted while the store cannot say', async () => {
  const closed = servicePool('postgres://nobody@127.0.0.1:1/nowhere')
  expect(await refused(new NonceStore(closed).take(use('key', 'x')))).toMatchObject({ statusCode: 503 })
  await closed.end()
})

test('a rate lets so many through at once, and the next one when its share of the period is over', async () => {
  const rate = { name: 'tries', max: 4, perSeconds: 3_600 }
  const start = new Date('2026-01-01T00:00:00Z')
  const later = (seconds: number) => new Date(start.getTime() + seconds * 1_000)
  const rates = [new RateLimiter(pool), new RateLimiter(other)]
  const burst = await Promise.allSettled(Array.from({ length: 20 }, (_, nth) => rates[nth % 2]!.take(rate, 'a', start)))
  expect(burst.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)

  const refusal = await refused(rates[0]!.take(rate, 'a', later(10)))
  expect(refusal).toMatchObject({ statusCode: 429, message: 'Too many tries: try again later' })
  expect(refusal.headers).toEqual({
    'Retry-After': '890',
    RateLimit: '"tries";r=0;t=890',
    'RateLimit-Policy': '"tries";q=4;w=3600',
  })
  await rates[0]!.take(rate, 'b', start)
  await rates[1]!.take(rate, 'a', later(900))
  expect((await refused(rates[0]!.take(rate, 'a', later(900)))).statusCode).toBe(429)
  await rates[0]!.take(rate, 'a', later(3_600 * 9))
})
