/** Counters of the service's health, over HTTP. */
import { expect, test } from 'vitest'
import { readModels } from '../../../src/composition/licensing.ts'
import { startService } from '../../support/licensing/service.ts'

const service = await startService({ compareReadModels: false })

const health = async () => {
  const as = await service.staff('AUDITOR')
  const { status, body, text } = await service.call('GET', '/api/admin/health', { as })
  expect(status, text).toBe(200)
  return body
}

test('every read model is counted, none is behind once all have caught up', async () => {
  const as = await service.staff('AUDITOR')
  await service.licensing.projector.catchUp()
  const { body } = await service.call('GET', '/api/admin/health', { as })
  expect(body).toMatchObject({ readModels: { total: readModels.length, behind: 0, lag: 0, parked: 0 } })
  expect(body.position).toBe(await service.licensing.store.head())
  expect(body.database.bytes).toBeGreaterThan(1_000_000)
  expect(body.process.memoryBytes).toBeGreaterThan(1_000_000)
})

test('an event that could not be applied is a concern', async () => {
  expect(await health()).toMatchObject({ readModels: { parked: 0 } })
  await service.superuser.query(`UPDATE read.projection SET parked = 2 WHERE name = 'customers'`)
  const { status, concern, readModels: counted } = await health()
  await service.superuser.query(`UPDATE read.projection SET parked = 0 WHERE name = 'customers'`)
  expect({ status, concern, parked: counted.parked }).toMatchObject({
    status: 'degraded',
    concern: expect.any(String),
    parked: 2,
  })
})

test('work that waits and work that fails is counted, and a concern when it fails again and again', async () => {
  const [{ name }] = (await service.superuser.query('SELECT name FROM telemetry.work_reaction LIMIT 1')).rows
  // A worker has just looked: its absence would be the greater concern.
  await service.superuser.query(`INSERT INTO telemetry.work_look (name, at) VALUES ('turn', clock_timestamp())`)
  await service.superuser.query('INSERT INTO telemetry.work_pending (reaction, position) VALUES ($1, 1)', [name])
  await service.superuser.query(
    'INSERT INTO telemetry.work_failure (name, key, failures, error) VALUES ($1, $2, 9, $3)',
    [name, '1', 'away'],
  )
  const found = await health()
  await service.superuser.query('DELETE FROM telemetry.work_pending')
  await service.superuser.query('DELETE FROM telemetry.work_failure')
  expect(found).toMatchObject({ status: 'degraded', work: { waiting: 1, failing: 1 } })
  expect(found.concern).toContain('jobs that keep failing: 1')
  expect((await health()).work).toMatchObject({ waiting: 0, failing: 0 })
})
