/** Worker processes are killed and their queue is emptied, while the clock moves past the times of their jobs. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { isRedisInstalled, redisServer } from '#test/support/redis-server'
import type { RunningProcess } from '../support/processes/process.ts'
import { openSite, signIn } from '../support/processes/site.ts'

const LICENSES = 20
const LIVES_MS = 6_000

const site = await openSite()
afterAll(() => site.close(), 60_000)

async function worker(): Promise<RunningProcess> {
  const running = site.run(['worker'])
  await running.until('worker started')
  return running
}

const expired = async (): Promise<string[]> => {
  const { rows } = await site.superuser.query(
    `SELECT data->>'licenseId' AS id FROM store.event WHERE type = 'LicenseExpired'`,
  )
  return rows.map(({ id }) => id)
}

test(
  'licenses expire while no worker is there: right at once, written down once when two are',
  { timeout: 120_000 },
  async () => {
    const service = await site.service()
    const as = await signIn(service)
    const body = { slug: 'brief', name: 'Brief', graceDays: 0 }
    expect((await service.call('POST', '/api/admin/plans', { as, body })).status).toBe(201)
    const victim = await worker()
    const currentPeriodEnd = new Date(Date.now() + LIVES_MS).toISOString()
    const sell = (nth: number) =>
      service.call('POST', '/api/admin/provisioning', {
        as,
        body: { email: `brief-${nth}@customer.test`, planSlug: 'brief', currentPeriodEnd },
      })
    const sold = await Promise.all(Array.from({ length: LICENSES }, (_, nth) => sell(nth)))
    const ids: string[] = sold.map((reply) => reply.body.license.id)
    // Long enough for the worker to have queued some of the jobs, with their time.
    await pause(LIVES_MS / 3)
    await victim.stop('SIGKILL')
    await site.superuser.query('DELETE FROM bullmq.job')
    // Otherwise the next workers scan 15 s after the last scan of this one.
    await site.superuser.query(`DELETE FROM telemetry.work_look WHERE name = 'turn'`)
    expect(await expired()).toEqual([])

    await pause(Math.max(0, Date.parse(currentPeriodEnd) - Date.now()) + 50)
    for (const id of ids) {
      const { body } = await service.call('GET', `/api/admin/licenses/${id}`, { as })
      expect(body.effectiveStatus).toBe('EXPIRED')
    }
    expect(await expired()).toEqual([])

    const workers = await Promise.all([worker(), worker()])
    await expect.poll(async () => (await expired()).length, { timeout: 40_000 }).toBeGreaterThanOrEqual(LICENSES)
    await pause(2_000)
    expect((await expired()).toSorted()).toEqual(ids.toSorted())

    const { body: ready } = await service.call('GET', '/api/health/ready')
    expect(ready.checks.work).toBe('ok')
    const { body: figures } = await service.call('GET', '/metrics')
    expect(figures).toMatch(/^work_waiting\{work="note-expiries"\} \d+$/m)
    expect(Number(/^work_looked_seconds (\S+)$/m.exec(figures)?.[1])).toBeLessThan(60)
    const { code, said } = await site.finished(['work'])
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringMatching(/^note-expiries( +\d+){3}$/m) })
    for (const running of workers) expect(await running.stop()).toMatchObject({ code: 0, complained: '' })
    await site.rebuiltEqualsLive()
  },
)

test.skipIf(!isRedisInstalled)('a worker whose Redis has gone ends all the same when it is told to', async () => {
  const redis = await redisServer()
  const running = site.run(['worker'], { REDIS_URL: redis.url })
  await running.until('worker started')
  await redis.stop()
  running.child.kill('SIGTERM')
  expect(await running.ended()).toMatchObject({ code: 0 })
})

test('a worker does not start with a Redis that is not there', async () => {
  const { code, complained } = await site.run(['worker'], { REDIS_URL: 'redis://127.0.0.1:1' }).ended()
  expect(code).toBe(1)
  expect(complained).toContain('The Redis of REDIS_URL cannot be reached')
})
