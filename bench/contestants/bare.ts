/** The baseline: a store written by hand. One prepared INSERT for each append, one transaction each, and jsonb. */
import { randomUUID } from 'node:crypto'
import { timed } from '../contestant.ts'
import type { Contestant, Run, Session } from '../contestant.ts'
import { TYPE, data, dataText, metadata, metadataText } from '../event.ts'
import { NAME, PLACE, connected, seedBySql, streamName } from '../seeded.ts'
import { closePool, openPool } from './pool.ts'

const BATCH_EVENTS = 1_000
/** The rest of the log would be as slow. */
const PROJECTED_EVENTS_MAX = 20_000

const COLUMNS = 'pos, stream, revision, type, data, metadata'
/** $1 stream, $2 the revision it is at, $3 types, $4 data, $5 metadata. */
export const APPEND = `INSERT INTO event (stream, revision, type, data, metadata)
  SELECT $1, $2::int + e.nth, e.type, e.data, e.metadata
  FROM unnest($3::text[], $4::jsonb[], $5::jsonb[]) WITH ORDINALITY e(type, data, metadata, nth)`
export const LOAD = 'SELECT revision, type, data, metadata FROM event WHERE stream = $1 ORDER BY revision'
const READ = `SELECT ${COLUMNS} FROM event WHERE pos > $1 ORDER BY pos LIMIT ${BATCH_EVENTS}`
const UPSERT = `INSERT INTO streams (id, events, last_revision, plan) VALUES ($1, 1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET events = streams.events + 1, last_revision = excluded.last_revision, plan = excluded.plan`

async function setup(url: string): Promise<void> {
  await connected(url, (client) =>
    client.query(`
      CREATE TABLE event (pos bigserial PRIMARY KEY, stream text NOT NULL, revision int NOT NULL, type text NOT NULL,
        data jsonb NOT NULL, metadata jsonb NOT NULL, at timestamptz NOT NULL DEFAULT now(), UNIQUE (stream, revision));
      CREATE TABLE streams (id text PRIMARY KEY, events int NOT NULL, last_revision int NOT NULL, plan text NOT NULL);
      CREATE TABLE checkpoint (name text PRIMARY KEY, pos bigint NOT NULL)`),
  )
}

const seed = (url: string, events: number): Promise<void> =>
  seedBySql(
    url,
    events,
    `INSERT INTO event (stream, revision, type, data, metadata) SELECT ${NAME}, ${PLACE} + 1, $5, $3::jsonb, $4::jsonb FROM g`,
    [dataText, metadataText, TYPE],
  )

async function open(url: string, connections: number): Promise<Session> {
  const pool = await openPool(url, connections)
  const append = (stream: string, revision: number, events: number) =>
    pool.query({
      name: 'append',
      text: APPEND,
      values: [
        stream,
        revision,
        Array.from({ length: events }, () => TYPE),
        Array.from({ length: events }, () => JSON.stringify(data)),
        Array.from({ length: events }, () => JSON.stringify(metadata)),
      ],
    })
  return {
    append: () => append(`license-${randomUUID()}`, 0, 1),
    async stream() {
      const stream = `license-${randomUUID()}`
      let revision = 1
      await append(stream, 0, 1)
      return async () => {
        await append(stream, revision, 3)
        revision += 3
      }
    },
    async load(stream) {
      const { rows } = await pool.query({ name: 'load', text: LOAD, values: [streamName(stream)] })
      return rows.length
    },
    close: () => closePool(pool),
  }
}

const catchup = (url: string, events: number): Promise<Run> =>
  connected(url, (client) =>
    timed(async () => {
      let read = 0
      for (let after = 0; read < events;) {
        const { rows } = await client.query({ name: 'read', text: READ, values: [after] })
        if (rows.length === 0) break
        read += rows.length
        after = rows.at(-1).pos
      }
      return read
    }),
  )

const projection = (url: string): Promise<Run> =>
  connected(url, async (client) => {
    await client.query(`TRUNCATE streams, checkpoint; INSERT INTO checkpoint VALUES ('streams', 0)`)
    return timed(async () => {
      let applied = 0
      for (let after = 0; applied < PROJECTED_EVENTS_MAX;) {
        await client.query('BEGIN')
        const { rows } = await client.query({ name: 'read', text: READ, values: [after] })
        if (rows.length === 0) break
        for (const { stream, revision, data: license } of rows)
          await client.query({ name: 'upsert', text: UPSERT, values: [stream, revision, license.planSlug] })
        after = rows.at(-1).pos
        await client.query(`UPDATE checkpoint SET pos = $1 WHERE name = 'streams'`, [after])
        await client.query('COMMIT')
        applied += rows.length
      }
      return applied
    })
  })

export const bare: Contestant = { setup, seed, open, catchup, projection }
