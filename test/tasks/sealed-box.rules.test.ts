/** The sealed box, against vectors that another implementation has made, and against all that is not its own. */
import { expect, test } from 'vitest'
import { newBoxKeys, openBox, sealBox } from '../../src/tasks/sealed-box.ts'

/** Made by cryptography 48.0 of Python: X25519PrivateKey, HKDF, AESGCM. */
const VECTOR = {
  agent: {
    privateKey: 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8',
    publicKey: 'j0DFrbaPJWJK5bIU6nZ6bslNgp09e14a0bpvPiE4KF8',
  },
  ephemeral: {
    privateKey: 'ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8',
    publicKey: 'NYBy1jZYgNGu6jKa35EhODhR7SGijjt16WXQ0s0WYlQ',
  },
  subject: { taskId: '01890000-0000-7000-8000-000000000001', attempt: 2 },
  plain: '{"password":"correct horse"}',
  box: 'NYBy1jZYgNGu6jKa35EhODhR7SGijjt16WXQ0s0WYlQIBaUxJ9osGW-gC6dT8xCn1gK_jUpBz_usDPtalBqQSVfzkcYkNzgczayMuA',
}

const { agent, subject, plain, box } = VECTOR

test('seals as the other implementation does', () => {
  expect(sealBox(Buffer.from(plain), agent.publicKey, subject, VECTOR.ephemeral)).toBe(box)
  expect(openBox(box, agent, subject)?.toString()).toBe(plain)
})

test('seals the same text differently each time', () => {
  const keys = newBoxKeys()
  const boxes = Array.from({ length: 50 }, () => sealBox(Buffer.from(plain), keys.publicKey, subject))
  expect(new Set(boxes).size).toBe(50)
  for (const each of boxes) expect(openBox(each, keys, subject)?.toString()).toBe(plain)
})

test('holds nothing, and a megabyte', () => {
  const keys = newBoxKeys()
  for (const size of [0, 1, 1_048_576]) {
    const bytes = Buffer.alloc(size, 'x')
    expect(openBox(sealBox(bytes, keys.publicKey, subject), keys, subject)).toEqual(bytes)
  }
})

test('opens for no other agent, task or attempt', () => {
  expect(openBox(box, newBoxKeys(), subject)).toBeUndefined()
  expect(openBox(box, agent, { ...subject, attempt: 1 })).toBeUndefined()
  expect(openBox(box, agent, { ...subject, taskId: '01890000-0000-7000-8000-000000000002' })).toBeUndefined()
})

test('opens with no bit changed, and not when it is cut', () => {
  const bytes = Buffer.from(box, 'base64url')
  for (let place = 0; place < bytes.length * 8; place += 1) {
    const changed = Buffer.from(bytes)
    changed[place >> 3]! ^= 1 << (place & 7)
    // RFC 7748, 5: the highest bit of a point is ignored, but the salt has it.
    expect(openBox(changed.toString('base64url'), agent, subject), `bit ${place}`).toBeUndefined()
  }
  for (let length = 0; length < bytes.length; length += 1)
    expect(openBox(bytes.subarray(0, length).toString('base64url'), agent, subject)).toBeUndefined()
})

test('a point of low order is no key', () => {
  for (const low of [Buffer.alloc(32), Buffer.from([1, ...Buffer.alloc(31)])]) {
    expect(() => sealBox(Buffer.from(plain), low.toString('base64url'), subject)).toThrow()
    const forged = Buffer.concat([low, Buffer.from(box, 'base64url').subarray(32)])
    expect(openBox(forged.toString('base64url'), agent, subject)).toBeUndefined()
  }
})
