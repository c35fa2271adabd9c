import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import {
  ADDRESS_ATTEMPTS,
  AttemptCounter,
  PASSWORD_ATTEMPTS,
  SECOND_FACTOR_ATTEMPTS,
  UNKNOWN_NAME_ATTEMPTS,
} from '#kernel/credentials/attempt-counter'
import type { AttemptPolicy, CountedAttempt } from '#kernel/credentials/attempt-counter'
import { servicePool } from '#kernel/store/connection'
import { testDatabase } from '#test/support/database'

const database = await testDatabase()
const admin = servicePool(database.url, { max: 1 })
const pool = servicePool(database.url, { role: 'daybook_service', max: 20 })
const attempts = new AttemptCounter(pool)

const password: CountedAttempt = { policy: PASSWORD_ATTEMPTS, subject: 'account-1' }
const address: CountedAttempt = { policy: ADDRESS_ATTEMPTS, subject: '192.0.2.1' }
const secondFactor: CountedAttempt = { policy: SECOND_FACTOR_ATTEMPTS, subject: 'account-1' }
const minutes = 60

beforeEach(async () => {
  await admin.query('TRUNCATE telemetry.attempt')
})

afterAll(async () => {
  await pool.end()
  await admin.end()
  await database.drop()
})

describe('an account', () => {
  test('has five free tries, then waits 32 s, 64 s, … up to 15 minutes', async () => {
    expect(await failures(password, 7)).toBe(5)
    for (const delay of [32, 64, 128, 256, 512, 900, 900, 900]) {
      await pass(delay - 3)
      expect(await failures(password, 2)).toBe(0)
      await pass(3)
      expect(await failures(password, 2)).toBe(1)
    }
  })

  test('is locked after 100 failures in a row, until it is reset', async () => {
    let allowed = 0
    for (let i = 0; i < 110; i++) {
      allowed += await failures(password, 1)
      await pass(15 * minutes)
    }
    expect(allowed).toBe(100)
    await pass(10 * 365 * 24 * 60 * minutes)
    expect(await attempts.reserve(password)).toEqual({ allowed: false, refusedBy: PASSWORD_ATTEMPTS })
    await attempts.reset(password)
    expect(await failures(password, 7)).toBe(5)
  })

  test('can be tried for years where nothing locks it: the delay stays countable', async () => {
    const unknown: CountedAttempt = { policy: UNKNOWN_NAME_ATTEMPTS, subject: 'nobody' }
    await failures(unknown, 1)
    await admin.query('UPDATE telemetry.attempt SET consecutive = 100000')
    await pass(14 * minutes)
    expect(await failures(unknown, 1)).toBe(0)
    await pass(2 * minutes)
    expect(await failures(unknown, 1)).toBe(1)
  })

  test('has five free tries again after a success', async () => {
    expect(await failures(password, 4)).toBe(4)
    expect(await attempts.reserve(password)).toEqual({ allowed: true, isLast: false, locked: false })
    await attempts.succeed(password)
    expect(await failures(password, 7)).toBe(5)
  })

  test('is not another account, nor another policy, nor forgotten by another process', async () => {
    expect(await failures(password, 7)).toBe(5)
    expect(await failures({ ...password, subject: 'account-2' }, 7)).toBe(5)
    expect(await failures(secondFactor, 7)).toBe(5)
    const otherPool = servicePool(database.url, { role: 'daybook_service' })
    expect((await new AttemptCounter(otherPool).reserve(password)).allowed).toBe(false)
    await otherPool.end()
  })

  test('may be any text at all', async () => {
    for (const subject of ['', '\u0000', '\uD83D', "'; DROP TABLE", 'x'.repeat(100_000)]) {
      expect(await failures({ ...password, subject }, 6)).toBe(5)
    }
    const { rows } = await admin.query<{ key: string }>('SELECT key FROM telemetry.attempt')
    for (const { key } of rows) expect(key).toMatch(/^password:[0-9a-f]{64}$/)
  })
})

describe('1,000 guesses at once', () => {
  test.each([
    ['an account', password, 5],
    ['an address', address, 20],
    ['a second factor', secondFactor, 5],
  ])('at %s get no more checks than one after another would', async (_at, tried, allowed) => {
    const other = servicePool(database.url, { role: 'daybook_service', max: 20 })
    const processes = [attempts, new AttemptCounter(other)]
    const guesses = Array.from({ length: 1_000 }, (_, i) => (processes[i % 2] ?? attempts).reserve(tried))
    const outcomes = await Promise.all(guesses)
    await other.end()
    expect(outcomes.filter((outcome) => outcome.allowed)).toHaveLength(allowed)
  })
})

