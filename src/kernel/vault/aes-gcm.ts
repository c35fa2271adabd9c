/** AES-256-GCM as iv (12 bytes) | ciphertext | tag (16 bytes); `bound` is the associated data (NIST SP 800-38D). */
import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { pooledRandomBytes } from '../lib/pooled-random.ts'

const IV_BYTES = 12
const TAG_BYTES = 16

export function encrypt(key: KeyObject, plain: Buffer, bound: string): Buffer {
  const iv = pooledRandomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(bound))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

/** @throws when the key, the bytes or the associated data differ from those of `encrypt` */
export function decrypt(key: KeyObject, sealed: Buffer, bound: string): Buffer {
  if (sealed.length < IV_BYTES + TAG_BYTES) throw new Error('The ciphertext is shorter than its iv and tag')
  const iv = sealed.subarray(0, IV_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(bound))
    .setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
}
