/**
 * Our store through the public port, as the service uses it: it writes the chain, checks unique constraints,
 * and stores metadata with each event.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from 'pg'
import { z } from 'zod'
import { percentile } from '../../scripts/figures/spread.ts'
import { eventCodec } from '../../src/kernel/events/codec.ts'
import { event, stream } from '../../src/kernel/events/event.ts'
import type { Append, EventStore, EventToAppend, RecordedEvent } from '../../src/kernel/events/store-port.ts'
import { uuidv7 } from '../../src/kernel/lib/uuid.ts'
import { projector } from '../../src/kernel/projections/projector.ts'
import type { Projector } from '../../src/kernel/projections/projector.ts'
import { kyselyFor } from '../../src/kernel/projections/read-database.ts'
import { integer, primary, readModel, text } from '../../src/kernel/projections/read-model.ts'
import type { ReadModel } from '../../src/kernel/projections/read-model.ts'
import { servicePool } from '../../src/kernel/store/connection.ts'
import { migrate } from '../../src/kernel/store/migrate.ts'
import { postgresStore } from '../../src/kernel/store/postgres/postgres-store.ts'
import { memoryKeyStore } from '../../src/kernel/vault/key-store.ts'
import { openVault } from '../../src/kernel/vault/vault.ts'
import { timed } from '../contestant.ts'
import type { Contestant, Latencies, Run, Session } from '../contestant.ts'
import { TYPE, data, metadata } from '../event.ts'
import { WARM_UP_SECONDS } from '../measure.ts'
import { BATCH_EVENTS, connected, place, streamName, streamNumber } from '../seeded.ts'

const BETWEEN_APPENDS_MS = 10
const VISIBLE_WITHIN_MS = 5_000

const LicenseIssued = event(TYPE, 'licenseId', { licenseId: z.uuid(), planSlug: z.string() }, () => 'issued a license')
const licenses = stream('license', [LicenseIssued])
const codec = eventCodec([licenses], openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 7) }))

/** The same table as all contestants have. */
const streams = readModel('streams', 1, { id: primary(text), events: integer, lastRevision: integer, plan: text }).from(
  licenses,
  {
    LicenseIssued(table, { planSlug }, { stream: id, revision }) {
      const row = { events: revision, lastRevision: revision, plan: planSlug }
      return revision === 1 ? table.insert({ id, ...row }) : table.update({ id }, row)
    },
  },
)

/** One row for each event, as in the audit trail: the projection never reads it, so a batch is one statement. */
const entries = readModel('entries', 1, {
  position: primary(integer),
  stream: text,
  revision: integer,
  plan: text,
}).from(licenses, {
  LicenseIssued: (table, { planSlug: plan }, { position, stream: name, revision }) =>
    table.insert({ position, stream: name, revision, plan }),
})

/** Its id is made as the service makes it. */
const newEvent = (): EventToAppend => ({ id: uuidv7(), type: TYPE, schemaVersion: 1, data, metadata })
const newStream = (): string => `license-${randomUUID()}`

const setup = async (url: string): Promise<void> => void (await migrate(url))

async function seed(url: string, events: number): Promise<void> {
  const store = postgresStore({ url })
  try {
    for (let from = 0; from < events; from += BATCH_EVENTS) await store.append(seededPart(from, events))
  } finally {
    await store.close()
  }
  await connected(url, (client) => client.query('VACUUM ANALYZE'))
}

function seededPart(from: number, events: number): Append {
  const numbers = Array.from({ length: Math.min(BATCH_EVENTS, events - from) }, (_each, nth) => from + nth)
  return {
    parts: numbers.map((n) => ({ stream: streamName(streamNumber(n)), expected: place(n), events: [newEvent()] })),
  }
}

async function open(url: string, connections: number): Promise<Session> {
  const store = postgresStore({ url, max: Math.min(10, connections) })
  const append = () => store.append({ parts: [{ stream: newStream(), expected: 0, events: [newEvent()] }] })
  return {
    append,
    claim() {
      const [name, own] = [newStream(), randomUUID()]
      const take = [{ scope: 'reference', key: own, holder: name }]
      return store.append({ parts: [{ stream: name, expected: 0, events: [newEvent()] }], take })
    },
    async stream() {
      const name = newStream()
      let revision = 1
      await store.append({ parts: [{ stream: name, expected: 0, events: [newEvent()] }] })
      return async () => {
        const events = [newEvent(), newEvent(), newEvent()]
        await store.append({ parts: [{ stream: name, expected: revision, events }] })
        revision += events.length
      }
    },
    load: async (number) => looked(await store.readStream(streamName(number))),
    close: () => store.close(),
  }
}

