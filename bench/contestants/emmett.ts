/** @event-driven-io/emmett-postgresql as it is on npm. Its import changes how pg parses numbers, in the whole process. */
import { randomUUID } from 'node:crypto'
import { dumbo, sql } from '@event-driven-io/dumbo'
import type { Dumbo } from '@event-driven-io/dumbo'
import {
  getPostgreSQLEventStore,
  postgreSQLEventStoreConsumer,
  postgreSQLRawSQLProjection,
  readMessagesBatch,
} from '@event-driven-io/emmett-postgresql'
import { timed } from '../contestant.ts'
import type { Contestant, Run, Session } from '../contestant.ts'
import { TYPE, data, dataText, metadata, metadataText } from '../event.ts'
import { NAME, PLACE, connected, seedBySql, streamName } from '../seeded.ts'
import { closePool, openPool } from './pool.ts'

const BATCH_EVENTS = 1_000
/**
 * Each of its batches reads and sorts the rest of the log. So batches are taken from all over the log; the
 * whole would take minutes.
 */
const BATCHES = 10
const PROJECTED_EVENTS_MAX = 2_000
/**
 * Its defaults, 100 events each 50 ms, would measure the pauses. So would the 100 ms that it always rests
 * after its first batch.
 */
const PULLING = { batchSize: PROJECTED_EVENTS_MAX, pullingFrequencyInMs: 0 }

async function setup(url: string): Promise<void> {
  const store = getPostgreSQLEventStore(url)
  await store.schema.migrate()
  await store.close()
  await connected(url, (client) =>
    client.query(
      'CREATE TABLE streams (id text PRIMARY KEY, events int NOT NULL, last_revision int NOT NULL, plan text NOT NULL)',
    ),
  )
}

const seed = (url: string, events: number): Promise<void> =>
  seedBySql(
    url,
    events,
    `INSERT INTO emt_messages (stream_id, stream_position, transaction_id, message_kind, partition, message_schema_version, message_id,
       message_type, message_data, message_metadata)
     SELECT ${NAME}, ${PLACE} + 1, pg_current_xact_id(), 'E', 'emt:default', '1', gen_random_uuid()::text, $5, $3::jsonb, $4::jsonb FROM g`,
    [dataText, metadataText, TYPE],
  )

async function open(url: string, connections: number): Promise<Session> {
  const pool = await openPool(url, connections)
  const store = getPostgreSQLEventStore(url, { schema: { autoMigration: 'None' }, connectionOptions: { pool } })
  const event = () => ({ type: TYPE, data, metadata: { ...metadata } })
  const isNew = { expectedStreamVersion: 'STREAM_DOES_NOT_EXIST' } as const
  return {
    append: () => store.appendToStream(`license-${randomUUID()}`, [event()], isNew),
    async stream() {
      const stream = `license-${randomUUID()}`
      let at = (await store.appendToStream(stream, [event()], isNew)).nextExpectedStreamVersion
      return async () => {
        const appended = await store.appendToStream(stream, [event(), event(), event()], { expectedStreamVersion: at })
        at = appended.nextExpectedStreamVersion
      }
    },
    load: async (stream) => (await store.readStream(streamName(stream))).events.length,
    async close() {
      await store.close()
      await closePool(pool)
    },
  }
}

async function withDumbo<Result>(url: string, work: (pool: Dumbo) => Promise<Result>): Promise<Result> {
  const pool = dumbo({ connectionString: url })
  try {
    return await work(pool)
  } finally {
    await pool.close()
  }
}

const catchup = (url: string, events: number): Promise<Run> =>
  withDumbo(url, ({ execute }) =>
    timed(async () => {
      let read = 0
      for (let nth = 0; nth < BATCHES; nth += 1) {
        const after = BigInt(Math.floor((events * nth) / BATCHES))
        read += (await readMessagesBatch(execute, { after, batchSize: BATCH_EVENTS })).messages.length
      }
      return read
    }),
  )

const upsert = postgreSQLRawSQLProjection({
  name: 'streams',
  canHandle: [TYPE],
  evolve: ({ data: license, metadata: { streamName: stream, streamPosition } }) =>
    sql(
      `INSERT INTO streams (id, events, last_revision, plan) VALUES (%L, 1, %s, %L) ON CONFLICT (id)
       DO UPDATE SET events = streams.events + 1, last_revision = excluded.last_revision, plan = excluded.plan`,
      stream,
      String(streamPosition),
      license.planSlug,
    ),
})

/** A rebuild is the same loop on an emptied table. */
async function projection(url: string): Promise<Run> {
  await connected(url, (client) => client.query('TRUNCATE streams, emt_processors, emt_projections'))
  return withDumbo(url, async (pool) => {
    let applied = 0
    const consumer = postgreSQLEventStoreConsumer({ connectionString: url, pool, pulling: PULLING })
    const stopAfter = () => (applied += 1) >= PROJECTED_EVENTS_MAX
    consumer.projector({ processorId: 'streams', stopAfter, projection: upsert })
    try {
      await consumer.init()
      return await timed(async () => {
        await consumer.start()
        return applied
      })
    } finally {
      await consumer.close()
    }
  })
}

export const emmett: Contestant = { setup, seed, open, catchup, projection, rebuild: projection }
