/**
 * The peers, set up and appended to by the bench's own contestants. Beside them a plain table with a
 * sequence, as most of them use.
 */
import { createRequire } from 'node:module'
import { quietPool, tableReader, twoTransactions } from './subject.ts'
import type { Read, Subject } from './subject.ts'

const BENCH = new URL('../../bench/', import.meta.url)
const CATEGORIES = 8
const EVENT = `'{}'::jsonb`

/** The parts of a bench contestant that a probe needs. */
interface Peer {
  setup(url: string): Promise<void>
  open(url: string, connections: number): Promise<{ append(): Promise<unknown>; close(): Promise<void> }>
}

/** @throws if the packages of the bench are not installed */
const peer = async (file: string, name: string): Promise<Peer> =>
  ((await import(new URL(`contestants/${file}.ts`, BENCH).href)) as Record<string, Peer>)[name]!

const sequence: Subject = {
  name: 'sequence',
  async setup(url) {
    const pool = quietPool(url, 1)
    await pool.query('CREATE TABLE naive (pos bigserial PRIMARY KEY, data jsonb NOT NULL)')
    await pool.end()
  },
  async open(url, connections) {
    const pool = quietPool(url, connections)
    const text = `INSERT INTO naive (data) VALUES (${EVENT})`
    return {
      append: () => pool.query(text),
      ...tableReader(pool, 'naive', 'pos'),
      outOfOrder: (between) => twoTransactions(url, () => text, between),
      close: () => pool.end(),
    }
  },
}

/** Its only global order is the table's own; it has no reader for it. */
const castore: Subject = {
  name: 'castore',
  setup: async (url) => (await peer('castore', 'castore')).setup(url),
  async open(url, connections) {
    const session = await (await peer('castore', 'castore')).open(url, connections)
    const pool = quietPool(url, 2)
    const insert = `INSERT INTO event (aggregate_name, aggregate_id, version, type, data, metadata)
      VALUES ('license', gen_random_uuid(), 1, 'T', ${EVENT}, ${EVENT})`
    return {
      append: () => session.append(),
      ...tableReader(pool, 'event', 'id'),
      outOfOrder: (between) => twoTransactions(url, () => insert, between),
      close: async () => void (await Promise.all([session.close(), pool.end()])),
    }
  },
}

/** Over several categories, because it has one lock for each category. */
const messageDb: Subject = {
  name: 'message-db',
  setup: async (url) => (await peer('message-db', 'messageDb')).setup(url),
  async open(url, connections) {
    const pool = quietPool(url, connections)
    const write = (stream: string) =>
      `SELECT message_store.write_message(gen_random_uuid()::varchar, '${stream}'::varchar, 'T'::varchar, ${EVENT}, ${EVENT}, -1)`
    let streams = 0
    const own = new URL(url)
    own.searchParams.set('options', '-c search_path=message_store,public')
    const writing = quietPool(own.href, connections)
    return {
      append: () => writing.query(write(`category${(streams += 1) % CATEGORIES}-${streams}`)),
      ...tableReader(pool, 'message_store.messages', 'global_position'),
      outOfOrder: (between) => twoTransactions(own.href, write, between),
      close: async () => void (await Promise.all([pool.end(), writing.end()])),
    }
  },
}

interface EmmettRead {
  readMessagesBatch(
    execute: unknown,
    options: { after: bigint; batchSize: number },
  ): Promise<{ messages: { metadata: { globalPosition: bigint } }[] }>
}
interface Dumbo {
  dumbo(options: { connectionString: string }): { execute: unknown; close(): Promise<void> }
}

/** Read by its own readMessagesBatch, as its consumers do. */
const emmett: Subject = {
  name: 'emmett',
  setup: async (url) => (await peer('emmett', 'emmett')).setup(url),
  async open(url, connections) {
    const require = createRequire(new URL('package.json', BENCH))
    const { readMessagesBatch } = require('@event-driven-io/emmett-postgresql') as EmmettRead
    const { dumbo } = require('@event-driven-io/dumbo') as Dumbo
    const session = await (await peer('emmett', 'emmett')).open(url, connections)
    const reading = dumbo({ connectionString: url })
    const pool = quietPool(url, 2)
    const table = tableReader(pool, 'emt_messages', 'global_position')
    const write = (stream: string) =>
      `SELECT * FROM emt_append_to_stream(ARRAY[gen_random_uuid()::text], ARRAY[${EVENT}], ARRAY[${EVENT}], ARRAY['1'], ARRAY['T'],
        ARRAY['E'], '${stream}', 'x', NULL, 'emt:default')`
    return {
      append: () => session.append(),
      async readAll(after, limit): Promise<Read[]> {
        const { messages } = await readMessagesBatch(reading.execute, { after: BigInt(after), batchSize: limit })
        return messages.map(({ metadata: { globalPosition } }) => ({
          id: String(globalPosition),
          position: Number(globalPosition),
        }))
      },
      stored: table.stored,
      snapshot: table.snapshot,
      outOfOrder: (between) => twoTransactions(url, write, between),
      close: async () => void (await Promise.all([session.close(), reading.close(), pool.end()])),
    }
  },
}

export const peers: readonly Subject[] = [emmett, messageDb, castore, sequence]
