import { fork } from 'node:child_process'
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test, vi } from 'vitest'
import { servicePool } from '#kernel/store/connection'
import { decrypt, encrypt } from '#kernel/vault/aes-gcm'
import { memoryKeyStore, postgresKeyStore } from '#kernel/vault/key-store'
import type { KeyStore } from '#kernel/vault/key-store'
import { openVault, parseKeyEncryptionKey, SubjectErased } from '#kernel/vault/vault'
import type { Vault } from '#kernel/vault/vault'
import { testDatabase } from '#test/support/database'

const kek = randomBytes(32)
const EMAIL = { subject: 'customer/1', type: 'CustomerCreated', field: 'email' }

describe('seal and open', () => {
  const vault = openVault({ store: memoryKeyStore(), kek })

  test.each(['ada@example.org', '', 'ä€𝄞\n\u0000', 'x'.repeat(100_000)])('%j comes back', async (plain) => {
    const sealed = await vault.seal(plain, EMAIL)
    expect(sealed).toMatch(/^~1\.CustomerCreated\.[A-Za-z0-9_-]+$/)
    expect(await vault.open(sealed, EMAIL)).toBe(plain)
  })

  test('the same text never seals to the same bytes', async () => {
    expect(await vault.seal('x', EMAIL)).not.toBe(await vault.seal('x', EMAIL))
  })

  test('a text sealed for one field, subject or event type opens nowhere else', async () => {
    const sealed = await vault.seal('ada', EMAIL)
    await vault.seal('another key', { ...EMAIL, subject: 'customer/2' })
    await expect(vault.open(sealed, { ...EMAIL, field: 'name' })).rejects.toThrow()
    await expect(vault.open(sealed, { ...EMAIL, subject: 'customer/2' })).rejects.toThrow()
    await expect(vault.open(sealed.replace('CustomerCreated', 'CustomerRenamed'), EMAIL)).rejects.toThrow()
  })

  test('neither does one of a subject that was given the same key', async () => {
    const rows = new Map<string, Buffer | null>()
    const sealed = await openVault({ store: memoryKeyStore(rows), kek }).seal('ada', EMAIL)
    const wrapping = createSecretKey(kek)
    rows.set('customer/2', encrypt(wrapping, decrypt(wrapping, rows.get('customer/1')!, 'customer/1'), 'customer/2'))
    const given = openVault({ store: memoryKeyStore(rows), kek })
    expect(await given.open(sealed, EMAIL)).toBe('ada')
    await expect(given.open(sealed, { ...EMAIL, subject: 'customer/2' })).rejects.toThrow()
  })

  test('neither does one under the same key whose names run together', async () => {
    const sealed = await vault.seal('ada', { subject: 'customer/1', type: 'A","B', field: 'C' })
    await expect(vault.open(sealed.replace('A","B', 'A'), { subject: 'customer/1', field: 'B","C' })).rejects.toThrow()
  })

  test('every altered byte is noticed', async () => {
    const sealed = await vault.seal('ada', EMAIL)
    const start = sealed.lastIndexOf('.') + 1
    const body = Buffer.from(sealed.slice(start), 'base64url')
    for (const index of body.keys()) {
      const changed = Buffer.from(body)
      changed[index]! ^= 1
      await expect(vault.open(sealed.slice(0, start) + changed.toString('base64url'), EMAIL)).rejects.toThrow()
    }
  })

  test.each(['ada@example.org', '', '~1.Type.', '~1.Type.AAAA', '~2.Type.AAAA'])(
    '%j is not sealed text',
    async (text) => {
      await expect(vault.open(text, EMAIL)).rejects.toThrow()
    },
  )

  test('a first seal makes the key without a look; the keys of the installation are looked up, and made once', async () => {
    const store = memoryKeyStore()
    const [get, put] = [vi.spyOn(store, 'get'), vi.spyOn(store, 'put')]
    const first = openVault({ store, kek })
    await first.seal('x', EMAIL)
    await first.key('pepper')
    const second = openVault({ store, kek })
    await second.key('pepper')
    await second.seal('x', EMAIL)
    expect(get.mock.calls.flat(2)).toEqual(['installation-key/pepper', 'installation-key/pepper'])
    expect(put.mock.calls.map(([subject]) => subject)).toEqual(['customer/1', 'installation-key/pepper', 'customer/1'])
  })

  test('a hundred first seals at once make one key', async () => {
    const keys = memoryKeyStore()
    const put = vi.spyOn(keys, 'put')
    const busy = openVault({ store: keys, kek })
    const sealed = await Promise.all(Array.from({ length: 100 }, () => busy.seal('x', EMAIL)))
    expect(put).toHaveBeenCalledTimes(1)
    const later = openVault({ store: keys, kek })
    expect(new Set(await Promise.all(sealed.map((text) => later.open(text, EMAIL))))).toEqual(new Set(['x']))
  })
})

