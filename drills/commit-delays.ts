import { setTimeout as pause } from 'node:timers/promises'
import { postgresStore } from '../src/kernel/store/postgres/postgres-store.ts'
import { anAppend, anEvent, aStream } from '../test/support/kernel/appends.ts'
import { naiveStore } from './broken/naive-store.ts'
import type { Drill } from './drill.ts'
import { asked, eventsTold } from './ledger.ts'
import { liveReader } from './live-reader.ts'
import { cluster, migrated } from './postgres.ts'

const WRITERS = 40

/**
 * Promise D9, the reader's side: commits end in another order than they began, and a live reader still gets
 * every event once.
 */
export const commitDelays: Drill = {
  name: 'commit-delays',
  does: '40 writers whose commits take 0 to 5 ms longer at random, and a reader that must skip nothing',
  breaks: 'positions from a sequence, taken before the order of the commits is known, and the cursor `position > last`',
  async run({ directory, isQuick, isBroken }) {
    const postgres = await migrated(await cluster(directory))
    const store = isBroken
      ? await naiveStore(postgres.url, WRITERS)
      : postgresStore({ url: postgres.url, max: WRITERS })
    try {
      await asked(postgres.url, LATE)
      await asked(
        postgres.url,
        `CREATE CONSTRAINT TRIGGER late AFTER INSERT ON ${isBroken ? 'public.naive' : 'store.event'}
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION public.late()`,
      )
      const acknowledged = new Set<string>()
      let stopping = false
      const write = async () => {
        while (!stopping) {
          const event = anEvent()
          await store.append(anAppend(aStream(), 0, event))
          acknowledged.add(event.id)
        }
      }
      const reader = liveReader(store)
      const writing = Promise.all(Array.from({ length: WRITERS }, write))
      await pause(isQuick ? 8_000 : 20_000)
      stopping = true
      await writing
      const read = await reader.finish()
      const told = isBroken ? { found: acknowledged.size, broken: [] } : await eventsTold(postgres.url, acknowledged)
      return {
        ...told,
        acknowledged: acknowledged.size,
        lost: [...acknowledged].filter((id) => !read.ids.has(id)).length,
        doubled: read.delivered - read.ids.size,
        note: `${read.batches} batches read while ${WRITERS} wrote`,
      }
    } finally {
      await store.close()
      await postgres.stop()
    }
  },
}

const LATE = `CREATE FUNCTION public.late() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN PERFORM pg_sleep(random() * 0.005); RETURN NULL; END $$`
