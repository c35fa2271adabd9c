import { setTimeout as pause } from 'node:timers/promises'
import { migrate } from '../../src/kernel/store/migrate.ts'
import { postgresStore } from '../../src/kernel/store/postgres.ts'
import { anAppend, anEvent, aStream } from '../../test/kernel/appends.ts'
import { quietPool } from './subject.ts'
import type { Subject } from './subject.ts'

const HELD_MS = 500
/** Half a second in the middle of a commit: positions are taken, nothing is visible. */
const SLOW_COMMIT = `
  CREATE FUNCTION public.slow() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN IF NEW.type = 'Slow' THEN PERFORM pg_sleep(${HELD_MS / 1_000}); END IF; RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON store.event
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.slow()`

/** Through the public port, over two stores, as two processes would have them. */
export const daybook: Subject = {
  name: 'daybook',
  async open(url, connections) {
    await migrate(url)
    const [one, other] = [postgresStore({ url, max: connections }), postgresStore({ url, max: connections })]
    const pool = quietPool(url, 2)
    await pool.query(SLOW_COMMIT)
    let appends = 0
    return {
      append: () => ((appends += 1) % 2 === 0 ? one : other).append(anAppend(aStream(), 0, anEvent())),
      readAll: (after, limit) => one.readAll(after, limit),
      async stored() {
        return (await pool.query<{ id: string }>('SELECT id::text FROM store.event')).rows.map(({ id }) => id)
      },
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
