import { argon2Sync } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { hashPassword, needsRehash, verifyDummy, verifyPassword } from '#kernel/credentials/password'
import { Rejection } from '#kernel/lib/rejection'
import { cpuMs } from '#test/support/cpu-ms'

vi.unmock('#kernel/credentials/argon2-cost')

const OLD = `$argon2id$v=19$m=4096,t=1,p=1$${phcHash(Buffer.alloc(16, 1), 4096, 1, 'correct horse')}`

describe('a password hash', () => {
  test('is argon2id with 19,456 KiB, 2 passes, 1 lane and a salt of its own', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(other.split('$')[4]).not.toBe(one.split('$')[4])
    const salt = Buffer.from(one.split('$')[4] ?? '', 'base64')
    expect(one.split('$').slice(4).join('$')).toBe(phcHash(salt, 19_456, 2, 'correct horse'))
  })

  test('is matched by its password alone', async () => {
    const phc = await hashPassword('correct horse')
    expect(await verifyPassword(phc, 'correct horse')).toBe(true)
    for (const wrong of [
      'correct horse ',
      'Correct horse',
      '',
      'x'.repeat(5_000),
      `correct horse${' '.repeat(1_100)}`,
    ]) {
      expect(await verifyPassword(phc, wrong)).toBe(false)
    }
  })

  test('does not depend on how the keyboard composes a character (NFKC)', async () => {
    const phc = await hashPassword('Zu\u0308rich ﬁne １２３')
    expect(await verifyPassword(phc, 'Z\u00FCrich fine 123')).toBe(true)
    expect(await verifyPassword(phc, 'Zu\u0308rich ﬁne １２３')).toBe(true)
  })

  test('made with other parameters still matches, and is due for a new one', async () => {
    expect(await verifyPassword(OLD, 'correct horse')).toBe(true)
    expect(needsRehash(OLD)).toBe(true)
    const live = await hashPassword('x')
    expect(needsRehash(live)).toBe(false)
    for (const cost of ['m=19455,t=2,p=1', 'm=19456,t=3,p=1', 'm=19456,t=2,p=2']) {
      expect(needsRehash(live.replace('m=19456,t=2,p=1', cost))).toBe(true)
    }
  })

  test('that is no PHC string is a bug, not a wrong password', async () => {
    for (const stored of ['', 'plain', OLD.replace('argon2id', 'argon2i'), `${OLD}\n`, OLD.replace('m=4096', 'm=')]) {
      await expect(verifyPassword(stored, 'x')).rejects.toThrow('not an argon2id PHC string')
      expect(() => needsRehash(stored)).toThrow('not an argon2id PHC string')
    }
  })

  test('never matches another password', async () => {
    const phc = OLD
    const others = fc.string({ unit: 'binary' }).filter((text) => text.normalize('NFKC') !== 'correct horse')
    await fc.assert(fc.asyncProperty(others, async (text) => !(await verifyPassword(phc, text))))
  })
})

describe('the dummy check', () => {
  test('is always false and takes as long as a real one', async () => {
    const phc = await hashPassword('correct horse')
    expect(await verifyDummy('correct horse')).toBe(false)
    const real: number[] = []
    const dummy: number[] = []
    for (let round = 0; round < 15; round++) {
      real.push(await cpuMs(() => verifyPassword(phc, 'wrong')))
      dummy.push(await cpuMs(() => verifyDummy('wrong')))
    }
    // The fastest of each, because other work on the machine can only add time.
    const ratio = Math.min(...dummy) / Math.min(...real)
    expect(ratio).toBeGreaterThan(0.7)
    expect(ratio).toBeLessThan(1.4)
  })
})

test('two hashes run, 50 wait, the next is told to come back, and the queue drains', async () => {
  const asked = Array.from({ length: 60 }, () => verifyPassword(OLD, 'correct horse'))
  const outcomes = await Promise.allSettled(asked)
  const refused = outcomes
    .filter((outcome) => outcome.status === 'rejected')
    .map((outcome) => outcome.reason as unknown)
  expect(refused).toHaveLength(8)
  for (const reason of refused) {
    expect(reason).toBeInstanceOf(Rejection)
    expect(reason).toMatchObject({ statusCode: 503, code: 'PASSWORD_BUSY', headers: { 'Retry-After': '1' } })
  }
  expect(await verifyPassword(OLD, 'correct horse')).toBe(true)
})

function phcHash(salt: Buffer, memory: number, passes: number, message: string): string {
  const hash = argon2Sync('argon2id', { message, nonce: salt, memory, passes, parallelism: 1, tagLength: 32 })
  return [salt, hash].map((bytes) => bytes.toString('base64').replaceAll('=', '')).join('$')
}
