/** The tests of GET /api/admin/health, which both services answer. */
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import type { Projector } from '#kernel/projections/projector'
import type { ReadModel } from '#kernel/projections/read-model'
import type { Reply } from './serve.ts'

interface ReportingService {
  call(method: string, path: string, given: { as: string }): Promise<Reply>
  readonly superuser: Pool
  readonly running: { readonly projector: Projector; readonly store: EventStore }
  readonly readModels: readonly ReadModel[]
  /** The token of an account that may read the report. */
  reader(): Promise<string>
}

/** Call at the top level of a test file. */
export function testHealthReport({ call, superuser, running, readModels, reader }: ReportingService): void {
  const health = async () => {
    const { status, body, text } = await call('GET', '/api/admin/health', { as: await reader() })
    expect(status, text).toBe(200)
    return body
  }

  test('every read model is counted, none is behind once all have caught up', async () => {
    const as = await reader()
    await running.projector.catchUp()
    const { body } = await call('GET', '/api/admin/health', { as })
    expect(body).toMatchObject({ readModels: { total: readModels.length, behind: 0, lag: 0, parked: 0 } })
    expect(body.position).toBe(await running.store.head())
    expect(body.database.bytes).toBeGreaterThan(1_000_000)
    expect(body.process.memoryBytes).toBeGreaterThan(1_000_000)
  })

  test('an event that could not be applied is a concern', async () => {
    const park = (count: number) =>
      superuser.query('UPDATE read.projection SET parked = $1 WHERE name = $2', [count, readModels[0]!.name])
    expect(await health()).toMatchObject({ readModels: { parked: 0 } })
    await park(2)
    const found = await health()
    await park(0)
    expect(found).toMatchObject({ status: 'degraded', concern: expect.any(String), readModels: { parked: 2 } })
  })

  test('work that waits and work that fails is counted, and a concern when it fails again and again', async () => {
    const [{ name }] = (await superuser.query('SELECT name FROM telemetry.work_reaction LIMIT 1')).rows
    // A worker has just looked: its absence would be the greater concern.
    await superuser.query(`INSERT INTO telemetry.work_look (name, at) VALUES ('turn', clock_timestamp())`)
    await superuser.query('INSERT INTO telemetry.work_pending (reaction, position) VALUES ($1, 1)', [name])
    const failure = 'INSERT INTO telemetry.work_failure (name, key, failures, error) VALUES ($1, $2, 9, $3)'
    await superuser.query(failure, [name, '1', 'away'])
    const found = await health()
    await superuser.query('DELETE FROM telemetry.work_pending')
    await superuser.query('DELETE FROM telemetry.work_failure')
    expect(found).toMatchObject({ status: 'degraded', work: { waiting: 1, failing: 1 } })
    expect(found.concern).toContain('jobs that keep failing: 1')
    expect((await health()).work).toMatchObject({ waiting: 0, failing: 0 })
  })
}