describe('an address', () => {
  test('has 20 failures in any 15 minutes', async () => {
    expect(await failures(address, 15)).toBe(15)
    await pass(10 * minutes)
    expect(await failures(address, 10)).toBe(5)
    await pass(5 * minutes - 2)
    expect(await failures(address, 10)).toBe(0)
    await pass(3)
    expect(await failures(address, 30)).toBe(15)
    await pass(15 * minutes)
    expect(await failures(address, 30)).toBe(20)
  })

  test('gets a success back, but not the failures before it', async () => {
    expect(await failures(address, 19)).toBe(19)
    for (let i = 0; i < 5; i++) {
      expect(await attempts.reserve(address)).toEqual({ allowed: true, isLast: true, locked: false })
      await attempts.succeed(address)
    }
    expect(await failures(address, 5)).toBe(1)
  })

  test('that is blocked cannot lock an account, and pays for hammering at a locked one', async () => {
    expect(await failures(address, 20)).toBe(20)
    expect(await attempts.reserve(address, password)).toEqual({ allowed: false, refusedBy: ADDRESS_ATTEMPTS })
    expect(await failures(password, 7)).toBe(5)
    const elsewhere = { ...address, subject: '192.0.2.2' }
    for (let i = 0; i < 20; i++) {
      expect(await attempts.reserve(elsewhere, password)).toEqual({ allowed: false, refusedBy: PASSWORD_ATTEMPTS })
    }
    expect(await attempts.reserve(elsewhere)).toEqual({ allowed: false, refusedBy: ADDRESS_ATTEMPTS })
  })
})

describe('a second factor', () => {
  test('has five wrong codes in 15 minutes and 20 without a success', async () => {
    let allowed = 0
    for (let round = 0; round < 6; round++) {
      allowed += await failures(secondFactor, 8)
      await pass(15 * minutes)
    }
    expect(allowed).toBe(20)
    await attempts.reset(secondFactor)
    expect(await failures(secondFactor, 8)).toBe(5)
  })

  test('counts to 20 anew after a right code, but keeps the wrong ones of the last 15 minutes', async () => {
    for (let round = 0; round < 6; round++) {
      expect(await failures(secondFactor, 4)).toBe(4)
      expect(await attempts.reserve(secondFactor)).toEqual({ allowed: true, isLast: true, locked: false })
      await attempts.succeed(secondFactor)
      expect(await failures(secondFactor, 4)).toBe(1)
      await pass(15 * minutes)
    }
  })
})

test.each<[string, AttemptPolicy]>([
  ['in a window', { name: 'windowed', windowMax: 3, windowSeconds: 60 }],
  ['in a row', { name: 'in-a-row', consecutiveMax: 3 }],
])('the last try that a policy allows %s is known as the last', async (_how, policy) => {
  const told = async () => {
    const reserved = await attempts.reserve({ policy, subject: 'somebody' }, address)
    return reserved.allowed && reserved.isLast
  }
  expect([await told(), await told(), await told()]).toEqual([false, false, true])
  await attempts.succeed({ policy, subject: 'somebody' })
  expect(await told()).toBe(policy.windowMax !== undefined)
})

describe('several tries at once', () => {
  const elsewhere = { ...address, subject: '192.0.2.2' }
  const block: CountedAttempt = { policy: { ...ADDRESS_ATTEMPTS, windowMax: 30 }, subject: '192.0.2.0/24' }

  test('are all counted or none: what a wide block refuses is given back to the narrow one', async () => {
    for (let n = 0; n < 20; n += 1) await attempts.reserveAll(address, block)
    for (let n = 0; n < 9; n += 1) await attempts.reserveAll(elsewhere, block)
    expect(await attempts.reserveAll(elsewhere, block)).toEqual({ allowed: true, isLast: true, locked: false })
    for (let n = 0; n < 5; n += 1)
      expect(await attempts.reserveAll(elsewhere, block)).toEqual({ allowed: false, refusedBy: block.policy })
    expect(await failures(elsewhere, 30)).toBe(10)
  })

  test('cost a wide block nothing where the narrow one refuses them', async () => {
    for (let n = 0; n < 50; n += 1) await attempts.reserveAll(address, block)
    expect(await failures(block, 30)).toBe(10)
  })

  test('that were not looked at in the end are given back, and what was before them stays', async () => {
    expect(await failures(password, 4)).toBe(4)
    expect(await attempts.reserve(password)).toEqual({ allowed: true, isLast: false, locked: false })
    await attempts.giveBack(password)
    expect(await failures(password, 5)).toBe(1)
    await attempts.giveBack()
  })
})

test('tries that are counted, given back and swept at once, in any order, never wait for each other in a ring', async () => {
  const tries = Array.from({ length: 12 }, (_, n): CountedAttempt => ({ ...address, subject: `192.0.2.${n}` }))
  await attempts.reserveAll(...tries)
  await pass(60 * minutes)
  const turned = (n: number) => [...tries.slice(n), ...tries.slice(0, n)]
  const work = Array.from({ length: 400 }, (_, n) => {
    const some = n % 2 === 0 ? turned(n % 12) : turned(n % 12).toReversed()
    if (n % 20 === 0) return attempts.sweep(ADDRESS_ATTEMPTS, 30 * minutes)
    if (n % 3 === 0) return attempts.succeed(...some)
    return n % 3 === 1 ? attempts.giveBack(...some) : attempts.reserveAll(...some.slice(0, 3))
  })
  const outcomes = await Promise.allSettled(work)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
})

