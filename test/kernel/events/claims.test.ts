import { randomBytes, randomUUID } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { event, sealed, stream } from '#kernel/events/event'
import type { EventStore } from '#kernel/events/store-port'
import { constraintMismatchText, findConstraintMismatch } from '#kernel/events/unique-constraints'
import { servicePool } from '#kernel/store/connection'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { postgresKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'

const shape = { guestId: z.string(), address: sealed(z.string()), room: z.string() }
const sealedFor = ({ guestId }: { guestId: string }) => `guest/${guestId}`
const claims = ({ address, room }: { address: string; room: string }) => [
  { scope: 'address', key: address },
  { scope: 'room', key: room },
]
const sentence = ({ guestId }: { guestId: string }) => guestId
const GuestArrived = event('GuestArrived', 'guestId', shape, sentence, { sealedFor, takes: claims })
const GuestLeft = event('GuestLeft', 'guestId', shape, sentence, { sealedFor, releases: claims })
const GuestSlept = event('GuestSlept', 'guestId', { guestId: z.string() }, sentence)
const guests = stream('guest', [GuestArrived, GuestLeft, GuestSlept])

const kek = randomBytes(32)
const at = new Date()
let database: TestDatabase
let pool: Pool
let superuser: Pool
let store: EventStore

beforeAll(async () => {
  database = await testDatabase()
  pool = servicePool(database.url, { role: 'daybook_service' })
  superuser = servicePool(database.url)
  store = postgresStore({ url: database.url })
})
afterAll(async () => {
  await Promise.all([pool.end(), superuser.end(), store.close()])
  await database.drop()
})

/** A separate process, which has no keys in memory. */
function opened() {
  const vault = openVault({ store: postgresKeyStore(pool), kek })
  const codec = eventCodec([guests], vault)
  const commands = commandRunner(store, codec, { now: () => at })
  return { vault, commands, stray: (from = store) => findConstraintMismatch({ pool, store: from, codec, vault }) }
}

const context = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }
const aGuest = () => ({ guestId: randomUUID(), address: `${randomUUID()}@guest.test`, room: randomUUID() })
type Guest = ReturnType<typeof aGuest>
const happened = (type: typeof GuestArrived | typeof GuestLeft, guest: Guest) =>
  opened().commands.run(context, async (unit) => unit.appendEvent(guests, guest.guestId, type(guest)))

let guest: Guest
beforeEach(async () => {
  guest = aGuest()
  await happened(GuestArrived, guest)
  await opened().commands.run(context, async (unit) =>
    unit.appendEvent(guests, guest.guestId, GuestSlept({ guestId: guest.guestId })),
  )
})

/** Restores the change afterwards, for the next test. */
async function whileChanged(change: string, values: unknown[], look: () => Promise<void>): Promise<void> {
  const { rows } = await superuser.query('SELECT * FROM store.claim')
  await superuser.query(change, values)
  try {
    await look()
  } finally {
    await superuser.query('DELETE FROM store.claim')
    for (const { scope, key, holder, pos } of rows)
      await superuser.query('INSERT INTO store.claim VALUES ($1, $2, $3, $4)', [scope, key, holder, pos])
  }
}

test('claims that are as the events say are not complained of, also those of guests who left and came back', async () => {
  await happened(GuestLeft, guest)
  expect(await opened().stray()).toBeUndefined()
  await happened(GuestArrived, guest)
  expect(await opened().stray()).toBeUndefined()
})

test.each([
  ['taken away', 'DELETE FROM store.claim WHERE key = $1', 'missing'],
  ['given to another', "UPDATE store.claim SET holder = 'mallory' WHERE key = $1", 'invented'],
  ['made to mean something else', "UPDATE store.claim SET key = '!' || key WHERE key = $1", 'invented'],
  ['written in', "INSERT INTO store.claim VALUES ('room', '!' || $1, 'mallory', 1)", 'invented'],
])('a claim that was %s', async (_, change, problem) => {
  await whileChanged(change, [guest.room], async () => {
    const found = await opened().stray()
    expect(found).toMatchObject({ problem, scope: 'room' })
    expect(constraintMismatchText(found!)).toMatch(
      problem === 'missing' ? `room that ${guest.guestId} took` : 'no event took it',
    )
    expect(JSON.stringify(found)).not.toContain(guest.room)
  })
})

test('whose key is gone and nothing says that he was erased', async () => {
  const { rows } = await superuser.query('DELETE FROM vault.data_key WHERE subject = $1 RETURNING *', [
    `guest/${guest.guestId}`,
  ])
  expect(await opened().stray()).toMatchObject({ scope: 'address', holder: guest.guestId })
  const { subject, wrapped } = rows[0]
  await superuser.query('INSERT INTO vault.data_key (subject, wrapped) VALUES ($1, $2)', [subject, wrapped])
  expect(await opened().stray()).toBeUndefined()
})

test('whoever leaves for good has nothing left, and does so while the log is read', async () => {
  const gone = aGuest()
  await happened(GuestArrived, gone)
  await happened(GuestLeft, gone)
  await opened().vault.erase([sealedFor(gone)])
  expect(await opened().stray()).toBeUndefined()

  let isErased = false
  const slow: EventStore = {
    ...store,
    async *readBatches(after) {
      if (!isErased) {
        isErased = true
        await happened(GuestLeft, guest)
        await opened().vault.erase([sealedFor(guest)])
      }
      yield* store.readBatches(after)
    },
  }
  expect(await opened().stray(slow)).toBeUndefined()
})

test('events that come meanwhile are not asked for their claims', async () => {
  let more = 3
  const growing: EventStore = {
    ...store,
    async *readBatches(after) {
      if ((more -= 1) >= 0) await happened(GuestArrived, aGuest())
      yield* store.readBatches(after)
    },
  }
  expect(await opened().stray(growing)).toBeUndefined()
})
