/**
 * A common event store: a table whose positions come from a sequence, and a reader that keeps the last
 * position it saw.
 */
import pg from 'pg'
import type { EventStore, RecordedEvent } from '../../src/kernel/events/store-port.ts'

export async function naiveStore(url: string, max: number): Promise<Pick<EventStore, 'append' | 'readAll' | 'close'>> {
  const pool = new pg.Pool({ connectionString: url, max })
  pool.on('error', () => {})
  await pool.query('CREATE TABLE public.naive (pos bigserial PRIMARY KEY, id uuid NOT NULL)')
  return {
    async append({ parts }) {
      const ids = parts.flatMap(({ events }) => events.map(({ id }) => id))
      await pool.query('INSERT INTO public.naive (id) SELECT unnest($1::uuid[])', [ids])
      return { position: 0, revisions: [] }
    },
    async readAll(after, limit) {
      const text = 'SELECT pos::int AS position, id::text FROM public.naive WHERE pos > $1 ORDER BY pos LIMIT $2'
      return (await pool.query<RecordedEvent>(text, [after, limit])).rows
    },
    close: () => pool.end(),
  }
}
