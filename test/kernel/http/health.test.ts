import { describe, expect, it, vi } from 'vitest'
import { readiness } from '#kernel/http/health'
import { metrics } from '#kernel/http/metrics'
import { everyone, route } from '#kernel/http/route'
import { rig } from '../../support/kernel/http-rig.ts'

const ok = { name: 'database', ask: async () => {} }
const failing = {
  name: 'projections',
  ask: async () => {
    throw new Error('canary')
  },
}

describe('health', () => {
  it('is alive whatever its checks say, and ready only when all of them pass', async () => {
    const state = readiness([ok, failing])
    const server = await rig(state.routes)
    expect(await server.call('GET', '/api/health')).toMatchObject({ status: 200, json: { status: 'ok' } })
    const { status, json } = await server.call('GET', '/api/health/ready')
    expect({ status, json }).toEqual({
      status: 503,
      json: { status: 'failing', checks: { database: 'ok', projections: 'failing' } },
    })
    await server.close()
  })

  it('is degraded, and says by how much, while it can do all but some of its work', async () => {
    const parked = { name: 'projections', ask: async () => 'events parked: 3' }
    const some = await rig(readiness([ok, parked]).routes)
    expect(await some.call('GET', '/api/health/ready')).toMatchObject({
      status: 200,
      json: {
        status: 'degraded',
        checks: { database: 'ok', projections: 'degraded' },
        notes: { projections: 'events parked: 3' },
      },
    })
    await some.close()
    const worse = await rig(readiness([parked, { ...failing, name: 'database' }]).routes)
    expect(await worse.call('GET', '/api/health/ready')).toMatchObject({ status: 503, json: { status: 'failing' } })
    await worse.close()
  })

  it('is ready until it is told that the end is near', async () => {
    const state = readiness([ok])
    const server = await rig(state.routes)
    expect(await server.call('GET', '/api/health/ready')).toMatchObject({
      status: 200,
      json: { status: 'ok', checks: { database: 'ok' } },
    })
    state.close()
    expect(await server.call('GET', '/api/health/ready')).toMatchObject({ status: 503, json: { status: 'failing' } })
    await server.close()
  })

  it('gives a check less than two seconds', { retry: 2 }, async () => {
    const stuck = { name: 'stuck', ask: () => new Promise<void>(() => {}) }
    const server = await rig(readiness([ok, stuck]).routes)
    const startedMs = performance.now()
    const { json } = await server.call('GET', '/api/health/ready')
    expect(json.checks).toEqual({ database: 'ok', stuck: 'failing' })
    expect(performance.now() - startedMs).toBeLessThan(2_000)
    await server.close()
  })
})

describe('metrics', () => {
  const appending = route('POST /append/:id', {
    does: 'Append.',
    access: everyone,
    handle: async ({ run }) => {
      await run(async () => undefined, { type: 'SYSTEM', id: 'test' })
    },
  })

  it('count answers by route and status, and appended events by type', async () => {
    const figures = metrics({
      projections: async () => [{ name: 'plans', position: 3, lag: 7, lagSeconds: 1.5, applied: 40, parked: 2 }],
    })
    const server = await rig([appending, ...figures.routes], { observer: figures.observer })
    await server.call('POST', '/append/01940000-0000-7000-8000-000000000001')
    await server.call('POST', '/append/none')
    await server.call('GET', '/canary')
    await vi.waitFor(
      async () => {
        const { text, headers } = await server.call('GET', '/metrics')
        expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
        expect(text).toContain('http_request_duration_seconds_count{route="POST /append/:id",status="204"} 1')
        expect(text).toContain('http_request_duration_seconds_count{route="POST /append/:id",status="404"} 1')
        expect(text).toContain('http_request_duration_seconds_count{route="none",status="404"} 1')
        expect(text).toContain('events_appended_total{type="ThingHappened"} 1')
        expect(text).toContain('projection_lag_events{projection="plans"} 7')
        expect(text).toContain('projection_lag_seconds{projection="plans"} 1.5')
        expect(text).toContain('projection_parked_events{projection="plans"} 2')
        expect(text).toContain('projection_applied_events_total{projection="plans"} 40')
        expect(text).toContain('nodejs_eventloop_lag_seconds')
        expect(text).not.toContain('canary')
      },
      { timeout: 10_000 },
    )
    await server.close()
  })

  it('are shown without the lag while the database is away', async () => {
    const figures = metrics({ projections: async () => Promise.reject(new Error('away')) })
    const server = await rig(figures.routes)
    expect(await server.call('GET', '/metrics')).toMatchObject({ status: 200 })
    await server.close()
  })

  it.each([
    [undefined, 200],
    [['127.0.0.1'], 200],
    [['10.0.0.0/8'], 404],
    [[], 404],
  ])('exist only for %j', async (allowed, status) => {
    const server = await rig(metrics(allowed ? { allowed } : {}).routes)
    expect((await server.call('GET', '/metrics')).status).toBe(status)
    await server.close()
  })
})
