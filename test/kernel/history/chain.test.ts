import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { verifyChain } from '#kernel/history/chain'
import { servicePool } from '#kernel/store/connection'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { anAppend, anEvent, aPart } from '../../support/kernel/appends.ts'

let database: TestDatabase
let owner: Pool

/** Positions 1 | 2 3 4 | 5 | 6 | 7 8: one append between the bars. */
beforeEach(async () => {
  database = await testDatabase()
  owner = servicePool(database.url)
  const store = postgresStore({ url: database.url })
  await store.append(anAppend('a', 0, anEvent({ text: 'ä€𝄞 \u001F\u001E', n: 1.5 })))
  await store.append({ parts: [aPart('b', 0, anEvent({ n: 2 }), anEvent({ n: 3 })), aPart('a', 1, anEvent({ n: 4 }))] })
  await store.append(anAppend('c', 0, anEvent({ n: 5 })))
  await store.append(anAppend('c', 1, anEvent({ n: 6 })))
  await store.append(anAppend('c', 2, anEvent({ n: 7 }), anEvent({ n: 8 })))
  await store.close()
})

afterEach(async () => {
  await owner.end()
  await database.drop()
})

async function tamper(...statements: string[]): Promise<void> {
  const tables = ['store.event', 'store.chain']
  for (const table of tables) await owner.query(`ALTER TABLE ${table} DISABLE TRIGGER append_only`)
  for (const statement of statements) await owner.query(statement)
  for (const table of tables) await owner.query(`ALTER TABLE ${table} ENABLE ALWAYS TRIGGER append_only`)
}

const INSERT = `INSERT INTO store.event (pos, revision, id, stream, type, schema_version, data, metadata)`

test('an untouched log verifies, for both roles', async () => {
  for (const role of ['daybook_service', 'daybook_projector'] as const) {
    const pool = servicePool(database.url, { role })
    expect(await verifyChain(pool)).toEqual({
      events: 8,
      head: 8,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      after: 0,
    })
    await pool.end()
  }
})

test('an empty log verifies', async () => {
  const empty = await testDatabase()
  const pool = servicePool(empty.url)
  expect(await verifyChain(pool)).toEqual({ events: 0, head: 0, hash: '0'.repeat(64), after: 0 })
  await pool.end()
  await empty.drop()
})

test('a log longer than a page verifies, and grows meanwhile', async () => {
  const store = postgresStore({ url: database.url })
  for (let n = 0; n < 12; n += 1) {
    await store.append(anAppend('long', 'any', ...Array.from({ length: 97 }, () => anEvent())))
  }
  for (let n = 0; n < 500; n += 1) await store.append(anAppend('short', 'any'))
  const [verified] = await Promise.all([verifyChain(owner), store.append(anAppend('short', 'any'))])
  expect(verified).toMatchObject({ head: expect.any(Number), hash: expect.any(String) })
  expect(await verifyChain(owner)).toMatchObject({ events: 8 + 12 * 97 + 501 })
  await store.close()
})

test('the first hash is what anybody can compute from the documented form', async () => {
  const { rows } = await owner.query<Record<string, string>>(
    `SELECT id::text, (extract(epoch FROM recorded_at) * 1000000)::bigint::text AS at, data::text, metadata::text, hash
     FROM store.event JOIN store.chain ON to_pos = pos WHERE pos = 1`,
  )
  const { id, at, data, metadata, hash } = rows[0]!
  const text = ['1', at, '1', id, 'a', 'NoteWritten', '1', data, metadata].join('\u001F')
  const expected = createHash('sha256').update(Buffer.alloc(32)).update(text).digest()
  expect(expected.equals(hash as unknown as Buffer)).toBe(true)
})