describe('a lock', () => {
  const own: CountedAttempt = { policy: SECOND_FACTOR_ATTEMPTS, subject: 'account-1', account: 'STAFF account-1' }
  const shown = () => attempts.locks(PASSWORD_ATTEMPTS, SECOND_FACTOR_ATTEMPTS)

  /** All but the last of the 20 failures. */
  async function almostLocked(): Promise<void> {
    for (let n = 0; n < 19; n += 1) {
      await attempts.reserve(own)
      await pass(5 * minutes)
    }
  }

  test('is told with the try that takes the last, shown to operators from then on, and gone with a reset', async () => {
    await almostLocked()
    expect(await shown()).toEqual([])
    expect(await attempts.reserve(own)).toEqual({ allowed: true, isLast: true, locked: true })
    await pass(5 * minutes)
    expect(await attempts.reserve(own)).toEqual({ allowed: false, refusedBy: SECOND_FACTOR_ATTEMPTS })
    expect(await shown()).toEqual([
      { policy: 'second-factor', account: 'STAFF account-1', lockedAt: expect.stringMatching(/Z$/) },
    ])
    expect(await attempts.locks(PASSWORD_ATTEMPTS)).toEqual([])
    expect(await attempts.reset(own)).toEqual({ failures: 20, wasLocked: true })
    expect(await shown()).toEqual([])
    expect(await attempts.reset(own)).toEqual({ failures: 0, wasLocked: false })
  })

  test.each(['succeed', 'giveBack'] as const)(
    'is none where the last try was right or not looked at: %s',
    async (end) => {
      await almostLocked()
      await attempts.reserve(own)
      await attempts[end](own)
      expect(await shown()).toEqual([])
    },
  )
})

describe('sweeping', () => {
  test('forgets idle addresses only', async () => {
    await failures(address, 20)
    await failures(password, 5)
    await pass(60 * minutes)
    await failures({ ...address, subject: '192.0.2.2' }, 20)
    expect(await attempts.sweep(ADDRESS_ATTEMPTS, 30 * minutes)).toBe(1)
    expect(await failures({ ...address, subject: '192.0.2.2' }, 1)).toBe(0)
    expect(await keys()).toBe(2)
  })

  test('forgets names that no account has, which wait like accounts until then', async () => {
    const unknown = { policy: UNKNOWN_NAME_ATTEMPTS, subject: 'nobody@example.com' }
    expect(await failures(unknown, 7)).toBe(5)
    await pass(30)
    expect(await failures(unknown, 2)).toBe(0)
    await pass(15 * minutes)
    expect(await failures(unknown, 2)).toBe(1)
    await pass(30 * minutes)
    expect(await attempts.sweep(UNKNOWN_NAME_ATTEMPTS, 20 * minutes)).toBe(1)
  })

  test('never forgives a lock', async () => {
    await expect(attempts.sweep(PASSWORD_ATTEMPTS, 1)).rejects.toThrow('has locks and cannot be swept')
  })
})

test('a policy may have any one bound alone', async () => {
  const policy: AttemptPolicy = { name: 'tight', consecutiveMax: 3 }
  expect(await failures({ policy, subject: 'x' }, 10)).toBe(3)
})

test('who cannot count does not check: 503', async () => {
  const closed = servicePool('postgresql://nobody@127.0.0.1:1/none')
  await expect(new AttemptCounter(closed).reserve(address)).rejects.toMatchObject({
    statusCode: 503,
    code: 'ATTEMPTS_UNAVAILABLE',
    headers: { 'Retry-After': '1' },
  })
  await closed.end()
})

/** Makes one attempt after another. @returns how many were allowed */
async function failures(tried: CountedAttempt, times: number): Promise<number> {
  let allowed = 0
  for (let i = 0; i < times; i++) if ((await attempts.reserve(tried)).allowed) allowed++
  return allowed
}

/** Lets time pass by moving all recorded failures into the past. */
async function pass(seconds: number): Promise<void> {
  await admin.query(
    `UPDATE telemetry.attempt SET last_at = last_at - make_interval(secs => $1),
       recent = ARRAY(SELECT t - make_interval(secs => $1) FROM unnest(recent) AS t)`,
    [seconds],
  )
}

async function keys(): Promise<number> {
  const { rows } = await admin.query<{ n: number }>('SELECT count(*)::int AS n FROM telemetry.attempt')
  return rows[0]?.n ?? 0
}
