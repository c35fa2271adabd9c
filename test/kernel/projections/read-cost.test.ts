/** A look-up reads the same number of rows however long the log is, even with old query plans. */
import { expect, test } from 'vitest'
import { aConstraint, anAppend, anEvent, aStream } from '../../support/kernel/appends.ts'
import { ownedStore } from '../../support/kernel/owned-store.ts'

const LOOK_UPS = 100
/** Three events, one of them again, one unique constraint and the newest event. */
const ROWS_LOOKED_UP = 6
const REPORTED_AFTER_MS = 1_200

const { store, owner } = await ownedStore(1)

const [stream, claim] = [aStream(), aConstraint('holder')]

async function lookUp(): Promise<void> {
  expect(await store.readStream(stream)).toHaveLength(3)
  expect(await store.eventAt(2)).toMatchObject({ stream })
  expect(await store.holderOf(claim)).toBe('holder')
  expect(await store.head()).toBeGreaterThan(0)
}

/** Rows of events and unique constraints. Backends report at most once a second, and when they are idle. */
async function rowsRead(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, REPORTED_AFTER_MS))
  await lookUp()
  await new Promise((resolve) => setTimeout(resolve, REPORTED_AFTER_MS))
  const { rows } = await owner.query(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0)) AS read FROM pg_stat_user_tables WHERE relname IN ('event', 'claim')`,
  )
  return Number(rows[0].read)
}

test('looking up reads what it answers, with plans made for a log of three events', async () => {
  await store.append({ ...anAppend(stream, 0, anEvent(), anEvent(), anEvent()), take: [claim] })
  // Postgres has analysed the small tables. Autovacuum is off, so it does not notice their growth.
  await owner.query('ALTER TABLE store.event SET (autovacuum_enabled = false)')
  await owner.query('ALTER TABLE store.claim SET (autovacuum_enabled = false)')
  await owner.query('VACUUM ANALYZE store.event, store.claim')
  for (let nth = 0; nth < 10; nth += 1) await lookUp()
  const events = Array.from({ length: 500 }, () => anEvent())
  await store.append({ ...anAppend(aStream(), 0, ...events), take: events.map(({ id }) => aConstraint(id)) })
  const before = await rowsRead()
  for (let nth = 0; nth < LOOK_UPS; nth += 1) await lookUp()
  expect(((await rowsRead()) - before) / (LOOK_UPS + 1)).toBeLessThanOrEqual(ROWS_LOOKED_UP)
})