describe('names the first position that is not what was appended', () => {
  const altered = [
    `data = '{"n":55}'`,
    `data = '{"n": 5}'`,
    `metadata = '{"by":"me"}'`,
    `type = 'NoteErased'`,
    `stream = 'd'`,
    `revision = 9`,
    `schema_version = 2`,
    `id = gen_random_uuid()`,
    `recorded_at = recorded_at + interval '1 microsecond'`,
    `recorded_at = 'infinity'`,
    `recorded_at = '-infinity'`,
  ]
  test.each(altered)('altered: %s', async (change) => {
    await tamper(`UPDATE store.event SET ${change} WHERE pos = 5`)
    expect(await verifyChain(owner)).toEqual({ position: 5, through: 5, problem: 'altered', suspect: 5 })
  })

  test('altered inside an append of three: the append is proven, the event pointed at', async () => {
    await tamper(`UPDATE store.event SET type = 'X' WHERE pos = 3`)
    expect(await verifyChain(owner)).toEqual({ position: 2, through: 4, problem: 'altered', suspect: 3 })
  })

  test.each([1, 3, 5, 8])('removed: %i', async (pos) => {
    await tamper(`DELETE FROM store.event WHERE pos = ${pos}`)
    expect(await verifyChain(owner)).toMatchObject({ position: pos, problem: 'missing' })
  })

  test('removed, and the gap closed', async () => {
    await tamper('DELETE FROM store.event WHERE pos = 5', 'UPDATE store.event SET pos = pos - 1 WHERE pos > 5')
    expect(await verifyChain(owner)).toMatchObject({ position: 5, problem: 'altered' })
  })

  test('reordered over appends', async () => {
    await tamper(
      'UPDATE store.event SET pos = 99 WHERE pos = 5',
      'UPDATE store.event SET pos = 5 WHERE pos = 6',
      'UPDATE store.event SET pos = 6 WHERE pos = 99',
    )
    expect(await verifyChain(owner)).toMatchObject({ position: 5, problem: 'altered' })
  })

  test('reordered within one append', async () => {
    await tamper(
      'UPDATE store.event SET pos = 99 WHERE pos = 7',
      'UPDATE store.event SET pos = 7 WHERE pos = 8',
      'UPDATE store.event SET pos = 8 WHERE pos = 99',
    )
    expect(await verifyChain(owner)).toMatchObject({ position: 7, through: 8, problem: 'altered' })
  })

  test.each([
    ['behind the end', 9, 9],
    ['far behind the end', 50, 9],
    ['at the last position that there is', '9223372036854775807', 9],
    ['at the first position that there is', '-9223372036854775807', Number.MIN_SAFE_INTEGER],
    ['before the beginning', -3, -3],
    ['at zero', 0, 0],
  ])('inserted %s', async (_, pos, named) => {
    await owner.query(`${INSERT} VALUES (${pos}, 1, gen_random_uuid(), 'z', 'T', 1, '{}', '{}')`)
    expect(await verifyChain(owner)).toMatchObject({ position: named, problem: 'inserted' })
  })

  test('inserted in the middle, the rest moved up', async () => {
    await tamper(
      'UPDATE store.event SET pos = -pos WHERE pos >= 5',
      'UPDATE store.event SET pos = 1 - pos WHERE pos < 0',
      `${INSERT} VALUES (5, 1, gen_random_uuid(), 'z', 'T', 1, '{}', '{}')`,
    )
    expect(await verifyChain(owner)).toMatchObject({ position: 5, problem: 'altered' })
  })

  test('inserted behind the end', async () => {
    await owner.query(`${INSERT} VALUES (9, 1, gen_random_uuid(), 'z', 'T', 1, '{}', '{}')`)
    expect(await verifyChain(owner)).toMatchObject({ position: 9, problem: 'inserted' })
  })

  test('two events merged into one by separators inside a name', async () => {
    await tamper(
      `UPDATE store.event e7 SET data = e8.data, metadata = e8.metadata,
          stream = concat_ws(E'\\x1f', e7.stream, e7.type, e7.schema_version, e7.data::text, e7.metadata::text) || E'\\x1e' ||
            concat_ws(E'\\x1f', 8, (extract(epoch FROM e8.recorded_at) * 1000000)::bigint, e8.revision, e8.id, e8.stream)
        FROM store.event e8 WHERE e7.pos = 7 AND e8.pos = 8`,
      'DELETE FROM store.event WHERE pos = 8',
      'UPDATE store.chain SET to_pos = 7 WHERE to_pos = 8',
    )
    expect(await verifyChain(owner)).toMatchObject({ position: 7, problem: 'altered' })
  })

  test('an altered hash, a removed hash, a hash too many', async () => {
    await tamper(`UPDATE store.chain SET hash = sha256('x') WHERE to_pos = 5`)
    expect(await verifyChain(owner)).toMatchObject({ position: 5, problem: 'altered' })
    await tamper('DELETE FROM store.chain WHERE to_pos = 5')
    expect(await verifyChain(owner)).toMatchObject({ position: 5, through: 6, problem: 'altered' })
    await tamper('DELETE FROM store.chain WHERE to_pos > 5', `INSERT INTO store.chain VALUES (2, sha256('x'))`)
    expect(await verifyChain(owner)).toMatchObject({ position: 2, through: 2, problem: 'altered' })
  })
})
