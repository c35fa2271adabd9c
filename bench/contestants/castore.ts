/** castore's Postgres adapter. It reads streams only, so of the read tests it has loading alone. */
import { randomUUID } from 'node:crypto'
import { GroupedEvent } from '@castore/core'
import { PostgresEventStorageAdapter } from '@castore/event-storage-adapter-postgres'
import postgres from 'postgres'
import type { Contestant, Session } from '../contestant.ts'
import { TYPE, data, dataText, metadata, metadataText } from '../event.ts'
import { PLACE, UUID, seedBySql, streamUuid } from '../seeded.ts'

const CONTEXT = { eventStoreId: 'license' }

const setup = async (url: string): Promise<void> =>
  void (await PostgresEventStorageAdapter.createEventTable({
    connectionString: url,
    tableName: 'event',
    aggregateId: { type: 'UUID' },
  }))

const seed = (url: string, events: number): Promise<void> =>
  seedBySql(
    url,
    events,
    `INSERT INTO event (aggregate_name, aggregate_id, version, type, data, metadata)
     SELECT 'license', ${UUID}, ${PLACE} + 1, $5, $3::jsonb, $4::jsonb FROM g`,
    [dataText, metadataText, TYPE],
  )

/** The adapter opens ten connections and has no option for another number, which would be unfair at 32 writers. */
async function adapterWith(url: string, max: number): Promise<PostgresEventStorageAdapter> {
  const adapter = new PostgresEventStorageAdapter({ connectionString: url, tableName: 'event' })
  await adapter._sql.end({ timeout: 1 })
  adapter._sql = postgres(url, { max, types: { bigint: postgres.BigInt }, onnotice: () => {} })
  await Promise.all(Array.from({ length: max }, () => adapter.getEvents(randomUUID(), CONTEXT)))
  return adapter
}

async function open(url: string, connections: number): Promise<Session> {
  const adapter = await adapterWith(url, connections)
  const event = (aggregateId: string, version: number) => ({
    aggregateId,
    version,
    type: TYPE,
    payload: data,
    metadata,
  })
  return {
    append: () => adapter.pushEvent(event(randomUUID(), 1), CONTEXT),
    async stream() {
      const id = randomUUID()
      let version = 1
      await adapter.pushEvent(event(id, version), CONTEXT)
      return async () => {
        const grouped = [1, 2, 3].map(
          (nth) =>
            new GroupedEvent({ event: event(id, version + nth), eventStorageAdapter: adapter, context: CONTEXT }),
        )
        await adapter.pushEventGroup({}, ...grouped)
        version += 3
      }
    },
    load: async (stream) => (await adapter.getEvents(streamUuid(stream), CONTEXT)).events.length,
    close: () => adapter._sql.end({ timeout: 1 }),
  }
}

export const castore: Contestant = { setup, seed, open }