/** Data and metadata may be parsed only on access. */
function looked(events: readonly RecordedEvent[]): number {
  return events.filter((each) => typeof each.data === 'object' && typeof each.metadata === 'object').length
}

async function catchup(url: string, events: number): Promise<Run> {
  const store = postgresStore({ url, max: 2 })
  try {
    await store.head()
    return await timed(async () => {
      let read = 0
      for await (const batch of store.readBatches(0)) {
        read += looked(batch)
        if (read >= events) break
      }
      return read
    })
  } finally {
    await store.close()
  }
}

async function projecting<Result>(
  url: string,
  model: ReadModel,
  work: (projector: Projector, store: EventStore) => Promise<Result>,
): Promise<Result> {
  const store = postgresStore({ url })
  const pool = servicePool(url, { role: 'daybook_projector' })
  const onError = (error: unknown) => console.error(error)
  const own = projector({ store, codec, database: kyselyFor(pool), models: [model], onError })
  try {
    await own.prepare()
    return await work(own, store)
  } finally {
    await own.stop()
    await pool.end()
    await store.close()
  }
}

/** Another process has created the table, and emptied it. */
async function projected(url: string, model: ReadModel): Promise<Run> {
  await projecting(url, model, async () => {})
  await connected(url, async (client) => {
    await client.query(`TRUNCATE read.${model.table}`)
    await client.query('UPDATE read.projection SET position = 0 WHERE name = $1', [model.name])
  })
  return projecting(url, model, async (own, store) => {
    const events = await store.head()
    const run = await timed(async () => {
      await own.catchUp()
      return events
    })
    await mustStandAt(url, model, events)
    return run
  })
}

async function mustStandAt(url: string, { name, table }: ReadModel, events: number): Promise<void> {
  const text = `SELECT (SELECT position FROM read.projection WHERE name = $1) AS at, (SELECT count(*) FROM read.${table}) AS rows`
  const { rows } = await connected(url, (client) => client.query<{ at: string; rows: string }>(text, [name]))
  if (Number(rows[0]?.at) !== events || Number(rows[0]?.rows) === 0)
    throw new Error(`The projection of ${events} events stands at ${rows[0]?.at} with ${rows[0]?.rows} rows`)
}

const rebuild = (url: string): Promise<Run> =>
  projecting(url, streams, async (own, store) => {
    const events = await store.head()
    return timed(async () => {
      await own.rebuild('streams')
      return events
    })
  })

/** Another connection reads until it sees the row. */
const visible = (url: string, seconds: number): Promise<Latencies> =>
  projecting(url, streams, (own, store) =>
    connected(url, async (reader) => {
      own.start()
      const once = async (): Promise<number> => {
        const [name, before] = [newStream(), performance.now()]
        await store.append({ parts: [{ stream: name, expected: 0, events: [newEvent()] }] })
        await seen(reader, name, before + VISIBLE_WITHIN_MS)
        return performance.now() - before
      }
      const lasting = async (ms: number): Promise<number[]> => {
        const times: number[] = []
        for (const until = performance.now() + ms; performance.now() < until; await pause(BETWEEN_APPENDS_MS))
          times.push(await once())
        return times
      }
      await lasting(WARM_UP_SECONDS * 1_000)
      const times = await lasting(seconds * 1_000)
      const opsPerSecond = times.length / seconds
      return { opsPerSecond, p50Ms: percentile(times, 50), p99Ms: percentile(times, 99) }
    }),
  )

async function seen(reader: Client, stream: string, until: number): Promise<void> {
  const query = { name: 'seen', text: 'SELECT FROM read.streams WHERE id = $1', values: [stream] }
  while ((await reader.query(query)).rowCount === 0) {
    if (performance.now() > until) throw new Error('An event does not become visible in the read model')
    await pause(1)
  }
}

export const daybook: Contestant = {
  setup,
  seed,
  open,
  catchup,
  projection: (url) => projected(url, streams),
  projectionSet: (url) => projected(url, entries),
  rebuild,
  visible,
}
