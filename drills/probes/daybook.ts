import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../../src/kernel/store/migrate.ts'
import { postgresStore } from '../../src/kernel/store/postgres/postgres-store.ts'
import { anAppend, anEvent, aStream } from '../../test/support/kernel/appends.ts'
import { quietPool, snapshotOf } from './subject.ts'
import type { Subject } from './subject.ts'

const HELD_MS = 500
/** Half a second in the middle of a commit: positions are assigned, no event is visible. */
const SLOW_COMMIT = `
  CREATE FUNCTION public.slow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN PERFORM pg_sleep(${HELD_MS / 1_000}); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON store.event
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.type = 'Slow') EXECUTE FUNCTION public.slow()`

/** Through the public port, over two stores, as in two processes. */
export const daybook: Subject = {
  name: 'daybook',
  async setup(url) {
    await migrate(url)
    const pool = quietPool(url, 1)
    await pool.query(SLOW_COMMIT)
    await pool.end()
  },
  async open(url, connections) {
    const [one, other] = [postgresStore({ url, max: connections }), postgresStore({ url, max: connections })]
    const pool = quietPool(url, 2)
    let appends = 0
    return {
      append: () => ((appends += 1) % 2 === 0 ? one : other).append(anAppend(aStream(), 0, anEvent())),
      readAll: (after, limit) => one.readAll(after, limit),
      async stored() {
        return (await pool.query<{ id: string }>('SELECT id::text FROM store.event')).rows.map(({ id }) => id)
      },
      snapshot: (after) => snapshotOf(pool, 'store.event', 'pos', after),
      async outOfOrder(between) {
        const slow = one.append(anAppend(aStream(), 0, anEvent({}, { type: 'Slow' })))
        await pause(HELD_MS / 5)
        const overtaking = other.append(anAppend(aStream(), 0, anEvent()))
        await pause(HELD_MS / 5)
        await between()
        await Promise.all([slow, overtaking])
      },
      close: async () => void (await Promise.all([one.close(), other.close(), pool.end()])),
    }
  },
}
