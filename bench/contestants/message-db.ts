/**
 * message-db's own SQL from npm, called by prepared statements. All streams are of one category, as they
 * would be in Daybook: its lock is the category's.
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PoolClient } from 'pg'
import { timed } from '../contestant.ts'
import type { Contestant, Run, Session } from '../contestant.ts'
import { TYPE, data, dataText, metadata, metadataText } from '../event.ts'
import { NAME, PLACE, connected, seedBySql, streamName } from '../seeded.ts'
import { closePool, openPool } from './pool.ts'

const BATCH_EVENTS = 1_000
/** In the order of its install.sh. */
const FILES = [
  ['roles/message-store', 'schema/message-store', 'extensions/pgcrypto', 'tables/messages', 'types/message'],
  [
    'message-store-version',
    'hash-64',
    'acquire-lock',
    'category',
    'is-category',
    'id',
    'cardinal-id',
    'stream-version',
  ].map((name) => `functions/${name}`),
  ['write-message', 'get-stream-messages', 'get-category-messages', 'get-last-stream-message'].map(
    (name) => `functions/${name}`,
  ),
  ['indexes/messages-id', 'indexes/messages-stream', 'indexes/messages-category'],
].flat()

const WRITE = 'SELECT write_message($1::varchar, $2::varchar, $3::varchar, $4::jsonb, $5::jsonb, $6::bigint)'

function withPath(url: string): string {
  const own = new URL(url)
  own.searchParams.set('options', '-c search_path=message_store,public -c client_min_messages=warning')
  return own.href
}

async function setup(url: string): Promise<void> {
  const own = import.meta.resolve('@eventide/message-db/package.json')
  await connected(withPath(url), async (client) => {
    for (const file of FILES) await client.query(await readFile(new URL(`database/${file}.sql`, own), 'utf8'))
  })
}

const seed = (url: string, events: number): Promise<void> =>
  seedBySql(
    withPath(url),
    events,
    `INSERT INTO messages (stream_name, position, type, data, metadata) SELECT ${NAME}, ${PLACE}, $5, $3::jsonb, $4::jsonb FROM g`,
    [dataText, metadataText, TYPE],
  )

async function open(url: string, connections: number): Promise<Session> {
  const pool = await openPool(withPath(url), connections)
  const write = (on: Pick<PoolClient, 'query'>, stream: string, expected: number) =>
    on.query({
      name: 'write',
      text: WRITE,
      values: [randomUUID(), stream, TYPE, JSON.stringify(data), JSON.stringify(metadata), expected],
    })
  /** Several in one transaction, as its clients write batches. */
  async function writeThree(stream: string, expected: number): Promise<void> {
    const client = await pool.connect()
    try {
      await client.query('BEGIN')
      for (let nth = 0; nth < 3; nth += 1) await write(client, stream, expected + nth)
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    } finally {
      client.release()
    }
  }
  return {
    append: () => write(pool, `license-${randomUUID()}`, -1),
    async stream() {
      const stream = `license-${randomUUID()}`
      let position = 0
      await write(pool, stream, -1)
      return async () => {
        await writeThree(stream, position)
        position += 3
      }
    },
    async load(stream) {
      const text = 'SELECT * FROM get_stream_messages($1::varchar, 0, 1000)'
      const { rows } = await pool.query({ name: 'load', text, values: [streamName(stream)] })
      return parsed(rows)
    },
    close: () => closePool(pool),
  }
}

const parsed = (rows: { data: string; metadata: string }[]): number =>
  rows.filter((row) => JSON.parse(row.data) !== null && JSON.parse(row.metadata) !== null).length

const catchup = (url: string, events: number): Promise<Run> =>
  connected(withPath(url), (client) =>
    timed(async () => {
      let read = 0
      const text = 'SELECT * FROM get_category_messages($1::varchar, $2::bigint, $3::bigint)'
      for (let from = 1; read < events;) {
        const { rows } = await client.query({ name: 'read', text, values: ['license', from, BATCH_EVENTS] })
        if (rows.length === 0) break
        read += parsed(rows)
        from = Number(rows.at(-1).global_position) + 1
      }
      return read
    }),
  )

export const messageDb: Contestant = { setup, seed, open, catchup }