test('a cached key keeps no larger block of memory alive', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const wrapped = new Map<string, Buffer>()
  const store: KeyStore = {
    ...memoryKeyStore(),
    put: async (subject, key) => {
      // A copy in memory of its own, as a store outside of the process has one.
      const copy = Buffer.allocUnsafeSlow(key.length)
      key.copy(copy)
      wrapped.set(subject, copy)
      return copy
    },
  }
  const vault = openVault({ store, kek })
  collectGarbage()
  const before = process.memoryUsage().arrayBuffers
  for (let n = 0; n < 1_000; n += 1) {
    await vault.seal('ada', { ...EMAIL, subject: `customer/${n}` })
    // As the rest of a request, this takes memory from the pool of small Buffers.
    for (let other = 0; other < 10; other += 1) Buffer.from('x'.repeat(2_000))
  }
  collectGarbage()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(3_000_000)
  expect(wrapped.size).toBe(1_000)
  await vault.seal('ada', EMAIL)
})

describe('erased', () => {
  test('a subject without its key reads ERASED', async () => {
    const rows = new Map<string, Buffer | null>()
    const sealed = await openVault({ store: memoryKeyStore(rows), kek }).seal('ada', EMAIL)
    rows.delete(EMAIL.subject)
    const vault = openVault({ store: memoryKeyStore(rows), kek })
    await vault.loadKeys([EMAIL.subject])
    expect(await vault.open(sealed, EMAIL)).toBe('ERASED')
  })

  test('an absence is not remembered: the key may be made a moment later elsewhere', async () => {
    const store = memoryKeyStore()
    const [reader, writer] = [openVault({ store, kek }), openVault({ store, kek })]
    const foreign = await openVault({ store: memoryKeyStore(), kek }).seal('x', EMAIL)
    expect(await reader.open(foreign, EMAIL)).toBe('ERASED')
    expect(await reader.open(await writer.seal('ada', EMAIL), EMAIL)).toBe('ada')
  })
})

