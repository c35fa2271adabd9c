/** An append reads the same number of rows however long the log is, even with old query plans. */
import { expect, test } from 'vitest'
import { aConstraint, aStream, anAppend } from '../../support/kernel/appends.ts'
import { ownedStore } from '../../support/kernel/owned-store.ts'

const ROWS_AN_APPEND_MAX = 40

const { store, owner } = await ownedStore(2)

// The tables are not analysed again: plans are made while the tables are empty, and stay.
for (const table of ['event', 'claim', 'chain'])
  await owner.query(`ALTER TABLE store.${table} SET (autovacuum_enabled = false)`)

const appends = async (count: number): Promise<void> => {
  for (let done = 0; done < count; done += 1)
    await store.append({ ...anAppend(aStream(), 0), take: [aConstraint('holder')] })
}

/** Rows of the three tables that appends touch. Backends report at most once a second, and when they are idle. */
async function rowsRead(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  await appends(1)
  await new Promise((resolve) => setTimeout(resolve, 1_200))
  const { rows } = await owner.query(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS read FROM pg_stat_user_tables WHERE schemaname = 'store'`,
  )
  return Number(rows[0].read)
}

test('an append reads a few rows, with 1,000 events before it as with none', async () => {
  await appends(1_000)
  const before = await rowsRead()
  await appends(200)
  expect(((await rowsRead()) - before) / 200).toBeLessThan(ROWS_AN_APPEND_MAX)
})
