import { afterAll, expect, test } from 'vitest'
import { errorText, park, listParkedStreams, unpark } from '#kernel/projections/parked-events'
import { kyselyFor } from '#kernel/projections/read-database'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'

const database = await testDatabase()
const pool = servicePool(database.url, { role: 'daybook_projector' })
const kysely = kyselyFor(pool)
afterAll(async () => {
  await pool.end()
  await database.drop()
})

const COUNT = 20_000
const left = Array.from({ length: COUNT }, (_, index) => ({
  projection: 'wide',
  position: index + 1,
  stream: 'wide',
  error: index === 0 ? 'a “bad” one\\ \n' : null,
}))

test.each([
  ['a\0b', 'a\uFFFDb'],
  [`${'x'.repeat(499)}🙂`, `${'x'.repeat(499)}\uFFFD`],
])('an error that no text can hold parks all the same: %j', async (message, kept) => {
  await kysely.transaction().execute(async (transaction) => {
    await park(transaction, [{ projection: 'odd', position: 1, stream: 's', error: errorText(new Error(message)) }])
    expect(await listParkedStreams(transaction)).toMatchObject([{ error: kept }])
    await unpark(transaction, 'odd', [{ projection: 'odd', position: 1, stream: 's', error: null }], [])
  })
})

test('as many events may be parked at once as a rebuild can find, and as many applied again', async () => {
  await kysely.insertInto('read.projection').values({ name: 'wide', version: 1, position: COUNT }).execute()
  const count = async () =>
    (await kysely.selectFrom('read.projection').select('parked').where('name', '=', 'wide').executeTakeFirst())!.parked
  await kysely.transaction().execute((transaction) => park(transaction, left))
  expect(await count()).toBe(COUNT)
  expect(await listParkedStreams(kysely)).toEqual([
    { projection: 'wide', stream: 'wide', position: 1, events: COUNT, error: left[0]!.error },
  ])
  await kysely.transaction().execute((transaction) => unpark(transaction, 'wide', left, []))
  expect(await count()).toBe(0)
  expect(await listParkedStreams(kysely)).toEqual([])
})