describe('erasing', () => {
  test('destroys the key for good: nothing opens, nothing is sealed, and no process makes another key', async () => {
    const rows = new Map<string, Buffer | null>()
    const vault = openVault({ store: memoryKeyStore(rows), kek })
    const sealed = await vault.seal('ada', EMAIL)
    const other = await vault.seal('bob', { ...EMAIL, subject: 'customer/2' })
    await vault.erase([EMAIL.subject])
    await vault.erase([EMAIL.subject])
    expect(rows.get(EMAIL.subject)).toBe(null)
    for (const each of [vault, openVault({ store: memoryKeyStore(rows), kek })]) {
      expect(await each.open(sealed, EMAIL)).toBe('ERASED')
      await each.loadKeys([EMAIL.subject])
      expect(await each.open(sealed, EMAIL)).toBe('ERASED')
      await expect(each.seal('ada', EMAIL)).rejects.toThrow(SubjectErased)
      expect(await each.open(other, { ...EMAIL, subject: 'customer/2' })).toBe('bob')
    }
    expect(rows.get(EMAIL.subject)).toBe(null)
  })

  test('reaches a process that heard nothing within a second, and one that asks at once', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    try {
      const store = memoryKeyStore()
      const [eraser, deaf, asking] = [1, 2, 3].map(() => openVault({ store, kek })) as [Vault, Vault, Vault]
      const sealed = await eraser.seal('ada', EMAIL)
      const read = () => Promise.all([deaf.open(sealed, EMAIL), asking.open(sealed, EMAIL)])
      expect(await read()).toEqual(['ada', 'ada'])
      await eraser.erase([EMAIL.subject])
      vi.advanceTimersByTime(1)
      await asking.applyErasures(0)
      expect(await read()).toEqual(['ada', 'ERASED'])
      vi.advanceTimersByTime(1_000)
      expect(await read()).toEqual(['ERASED', 'ERASED'])
    } finally {
      vi.useRealTimers()
    }
  })

  test('is heard by who keeps what was opened', async () => {
    const store = memoryKeyStore()
    const [eraser, other] = [openVault({ store, kek }), openVault({ store, kek })]
    const heard = [vi.fn(), vi.fn()]
    eraser.onErased(heard[0]!)
    other.onErased(heard[1]!)
    await other.applyErasures(0)
    await eraser.erase([EMAIL.subject])
    await other.applyErasures(-1)
    await other.applyErasures(-1)
    for (const each of heard) expect(each).toHaveBeenCalledTimes(1)
  })

  test.each(['open', 'prepare'])('a key that was being read (%s) while it was erased is not kept', async (how) => {
    const keys = memoryKeyStore()
    const sealed = await openVault({ store: keys, kek }).seal('ada', EMAIL)
    const { promise: read, resolve: letRead } = Promise.withResolvers<void>()
    const slow: KeyStore = {
      ...keys,
      get: async (subjects) => {
        const found = await keys.get(subjects)
        await read
        return found
      },
    }
    const vault = openVault({ store: slow, kek })
    const early = how === 'open' ? vault.open(sealed, EMAIL) : vault.loadKeys([EMAIL.subject])
    await new Promise(setImmediate)
    await vault.erase([EMAIL.subject])
    letRead()
    await early
    expect(await vault.open(sealed, EMAIL)).toBe('ERASED')
  })

  test('while nobody can tell who was erased, nothing is opened; what guards the doors goes on', async () => {
    const keys = memoryKeyStore()
    let down = false
    const asked = <Result>(answer: Result): Result => {
      if (down) throw new Error('down')
      return answer
    }
    const store: KeyStore = {
      ...keys,
      get: async (subjects) => asked(await keys.get(subjects)),
      erasedAfter: async (after) => asked(await keys.erasedAfter(after)),
    }
    const vault = openVault({ store, kek })
    const sealed = await vault.seal('ada', EMAIL)
    const key = await vault.key('session')
    down = true
    await expect(vault.applyErasures(-1)).rejects.toThrow('down')
    await expect(vault.open(sealed, EMAIL)).rejects.toThrow('down')
    expect(await vault.key('session')).toEqual(key)
    down = false
    expect(await vault.open(sealed, EMAIL)).toBe('ada')
  })

  test('never takes the installation’s own keys', async () => {
    const vault = openVault({ store: memoryKeyStore(), kek })
    for (const subject of ['installation', 'installation-key/pepper'])
      await expect(vault.erase([subject])).rejects.toThrow('installation')
  })
})

describe('prepare', () => {
  test('loads many keys with one query, and none twice', async () => {
    const store = memoryKeyStore()
    const writer = openVault({ store, kek })
    const subjects = Array.from({ length: 50 }, (_, n) => `customer/${n}`)
    const sealed = await Promise.all(subjects.map((subject) => writer.seal(subject, { ...EMAIL, subject })))
    const get = vi.spyOn(store, 'get')
    const reader = openVault({ store, kek })
    await reader.loadKeys([...subjects, ...subjects])
    await reader.loadKeys(subjects)
    const opened = await Promise.all(sealed.map((text, n) => reader.open(text, { ...EMAIL, subject: `customer/${n}` })))
    expect(opened).toEqual(subjects)
    expect(get).toHaveBeenCalledTimes(1)
    expect(get.mock.calls[0]?.[0]).toHaveLength(50)
  })

  test('the keys used longest ago are forgotten first, and found again', async () => {
    const store = memoryKeyStore()
    const vault = openVault({ store, kek })
    const first = await vault.seal('first', EMAIL)
    const second = await vault.seal('second', { ...EMAIL, subject: 'customer/2' })
    for (let n = 0; n < 9_999; n += 1) {
      await vault.key(`filler-${n}`)
      if (n === 5_000) await vault.open(first, EMAIL)
    }
    const get = vi.spyOn(store, 'get').mockClear()
    expect(await vault.open(first, EMAIL)).toBe('first')
    expect(get).not.toHaveBeenCalled()
    expect(await vault.open(second, { ...EMAIL, subject: 'customer/2' })).toBe('second')
    expect(get).toHaveBeenCalledTimes(1)
  })
})

