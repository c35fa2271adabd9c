/** One statement moves the checkpoints and writes the rows, or does neither. */
import { afterAll, beforeEach, expect, test } from 'vitest'
import { kyselyFor } from '#kernel/projections/read-database'
import { integer, key, readModel } from '#kernel/projections/read-model'
import { RowBuffer } from '#kernel/projections/row-buffer'
import { writeAtOnce } from '#kernel/projections/write-at-once'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'

const { url, drop } = await testDatabase()
const pool = servicePool(url, { role: 'daybook_projector', max: 4 })
const database = kyselyFor(pool)
afterAll(async () => {
  await pool.end()
  await drop()
})

const left = readModel('left', 1, { id: key, by: integer })
const right = readModel('right', 3, { id: key, by: integer })
const ID = '00000000-0000-7000-8000-000000000001'

beforeEach(async () => {
  await pool.query(`DROP TABLE IF EXISTS read.left, read.right; TRUNCATE read.projection;
    CREATE TABLE read.left (id uuid PRIMARY KEY, by int); CREATE TABLE read.right (id uuid PRIMARY KEY, by int);
    INSERT INTO read.right VALUES ('${ID}', 1);
    INSERT INTO read.projection (name, version, position) VALUES ('left', 1, 5), ('right', 3, 5)`)
})

/** An insertion into one table and a change in the other. */
function changes(): RowBuffer {
  const writes = new RowBuffer()
  left.writer(writes).insert({ id: ID, by: 7 })
  right.writer(writes).update({ id: ID }, { by: 8 })
  return writes
}

const write = (from = 5) => writeAtOnce(database, { group: [left, right], from, to: from + 1 }, changes())

async function present() {
  const rows = 'SELECT by FROM read.left UNION ALL SELECT by FROM read.right'
  const positions = 'SELECT position FROM read.projection ORDER BY name'
  const [written, moved] = await Promise.all([pool.query(rows), pool.query(positions)])
  return { rows: written.rows.map(({ by }) => by), positions: moved.rows.map(({ position }) => position) }
}
const NOTHING_WRITTEN = { rows: [1], positions: [5, 5] }

test('writes every table and moves every checkpoint', async () => {
  const moved = await write()
  expect(moved?.toSorted((one, other) => one.name.localeCompare(other.name))).toEqual([
    { name: 'left', version: 1, position: 6, parked: 0 },
    { name: 'right', version: 3, position: 6, parked: 0 },
  ])
  expect(await present()).toEqual({ rows: [7, 8], positions: [6, 6] })
})

test.each([
  ['another process has moved one', `UPDATE read.projection SET position = 6 WHERE name = 'right'`],
  ['one is of another version', `UPDATE read.projection SET version = 4 WHERE name = 'right'`],
  ['another process has parked an event', `UPDATE read.projection SET parked = 1 WHERE name = 'right'`],
])('writes nothing when %s', async (_what, meanwhile) => {
  await pool.query(meanwhile)
  expect(await write()).toEqual([])
  expect((await present()).rows).toEqual(NOTHING_WRITTEN.rows)
  expect((await present()).positions[0]).toBe(5)
})

test('waits for a process that is about to move one, and then writes nothing', async () => {
  const rival = await pool.connect()
  await rival.query(`BEGIN; UPDATE read.projection SET position = 6 WHERE name = 'right'`)
  const writing = write()
  await rival.query('SELECT pg_sleep(0.2); COMMIT')
  rival.release()
  expect(await writing).toEqual([])
  expect(await present()).toEqual({ rows: [1], positions: [5, 6] })
})

test('of two processes one writes', async () => {
  const both = await Promise.all([write(), write()])
  expect(both.map((moved) => moved!.length).toSorted((one, other) => one - other)).toEqual([0, 2])
  expect(await present()).toEqual({ rows: [7, 8], positions: [6, 6] })
})

test('moves nothing when a row is refused', async () => {
  await pool.query(`INSERT INTO read.left VALUES ('${ID}', 1)`)
  await expect(write()).rejects.toThrow('duplicate key')
  expect((await present()).positions).toEqual([5, 5])
})

test('leaves a buffer alone whose table needs several statements', async () => {
  const writes = changes()
  right.writer(writes).remove({ by: 8 })
  expect(await writeAtOnce(database, { group: [left, right], from: 5, to: 6 }, writes)).toBeUndefined()
  expect(await present()).toEqual(NOTHING_WRITTEN)
})

test('goes on with its plan after the table was replaced', async () => {
  for (let position = 5; position < 8; position += 1) {
    await pool.query('TRUNCATE read.left')
    expect(await write(position)).toHaveLength(2)
  }
  await pool.query('DROP TABLE read.left; CREATE TABLE read.left (more text, id uuid PRIMARY KEY, by int)')
  await pool.query('ALTER TABLE read.left DROP COLUMN more')
  expect(await write(8)).toHaveLength(2)
  expect((await present()).rows).toEqual([7, 8])
})
