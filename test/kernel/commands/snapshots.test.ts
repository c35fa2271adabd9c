import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import { postgresSnapshotStore } from '#kernel/commands/snapshots'
import type { SnapshotStore } from '#kernel/commands/snapshots'
import { StateCache } from '#kernel/commands/state-cache'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, sealed, stream } from '#kernel/events/event'
import type { EventStore } from '#kernel/events/store-port'
import { manualClock } from '#kernel/lib/clock'
import { snapshotWriter } from '#kernel/projections/snapshot-writer'
import { servicePool } from '#kernel/store/connection'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { ERASED, openVault } from '#kernel/vault/vault'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'

const EVERY = 5
const CONTEXT = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }

const NoteTaken = event(
  'NoteTaken',
  'readerId',
  { readerId: z.uuid(), text: sealed(z.string()) },
  ({ readerId }) => `took a note of ${readerId}`,
  { sealedFor: ({ readerId }) => `reader/${readerId}` },
)

/** With dates and maps, which JSON would lose. */
interface Notes {
  readonly texts: readonly string[]
  readonly lastAt: Date | undefined
  readonly lengths: ReadonlyMap<number, number>
}

const NONE: Notes = { texts: [], lastAt: undefined, lengths: new Map() }

const notesInVersion = (version: number) =>
  decider(stream('notes', [NoteTaken]), {
    initial: NONE,
    snapshot: { version, everyEvents: EVERY, sealedFor: (readerId) => `reader/${readerId}` },
    evolve: {
      NoteTaken: ({ texts, lengths }, { text }, lastAt) => ({
        texts: [...texts, text],
        lastAt,
        lengths: new Map([...lengths, [texts.length, text.length]]),
      }),
    },
    commands: { TakeNote: (_notes, ask: { readerId: string; text: string }) => [NoteTaken(ask)] },
  })
const notes = notesInVersion(1)

let database: TestDatabase
let owner: pg.Pool
let reading: pg.Pool
let writing: pg.Pool
beforeAll(async () => {
  database = await testDatabase()
  owner = new pg.Pool({ connectionString: database.url, max: 2 })
  reading = servicePool(database.url, { role: 'daybook_service' })
  writing = servicePool(database.url, { role: 'daybook_projector' })
})
afterAll(async () => {
  await Promise.all([owner, reading, writing].map((pool) => pool.end()))
  await database.drop()
})
beforeEach(() => owner.query('DELETE FROM read.snapshot'))

function world(given: { snapshots?: (real: SnapshotStore) => SnapshotStore } = {}) {
  const vault = openVault({ store: memoryKeyStore(), kek: Buffer.alloc(32, 9) })
  const real = postgresSnapshotStore({ readPool: reading, writePool: writing, vault })
  const snapshots = given.snapshots?.(real) ?? real
  const store = memoryStore()
  const codec = eventCodec([notes.stream], vault)
  const states = new StateCache(store, codec, snapshots)
  const commands = commandRunner(store, codec, manualClock(new Date('2026-01-01T00:00:00.000Z')), states)
  const errors: unknown[] = []
  const writer = snapshotWriter({ store, states, snapshots, deciders: [notes], onError: (error) => errors.push(error) })
  const readerId = crypto.randomUUID()
  const name = `notes-${readerId}`

  async function take(count: number): Promise<void> {
    for (let nth = 0; nth < count; nth += 1)
      await commands.run(CONTEXT, (unit) =>
        unit.decide(notes, readerId, 'TakeNote', { readerId, text: `secret ${nth}` }),
      )
  }

  /** The state that a newly started process loads, and the revisions after which it read. */
  async function coldly(by = notes, from: EventStore = store) {
    const asked: number[] = []
    const readStream: EventStore['readStream'] = (stream, after = 0) => {
      asked.push(after)
      return from.readStream(stream, after)
    }
    const watched = { readStream } as EventStore
    const { state, revision } = await new StateCache(watched, codec, snapshots).current(by, name)
    return { state: state as Notes, revision, asked }
  }

  const whole = async () => (await new StateCache(store, codec).current(notes, name)).state
  const written = async () => {
    writer.onApplied(await store.readStream(name))
    await writer.end()
  }
  const rows = async () => (await owner.query('SELECT * FROM read.snapshot ORDER BY revision')).rows
  return { vault, store, codec, take, coldly, whole, written, rows, writer, errors, name, readerId, states, snapshots }
}

test('a process that has just started reads a long stream from its snapshot on, and comes to the same state', async () => {
  const { take, written, coldly, whole, rows } = world()
  await take(12)
  await written()
  await take(2)
  expect((await rows()).map(({ revision }) => revision)).toEqual([12])
  const { state, revision, asked } = await coldly()
  expect(asked, 'its last event is looked at, then the tail').toEqual([11, 12])
  expect(revision).toBe(14)
  expect(state).toEqual(await whole())
  expect(state.lastAt).toBeInstanceOf(Date)
  expect(state.lengths.size).toBe(14)
})

test('a stream gets a snapshot when it passes another multiple, and only then', async () => {
  const { take, written, rows, writer, name } = world()
  await take(EVERY - 1)
  await written()
  expect(await rows()).toEqual([])
  await take(1)
  writer.onApplied([
    { stream: `${name}x`, revision: EVERY },
    { stream: 'notes', revision: 1 },
    { stream: name, revision: EVERY },
  ])
  await writer.end()
  expect((await rows()).map(({ stream, revision }) => [stream, revision])).toEqual([[name, EVERY]])
})