describe('installation keys', () => {
  test('are 32 bytes, stable, of their own for each name, and a copy for each caller', async () => {
    const store = memoryKeyStore()
    const key = await openVault({ store, kek }).key('pepper')
    const again = openVault({ store, kek })
    expect(key).toHaveLength(32)
    expect(await again.key('pepper')).toEqual(key)
    expect(await again.key('salt')).not.toEqual(key)
    const copy = await again.key('pepper')
    copy.fill(0)
    expect(await again.key('pepper')).toEqual(key)
  })

  test('hmac is HMAC-SHA256 under that key, in base64url', async () => {
    const vault = openVault({ store: memoryKeyStore(), kek })
    const expected = createHmac('sha256', await vault.key('pepper'))
      .update('ä')
      .digest('base64url')
    expect(await vault.hmac('pepper', 'ä')).toBe(expected)
    expect(await vault.hmac('other', 'ä')).not.toBe(expected)
  })
})

describe('the key-encryption key', () => {
  test('the right one passes, again and again; a wrong one is told what to do', async () => {
    const store = memoryKeyStore()
    await openVault({ store, kek }).check()
    await openVault({ store, kek }).check()
    await expect(openVault({ store, kek: randomBytes(32) }).check()).rejects.toThrow(
      'start with the secret key that this installation was first started with',
    )
  })

  test('a wrapped key moved to another subject does not unwrap', async () => {
    const rows = new Map<string, Buffer | null>()
    const sealed = await openVault({ store: memoryKeyStore(rows), kek }).seal('x', EMAIL)
    rows.set('customer/2', rows.get(EMAIL.subject)!)
    await expect(
      openVault({ store: memoryKeyStore(rows), kek }).open(sealed, { ...EMAIL, subject: 'customer/2' }),
    ).rejects.toThrow()
  })

  test('a failing store is not remembered', async () => {
    const working = memoryKeyStore()
    let down = true
    const store: KeyStore = {
      get: async (subjects) => {
        if (down) throw new Error('down')
        return working.get(subjects)
      },
      put: working.put,
      erase: working.erase,
      erasedAfter: working.erasedAfter,
    }
    const vault = openVault({ store, kek })
    await expect(vault.key('pepper')).rejects.toThrow('down')
    down = false
    expect(await vault.key('pepper')).toHaveLength(32)
  })

  test.each(['hex', 'base64', 'base64url'] as const)('is read from %s', (encoding) => {
    expect(parseKeyEncryptionKey(` ${kek.toString(encoding)}\n`)).toEqual(kek)
    expect(parseKeyEncryptionKey(kek.toString(encoding).replace(/=+$/, ''))).toEqual(kek)
  })

  test.each([
    ['nothing', ''],
    ['31 bytes', randomBytes(31).toString('base64')],
    ['33 bytes', randomBytes(33).toString('base64')],
    ['63 hex digits', 'a1'.repeat(31) + 'a'],
    ['32 characters of text', 'correct horse battery staple 123'],
    ['zeros', Buffer.alloc(32).toString('base64')],
    ['one byte 32 times', '7f'.repeat(32)],
    ['a pattern of four', 'deadbeef'.repeat(8)],
  ])('is not %s', (_, text) => {
    const failure = (() => {
      try {
        return parseKeyEncryptionKey(text)
      } catch (error) {
        return error
      }
    })()
    expect(failure).toBeInstanceOf(Error)
    expect(String(failure)).toContain('openssl rand')
    if (text.length > 0) expect(String(failure)).not.toContain(text)
  })
})

