/** Counters of the platform's health, over HTTP. */
import { expect, test } from 'vitest'
import { readModels } from '../../../src/composition/panel.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel({ compareReadModels: false })

const health = async () => {
  const { as } = await panel.somebody('ADMIN', ['system:view'])
  const { status, body, text } = await panel.call('GET', '/api/admin/health', { as })
  expect(status, text).toBe(200)
  return body
}

test('every read model is counted, none is behind once all have caught up', async () => {
  const { as } = await panel.somebody('ADMIN', ['system:view'])
  await panel.panel.projector.catchUp()
  const { body } = await panel.call('GET', '/api/admin/health', { as })
  expect(body).toMatchObject({ readModels: { total: readModels.length, behind: 0, lag: 0, parked: 0 } })
  expect(body.position).toBe(await panel.panel.store.head())
  expect(body.database.bytes).toBeGreaterThan(1_000_000)
  expect(body.process.memoryBytes).toBeGreaterThan(1_000_000)
})

test('an event that could not be applied is a concern', async () => {
  expect(await health()).toMatchObject({ readModels: { parked: 0 } })
  await panel.superuser.query(`UPDATE read.projection SET parked = 2 WHERE name = 'users'`)
  const { status, concern, readModels: counted } = await health()
  await panel.superuser.query(`UPDATE read.projection SET parked = 0 WHERE name = 'users'`)
  expect({ status, concern, parked: counted.parked }).toMatchObject({
    status: 'degraded',
    concern: expect.any(String),
    parked: 2,
  })
})

test('work that waits and work that fails is counted, and a concern when it fails again and again', async () => {
  const [{ name }] = (await panel.superuser.query('SELECT name FROM telemetry.work_reaction LIMIT 1')).rows
  // A worker has just looked: its absence would be the greater concern.
  await panel.superuser.query(`INSERT INTO telemetry.work_look (name, at) VALUES ('turn', clock_timestamp())`)
  await panel.superuser.query('INSERT INTO telemetry.work_pending (reaction, position) VALUES ($1, 1)', [name])
  await panel.superuser.query(
    'INSERT INTO telemetry.work_failure (name, key, failures, error) VALUES ($1, $2, 9, $3)',
    [name, '1', 'away'],
  )
  const found = await health()
  await panel.superuser.query('DELETE FROM telemetry.work_pending')
  await panel.superuser.query('DELETE FROM telemetry.work_failure')
  expect(found).toMatchObject({ status: 'degraded', work: { waiting: 1, failing: 1 } })
  expect(found.concern).toContain('jobs that keep failing: 1')
  expect((await health()).work).toMatchObject({ waiting: 0, failing: 0 })
})
