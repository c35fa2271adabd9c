import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { findBackupCode, hashBackupCodes, newBackupCodes, normaliseBackupCode } from '#kernel/credentials/backup-codes'
import { accountShare, addressShare } from '#kernel/credentials/fair-queue'
import { verifyDummy } from '#kernel/credentials/password'
import { cpuMs } from '#test/support/cpu-ms'

vi.unmock('#kernel/credentials/argon2-cost')

const codes = newBackupCodes()
const hashes = await hashBackupCodes(codes)

describe('backup codes', () => {
  test('are ten of 16 base32 characters, all different', () => {
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^[A-Z2-7]{16}$/)
    const letters = new Set(Array.from({ length: 20 }, newBackupCodes).flat().join(''))
    expect(letters.size).toBe(32)
  })

  test('are stored as argon2id hashes that share the salt of their set', async () => {
    for (const phc of hashes) expect(phc).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(new Set(hashes).size).toBe(10)
    expect(new Set(hashes.map(saltOf)).size).toBe(1)
    expect(saltOf((await hashBackupCodes(codes))[0] ?? '')).not.toBe(saltOf(hashes[0] ?? ''))
  })

  test('are each found at their own place, in any usual spelling', async () => {
    for (const [index, code] of codes.entries()) expect(await findBackupCode(hashes, code)).toBe(index)
    const [first = ''] = codes
    const grouped = first.toLowerCase().replaceAll(/(.{4})/g, '$1-')
    expect(await findBackupCode(hashes, ` ${grouped} `)).toBe(0)
  })

  test('are found when a set has shrunk, or when two sets are mixed', async () => {
    const others = newBackupCodes()
    const mixed = [...hashes.slice(3, 5), ...(await hashBackupCodes(others)).slice(0, 2)]
    expect(await findBackupCode(mixed, codes[4] ?? '')).toBe(1)
    expect(await findBackupCode(mixed, others[1] ?? '')).toBe(3)
    expect(await findBackupCode(mixed, codes[0] ?? '')).toBe(-1)
    expect(await findBackupCode([], codes[0] ?? '')).toBe(-1)
  })

  test('are looked at although the queue is full of sign-ins: one of those gives way', async () => {
    const stranger = (n: number) => addressShare(`2001:db8:${n.toString(16)}::1`)
    const flood = Promise.allSettled(Array.from({ length: 60 }, (_, n) => verifyDummy('wrong', stranger(n))))
    expect(await findBackupCode(hashes, codes[2]!, accountShare('account'))).toBe(2)
    expect((await flood).filter(({ status }) => status === 'rejected')).toHaveLength(9)
  })

  test('cost one computation for all ten', async () => {
    const one = await fastest(() => findBackupCode(hashes.slice(0, 1), 'A'.repeat(16)))
    const ten = await fastest(() => findBackupCode(hashes, 'A'.repeat(16)))
    expect(ten / one).toBeLessThan(3)
  })

  test('that are spelled like none are refused without a computation', async () => {
    for (const text of ['', 'A'.repeat(15), 'A'.repeat(17), '0'.repeat(16), 'A'.repeat(100_000), '-'.repeat(64)]) {
      expect(normaliseBackupCode(text)).toBeUndefined()
      expect(await findBackupCode(hashes, text)).toBe(-1)
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const code = normaliseBackupCode(text)
        return code === undefined || /^[A-Z2-7]{16}$/.test(code)
      }),
    )
  })
})

function saltOf(phc: string): string {
  return phc.split('$')[4] ?? ''
}

async function fastest(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < 5; round++) {
    times.push(await cpuMs(work))
  }
  return Math.min(...times)
}