describe('on Postgres', () => {
  test('the service’s role suffices; the table shows no plain key', async () => {
    const database = await testDatabase()
    const pool = servicePool(database.url, { role: 'daybook_service' })
    const vault = openVault({ store: postgresKeyStore(pool), kek })
    await vault.check()
    const sealed = await vault.seal('ada', EMAIL)
    const key = await vault.key('pepper')
    const other = openVault({ store: postgresKeyStore(pool), kek })
    await other.loadKeys(['customer/1', 'customer/none'])
    expect(await other.open(sealed, EMAIL)).toBe('ada')
    const { rows } = await pool.query<{ wrapped: Buffer }>('SELECT wrapped FROM vault.data_key')
    expect(rows).toHaveLength(3)
    for (const { wrapped } of rows) expect(wrapped.includes(key.subarray(0, 8))).toBe(false)
    await expect(openVault({ store: postgresKeyStore(pool), kek: randomBytes(32) }).check()).rejects.toThrow(
      'start with the secret key that this installation was first started with',
    )
    await pool.end()
    await database.drop()
  })

  test('the service’s role can erase, and neither undo that nor forge it', async () => {
    const database = await testDatabase()
    const pool = servicePool(database.url, { role: 'daybook_service' })
    const [vault, other] = [1, 2].map(() => openVault({ store: postgresKeyStore(pool), kek })) as [Vault, Vault]
    const sealed = await vault.seal('ada', EMAIL)
    expect(await other.open(sealed, EMAIL)).toBe('ada')
    await vault.erase([EMAIL.subject, 'customer/never-sealed', 'customer/2'])
    await vault.erase(['customer/2', 'customer/3'])
    await other.applyErasures(0)
    for (const each of [vault, other]) {
      expect(await each.open(sealed, EMAIL)).toBe('ERASED')
      for (const subject of [EMAIL.subject, 'customer/never-sealed'])
        await expect(each.seal('x', { ...EMAIL, subject })).rejects.toThrow(SubjectErased)
    }
    expect(await postgresKeyStore(pool).erasedAfter(1)).toEqual({
      newest: 4,
      subjects: ['customer/never-sealed', 'customer/2', 'customer/3'],
    })
    await vault.key('pepper')
    for (const forbidden of [
      `DELETE FROM vault.data_key WHERE subject = '${EMAIL.subject}'`,
      `UPDATE vault.data_key SET wrapped = '', erased = NULL`,
      `INSERT INTO vault.data_key (subject, erased) VALUES ('customer/4', 9)`,
      `SELECT vault.erase(ARRAY['installation-key/pepper'])`,
      `SELECT vault.erase(ARRAY['installation'])`,
    ])
      await expect(pool.query(forbidden), forbidden).rejects.toMatchObject({ code: '42501' })
    await pool.end()
    await database.drop()
  })

  test('tombstones are numbered in the order in which they become visible', async () => {
    const database = await testDatabase()
    const pool = servicePool(database.url, { role: 'daybook_service' })
    const store = postgresKeyStore(pool)
    const seen: string[] = []
    let newest = 0
    let writing = true
    const reader = (async () => {
      for (let last = false; !last;) {
        last = !writing
        const more = await store.erasedAfter(newest)
        newest = more.newest
        seen.push(...more.subjects)
      }
    })()
    const slowly = async (nth: number) => {
      const client = await pool.connect()
      await client.query('BEGIN')
      await client.query('SELECT vault.erase($1)', [[`customer/${nth}-a`, `customer/${nth}-b`]])
      await client.query('SELECT pg_sleep($1)', [Math.random() / 100])
      await client.query('COMMIT')
      client.release()
    }
    for (let nth = 0; nth < 60; nth += 4) await Promise.all([0, 1, 2, 3].map((more) => slowly(nth + more)))
    writing = false
    await reader
    expect(seen).toHaveLength(120)
    expect(new Set(seen).size).toBe(120)
    await pool.end()
    await database.drop()
  })

  test('first seals at once make their keys with few statements, and one of a known subject is found by one', async () => {
    const database = await testDatabase()
    const pool = servicePool(database.url, { role: 'daybook_service' })
    const query = vi.spyOn(pool, 'query')
    const statements = () =>
      query.mock.calls.filter(([asked]) => JSON.stringify(asked).includes('SELECT subject, wrapped'))
    const fieldOf = (nth: number) => ({ ...EMAIL, subject: `customer/${nth}` })
    const sealAll = (vault: Vault) =>
      Promise.all(Array.from({ length: 100 }, (_none, nth) => vault.seal(`${nth}`, fieldOf(nth))))
    const sealed = await sealAll(openVault({ store: postgresKeyStore(pool), kek }))
    expect(statements().length).toBeLessThanOrEqual(3)
    query.mockClear()
    const again = openVault({ store: postgresKeyStore(pool), kek })
    await sealAll(again)
    expect(statements().length).toBeLessThanOrEqual(3)
    const opened = await Promise.all(sealed.map((text, nth) => again.open(text, fieldOf(nth))))
    expect(opened).toEqual(sealed.map((_text, nth) => `${nth}`))
    const { rows } = await pool.query<{ subject: string }>('SELECT subject FROM vault.data_key')
    expect(rows).toHaveLength(100)
    await pool.end()
    await database.drop()
  })

  test('a seal that meets a key or a tombstone which is not committed yet waits for it', async () => {
    const database = await testDatabase()
    const pool = servicePool(database.url, { role: 'daybook_service' })
    const waiting = `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE NOT granted AND datname = current_database()`
    const meanwhile = async (at: typeof EMAIL, statement: string, values: unknown[]) => {
      const client = await pool.connect()
      await client.query('BEGIN')
      await client.query(statement, values)
      const sealing = openVault({ store: postgresKeyStore(pool), kek }).seal('ada', at)
      sealing.catch(() => {})
      await vi.waitFor(async () => expect((await pool.query(waiting)).rowCount).toBe(1))
      await client.query('COMMIT')
      client.release()
      return sealing
    }
    const rows = new Map<string, Buffer | null>()
    const other = openVault({ store: memoryKeyStore(rows), kek })
    await other.seal('x', EMAIL)
    const key = [EMAIL.subject, rows.get(EMAIL.subject)]
    const sealed = await meanwhile(EMAIL, 'INSERT INTO vault.data_key (subject, wrapped) VALUES ($1, $2)', key)
    expect(await other.open(sealed, EMAIL)).toBe('ada')
    const erased = { ...EMAIL, subject: 'customer/2' }
    await expect(meanwhile(erased, 'SELECT vault.erase($1)', [[erased.subject]])).rejects.toThrow(SubjectErased)
    await pool.end()
    await database.drop()
  })

  test('a key that is destroyed while others make it is never made again', async () => {
    const database = await testDatabase()
    const pools = Array.from({ length: 3 }, () => servicePool(database.url, { role: 'daybook_service' }))
    const [eraser, ...sealers] = pools.map((pool) => openVault({ store: postgresKeyStore(pool), kek })) as [
      Vault,
      ...Vault[],
    ]
    const fields = Array.from({ length: 150 }, (_none, nth) => ({ ...EMAIL, subject: `customer/${nth}` }))
    const erased = fields.filter((_field, nth) => nth % 3 !== 0).map(({ subject }) => subject)
    const outcomes = await Promise.all(
      fields.flatMap((field, nth) => [
        ...sealers.map((vault) => vault.seal('ada', field).catch((error: unknown) => error)),
        ...(nth % 3 === 0 ? [] : [eraser.erase([field.subject])]),
      ]),
    )
    for (const each of outcomes) if (each instanceof Error) expect(each).toBeInstanceOf(SubjectErased)
    const sealed = outcomes.filter((each): each is string => typeof each === 'string')
    expect(sealed.length).toBeGreaterThanOrEqual(2 * 50)
    const { rows } = await pools[0]!.query<{ subject: string }>(
      'SELECT subject FROM vault.data_key WHERE wrapped IS NULL',
    )
    expect(new Set(rows.map(({ subject }) => subject))).toEqual(new Set(erased))
    for (const vault of [eraser, ...sealers, openVault({ store: postgresKeyStore(pools[0]!), kek })]) {
      await vault.applyErasures(0)
      for (const subject of erased) await expect(vault.seal('x', { ...EMAIL, subject })).rejects.toThrow(SubjectErased)
      expect(await vault.seal('x', fields[0]!)).toMatch(/^~1/)
    }
    await Promise.all(pools.map((pool) => pool.end()))
    await database.drop()
  })

  test('processes that race for a key all get the winner’s', async () => {
    const database = await testDatabase()
    const racers = Array.from({ length: 3 }, () =>
      fork(new URL('../../support/kernel/key-racer.ts', import.meta.url), [database.url, kek.toString('hex')]),
    )
    await Promise.all(racers.map((racer) => once(racer, 'message')))
    const answers = racers.map((racer) => once(racer, 'message'))
    for (const racer of racers) racer.send('go')
    const keys = (await Promise.all(answers)).map(([key]) => key as string[])
    expect(keys[0]).toHaveLength(50)
    expect(keys[1]).toEqual(keys[0])
    expect(keys[2]).toEqual(keys[0])
    await Promise.all(racers.map(async (racer) => racer.exitCode ?? once(racer, 'exit')))
    await database.drop()
  })
})
