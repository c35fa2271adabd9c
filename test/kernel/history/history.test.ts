import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { CompactSign, generateKeyPair } from 'jose'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { CHECKPOINT_TYPE, checkpointKey } from '#kernel/history/checkpoint-key'
import type { SignedCheckpoint } from '#kernel/history/checkpoint-key'
import { startCheckpointSigner } from '#kernel/history/checkpoint-signer'
import { makeCheckpoint, brokenHistoryText, verifyHistory } from '#kernel/history/verify-history'
import { servicePool } from '#kernel/store/connection'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { isStoreElsewhere, refuseOtherHistory } from '#kernel/store/single-history'
import { memoryKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import { testDatabase } from '#test/support/database'
import type { TestDatabase } from '#test/support/database'
import { createTestDatabase, databaseUrl, dropDatabase } from '../../support/admin.ts'
import { anAppend, anEvent, aPart } from '../../support/kernel/appends.ts'
import { someTampering, tamper, tamperingKinds } from '../../support/kernel/tampering.ts'

const APPENDS = 24
const TAMPERINGS = 50

const vault = openVault({ store: memoryKeyStore(), kek: randomBytes(32) })
let original: TestDatabase
let checkpoint: SignedCheckpoint
let head: number
const ends: number[] = []

/** Appends of one to four events, a checkpoint of the first half, and a copied checkpoint of all events. */
beforeAll(async () => {
  original = await testDatabase()
  const store = postgresStore({ url: original.url })
  const pool = servicePool(original.url, { role: 'daybook_service' })
  for (let made = 0; made < APPENDS; made += 1) {
    const events = Array.from({ length: 1 + (made % 4) }, (_, n) => anEvent({ made, n }))
    ends.push((await store.append({ parts: [aPart(`s${made % 5}`, 'any', ...events)] })).position)
    if (made === APPENDS / 2) await makeCheckpoint(pool, vault)
  }
  checkpoint = (await makeCheckpoint(pool, vault))!
  head = ends.at(-1)!
  await store.close()
  await pool.end()
})
afterAll(() => original.drop())

/** A copy of the log as Postgres stores it, including row versions. */
async function copy(): Promise<{ url: string; pool: Pool; superuser: Pool }> {
  const [server, name] = [inject('serverUrl'), `daybook_test_${randomBytes(6).toString('hex')}`]
  await createTestDatabase(server, name, new URL(original.url).pathname.slice(1))
  const url = databaseUrl(server, name)
  const [pool, superuser] = [servicePool(url, { role: 'daybook_service' }), servicePool(url)]
  onTestFinished(async () => {
    await Promise.all([pool.end(), superuser.end()])
    await dropDatabase(server, name)
  })
  return { url, pool, superuser }
}

/** Mulberry32: a failure can be repeated by its seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

test('an untouched history verifies, against the checkpoints kept and those copied out', async () => {
  const { pool } = await copy()
  const found = await verifyHistory(pool, vault, { exported: [checkpoint.jws] })
  expect(found).toEqual({ events: head, head, hash: checkpoint.hash, after: 0, checkpoint })
})

describe('fifty tamperings by a superuser who also removes the checkpoints', () => {
  const numbered = Array.from(
    { length: TAMPERINGS },
    (_, n) => [n, tamperingKinds[n % tamperingKinds.length]!] as const,
  )
  test.each(numbered)('%i: %s', async (n, kind) => {
    const { pool, superuser } = await copy()
    const done = someTampering(kind, { head, ends }, randomFrom(n))
    await tamper(superuser, done.statements)
    const found = await verifyHistory(pool, vault, { exported: [checkpoint.jws] })
    if (!('problem' in found) || found.problem === 'forged') throw new Error(`${kind} at ${done.at} is not found`)
    expect(found.position).toBeLessThanOrEqual(done.at)
    expect(found.through).toBeGreaterThanOrEqual(done.at)
    expect(brokenHistoryText(found)).toContain(String(found.position))
    // No rows follow the last append, so it is unknown which of its rows is too young.
    if (found.problem === 'rewritten' && done.at > ends.at(-2)!) return
    expect(found.suspect ?? found.position, JSON.stringify({ done, found })).toBe(done.at)
  })
})

describe('checkpoints', () => {
  test('a rewritten chain is narrowed down to between two checkpoints that are kept', async () => {
    const { pool, superuser } = await copy()
    const { statements } = someTampering('chain recomputed', { head, ends }, () => 0.9)
    const kept = await superuser.query('SELECT * FROM store.checkpoint ORDER BY position')
    await tamper(superuser, statements)
    for (const { position, jws } of kept.rows)
      await superuser.query('INSERT INTO store.checkpoint VALUES ($1, $2)', [position, jws])
    const between = { position: kept.rows[0].position + 1, through: head, problem: 'rewritten' }
    expect(await verifyHistory(pool, vault)).toMatchObject(between)
    expect(await verifyHistory(pool, vault, { eventsMax: 10 })).toMatchObject(between)
  })

  test('what another key, another type or another place signed is no checkpoint', async () => {
    const { pool } = await copy()
    const foreign = openVault({ store: memoryKeyStore(), kek: randomBytes(32) })
    const link = { position: head, hash: checkpoint.hash }
    const { jws } = await (await checkpointKey(foreign)).sign(link, checkpoint.at)
    const { privateKey } = await generateKeyPair('EdDSA')
    const own = await new CompactSign(Buffer.from(JSON.stringify({ ...link, at: checkpoint.at })))
      .setProtectedHeader({ alg: 'EdDSA', kid: checkpoint.kid, typ: CHECKPOINT_TYPE })
      .sign(privateKey)
    for (const exported of [jws, own, '', 'a.b.c', `${checkpoint.jws}x`])
      expect(await verifyHistory(pool, vault, { exported: [exported] })).toEqual({ position: 0, problem: 'forged' })
    await pool.query('INSERT INTO store.checkpoint VALUES ($1, $2)', [head + 5, checkpoint.jws])
    expect(await verifyHistory(pool, vault)).toEqual({ position: head + 5, problem: 'forged' })
  })

  test('cannot be changed, not even by a superuser with triggers switched off', async () => {
    const { superuser, pool } = await copy()
    for (const statement of [
      `UPDATE store.checkpoint SET jws = ''`,
      'DELETE FROM store.checkpoint',
      'TRUNCATE store.checkpoint',
    ]) {
      await expect(superuser.query(`SET session_replication_role = replica; ${statement}`)).rejects.toThrow(
        'append-only',
      )
      await expect(pool.query(statement)).rejects.toThrow()
    }
  })

  test('none is signed over events that are not what was appended', async () => {
    const { pool, superuser, url } = await copy()
    const store = postgresStore({ url })
    await store.append(anAppend('more', 0, anEvent(), anEvent()))
    await superuser.query('ALTER TABLE store.event DISABLE TRIGGER append_only')
    await superuser.query(`UPDATE store.event SET data = '{"n":1}' WHERE pos = ${head + 2}`)
    await expect(makeCheckpoint(pool, vault)).rejects.toThrow(`events ${head + 1} to ${head + 2}`)
    await store.close()
  })

  test('a long log is verified from its newest checkpoint on, and says so', async () => {
    const { pool, url } = await copy()
    const store = postgresStore({ url })
    await store.append(anAppend('more', 0, anEvent(), anEvent()))
    expect(await verifyHistory(pool, vault, { eventsMax: head - 1 })).toMatchObject({ head: head + 2, after: head })
    expect(await verifyHistory(pool, vault, { eventsMax: head })).toMatchObject({ head: head + 2, after: 0 })
    await store.close()
  })

  test('a tail that was cut off below the newest checkpoint is found from there too', async () => {
    const { pool, superuser } = await copy()
    const kept = await superuser.query('SELECT * FROM store.checkpoint ORDER BY position')
    const { statements, at } = someTampering('tail cut', { head, ends }, () => 0.9)
    await tamper(superuser, statements)
    for (const { position, jws } of kept.rows)
      await superuser.query('INSERT INTO store.checkpoint VALUES ($1, $2)', [position, jws])
    const cut = { position: at, through: head, problem: 'truncated' }
    expect(await verifyHistory(pool, vault, { eventsMax: 1 })).toMatchObject(cut)
    await expect(makeCheckpoint(pool, vault)).rejects.toThrow(`events ${at} to ${head} existed`)
  })

  test('whoever must end does not wait for the first one of a long log', async () => {
    const { pool } = await copy()
    const onError = vi.fn()
    const make = async (signal: AbortSignal): Promise<number> => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return (await makeCheckpoint(pool, openVault({ store: memoryKeyStore(), kek: randomBytes(32) }), { signal }))!
        .position
    }
    const stop = startCheckpointSigner({ head: async () => head, makeCheckpoint: make, onError, pollMs: 1 })
    await pause(20)
    await stop()
    expect(onError).not.toHaveBeenCalled()
    await expect(verifyHistory(pool, vault, { signal: AbortSignal.abort() })).rejects.toThrow('aborted')
  })

  test('the newest is answered again while nothing comes after it, and an empty log has none', async () => {
    const { pool } = await copy()
    expect(await makeCheckpoint(pool, vault)).toEqual(checkpoint)
    const empty = await testDatabase()
    const none = servicePool(empty.url, { role: 'daybook_service' })
    expect(await makeCheckpoint(none, vault)).toBeUndefined()
    await none.end()
    await empty.drop()
  })

  test.each(['tail cut', 'chain recomputed'])(
    'a process holds the log to what it has signed itself, whoever has taken that out of the table: %s',
    async (kind) => {
      const { pool, superuser } = await copy()
      await tamper(superuser, someTampering(kind, { head, ends }, () => 0.9).statements)
      await expect(makeCheckpoint(pool, vault, { known: checkpoint })).rejects.toThrow(
        kind === 'tail cut' ? 'was cut off' : 'was rewritten',
      )
      expect(await makeCheckpoint(pool, vault)).toBeDefined()
    },
  )

  test.each(['chain', 'checkpoint'])(
    'a log of which only the %s is left was here and not elsewhere: no process starts on it',
    async (left) => {
      const { pool, superuser } = await copy()
      await superuser.query(`INSERT INTO read.projection (name, version, position) VALUES ('any', 1, 1)`)
      await tamper(superuser, ['DELETE FROM store.event', ...(left === 'chain' ? [] : ['DELETE FROM store.chain'])])
      expect(await isStoreElsewhere(pool)).toBe(left !== 'chain')
      if (left !== 'chain')
        await superuser.query('INSERT INTO store.checkpoint VALUES ($1, $2)', [checkpoint.position, checkpoint.jws])
      expect(await isStoreElsewhere(pool)).toBe(false)
      for (const elsewhere of [true, false])
        await expect(refuseOtherHistory(pool, elsewhere)).rejects.toThrow('events of this database are missing')
      expect(await verifyHistory(pool, vault)).toMatchObject({ position: 1 })
    },
  )

  test('one that somebody took away is signed again', async () => {
    const { pool, superuser } = await copy()
    await tamper(superuser, [])
    const { position, hash } = checkpoint
    expect(await makeCheckpoint(pool, vault, { known: checkpoint })).toMatchObject({ position, hash })
    expect(await verifyHistory(pool, vault)).toMatchObject({ checkpoint: { position } })
  })

  test('a log that becomes shorter is looked at at once', async () => {
    let at = 100
    const make = vi.fn(async () => 100)
    const stop = startCheckpointSigner({ head: async () => at, makeCheckpoint: make, onError: vi.fn(), pollMs: 1 })
    await vi.waitFor(() => expect(make).toHaveBeenCalledTimes(1), { timeout: 10_000 })
    at = 99
    await vi.waitFor(() => expect(make.mock.calls.length).toBeGreaterThan(1), { timeout: 10_000 })
    await stop()
  })

  test('are signed every so many events while a service runs, and a failure ends nothing', async () => {
    let at = 0
    const make = vi.fn(async () => at)
    const onError = vi.fn()
    const head = vi.fn(async () => at)
    const stop = startCheckpointSigner({ head, makeCheckpoint: make, onError, pollMs: 1, everyEvents: 10 })
    await vi.waitFor(() => expect(make).toHaveBeenCalledTimes(1), { timeout: 10_000 })
    at = 9
    await pause(20)
    expect(make).toHaveBeenCalledTimes(1)
    head.mockRejectedValueOnce(new Error('away'))
    await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce(), { timeout: 10_000 })
    at = 10
    await vi.waitFor(() => expect(make).toHaveBeenCalledTimes(2), { timeout: 10_000 })
    await stop()
    at = 100
    await pause(20)
    expect(make).toHaveBeenCalledTimes(2)
  })
})
