/** Parses the key-encryption key that the operator configures. */

const KEY_BYTES = 32
/** A random key has about 30 different bytes; fewer than 8 practically never occur by chance. */
const DIFFERENT_BYTES_MIN = 8

const HOW = 'make one with: openssl rand -base64 32'

/**
 * Accepts 32 bytes as hex, base64 or base64url, padded or not.
 * @throws an Error whose message does not contain the key
 */
export function parseKeyEncryptionKey(text: string): Buffer {
  const key = decoded(text.trim())
  if (key?.length !== KEY_BYTES) throw new Error(`A secret key must be 32 bytes in base64, base64url or hex; ${HOW}`)
  if (new Set(key).size < DIFFERENT_BYTES_MIN)
    throw new Error(`This secret key is not random and can be guessed; ${HOW}`)
  return key
}

function decoded(text: string): Buffer | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (/^[A-Za-z0-9+/]{43}=?$/.test(text)) return Buffer.from(text, 'base64')
  if (/^[A-Za-z0-9_-]{43}=?$/.test(text)) return Buffer.from(text, 'base64url')
  return undefined
}