test('nothing of a state can be read in its snapshot', async () => {
  const { take, written, rows } = world()
  await take(EVERY)
  await written()
  const [{ state }] = await rows()
  expect(state).toMatch(/^~1\.snapshot\./)
  for (const way of ['utf8', 'base64url'] as const)
    expect(Buffer.from(state.slice('~1.snapshot.'.length), 'base64url').toString(way)).not.toContain(
      Buffer.from('secret').toString(way),
    )
})

test('erasing somebody erases what a snapshot says of him', async () => {
  const { take, written, coldly, whole, vault, readerId, rows, errors } = world()
  await take(EVERY)
  await written()
  await vault.erase([`reader/${readerId}`])
  const { state, asked } = await coldly()
  expect(asked, 'from the first event on').toEqual([0])
  expect(new Set(state.texts)).toEqual(new Set([ERASED]))
  expect(state).toEqual(await whole())
  const before = await rows()
  await written()
  expect(await rows()).toEqual(before)
  expect(errors.map(String)).toEqual([expect.stringContaining('was erased')])
})

test.each([
  ['of another version', 'version = version + 1'],
  ['altered', "state = overlay(state placing 'AAAA' from 40)"],
  ['no sealed text', "state = 'x'"],
  ['of another revision', 'revision = revision - 1'],
  ['of another event', "event_id = '01890000-0000-7000-8000-000000000000'"],
])('one that is %s is as if it were not there', async (_what, change) => {
  const { take, written, coldly, whole } = world()
  await take(7)
  await written()
  await owner.query(`UPDATE read.snapshot SET ${change}`)
  const { state, asked } = await coldly()
  expect(asked).toEqual([0])
  expect(state).toEqual(await whole())
})

test('one that was moved to another stream does not open there, also with the same key', async () => {
  const { snapshots } = world()
  const shared = { ...notes, snapshot: { ...notes.snapshot!, sealedFor: () => 'installation' } }
  const eventId = crypto.randomUUID()
  await snapshots.write(shared, 'notes-a', { state: notes.initial, revision: 1, position: 1, eventId })
  expect(await snapshots.read(shared, 'notes-a')).toEqual({ state: notes.initial, revision: 1, position: 1, eventId })
  await owner.query("UPDATE read.snapshot SET stream = 'notes-b'")
  expect(await snapshots.read(shared, 'notes-b')).toBeUndefined()
})

test('one of another log is as if it were not there', async () => {
  const { take, written, coldly, store, codec, name, readerId } = world()
  await take(7)
  await written()
  const restored = memoryStore()
  const { data } = (await store.readStream(name))[0]!
  for (let nth = 0; nth < 9; nth += 1) {
    const taken = {
      id: crypto.randomUUID(),
      type: 'NoteTaken',
      schemaVersion: 1,
      data,
      metadata: { at: '2026-01-01T00:00:00.000Z' },
    }
    await restored.append({ parts: [{ stream: name, expected: nth, events: [taken] }] })
  }
  const { state } = await coldly(notes, restored)
  expect(state).toEqual((await new StateCache(restored, codec).current(notes, `notes-${readerId}`)).state)
  expect(state.texts).toHaveLength(9)
})

test('a decider of another version starts from the first event, and its snapshot replaces the older one', async () => {
  const { take, written, coldly, rows, store, states, snapshots, name } = world()
  await take(7)
  await written()
  const next = notesInVersion(2)
  expect((await coldly(next)).asked).toEqual([0])
  const newer = snapshotWriter({
    store,
    states,
    snapshots,
    deciders: [next],
    onError: (error) => expect.fail(String(error)),
  })
  newer.onApplied([{ stream: name, revision: EVERY }])
  await newer.end()
  expect((await rows()).map(({ version, revision }) => [version, revision])).toEqual([[2, 7]])
  await take(5)
  await written()
  expect(
    (await rows()).map(({ version, revision }) => [version, revision]),
    'an older process leaves it',
  ).toEqual([[2, 7]])
  expect((await coldly(next)).asked).toEqual([6, 7])
})

test('the furthest is kept, whoever is late', async () => {
  const { take, written, rows, snapshots, states, name } = world()
  await take(6)
  const early = await states.current(notes, name)
  await take(6)
  await written()
  await snapshots.write(notes, name, { ...early, eventId: crypto.randomUUID() })
  expect((await rows()).map(({ revision }) => revision)).toEqual([12])
})

test('no command waits for a snapshot, and none fails because one cannot be written or read', async () => {
  const broken: SnapshotStore = {
    read: async () => undefined,
    write: () => Promise.reject(new Error('the disk is full')),
  }
  const { take, written, errors, coldly, whole } = world({ snapshots: () => broken })
  await take(EVERY)
  await written()
  await take(1)
  expect(errors.map(String)).toEqual(['Error: the disk is full'])
  expect((await coldly()).state).toEqual(await whole())
})

test('without the table, or the right to read it, streams are read whole', async () => {
  const { take, written, coldly, whole } = world()
  await take(EVERY)
  await written()
  await owner.query('REVOKE SELECT ON read.snapshot FROM daybook_service')
  const { state, asked } = await coldly()
  await owner.query('GRANT SELECT ON read.snapshot TO daybook_service')
  expect(asked).toEqual([0])
  expect(state).toEqual(await whole())
})

test('the role that serves HTTP cannot write one', async () => {
  await expect(reading.query('DELETE FROM read.snapshot')).rejects.toThrow('permission denied')
  await expect(reading.query("UPDATE read.snapshot SET state = ''")).rejects.toThrow('permission denied')
})
