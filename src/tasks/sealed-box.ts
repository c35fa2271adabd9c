/**
 * Seals the secrets of a task to the agent's key, so that no event, proxy or thief of the agent's token reads them:
 * X25519 with a key pair for each box, HKDF-SHA-256, AES-256-GCM. The box is bound to the task and its attempt.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { z } from 'zod'

const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16
const INFO = 'daybook task secrets v1'
const CIPHER = 'aes-256-gcm'
/** RFC 8410: the prefixes of a raw key of 32 bytes. */
const SPKI_PREFIX = Buffer.from('302a300506032b656e032100', 'hex')
const PKCS8_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** The raw public key in base64url. */
export const AgentPublicKey = z.base64url().length(43)

/** What a box is bound to. */
export interface BoxSubject {
  readonly taskId: string
  readonly attempt: number
}

/** For a token of the agent. No task has this attempt, so its box is not taken for that of a token. */
export const tokenSubject = (serverId: string): BoxSubject => ({ taskId: serverId, attempt: 0 })

export interface BoxKeys {
  /** Raw, in base64url, as `AgentPublicKey`. */
  readonly publicKey: string
  readonly privateKey: string
}

export function newBoxKeys(): BoxKeys {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return {
    publicKey: rawOf(publicKey).toString('base64url'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES).toString('base64url'),
  }
}

/**
 * @param publicKey of the agent
 * @param ephemeral the key pair of this box; given only by tests
 * @throws Error for a point of low order
 */
export function sealBox(
  plain: Buffer,
  publicKey: string,
  subject: BoxSubject,
  ephemeral: Pick<BoxKeys, 'publicKey' | 'privateKey'> = newBoxKeys(),
): string {
  const sender = Buffer.from(ephemeral.publicKey, 'base64url')
  const { key, iv } = keysOf(privateKeyOf(ephemeral.privateKey), sender, Buffer.from(publicKey, 'base64url'), 'SEAL')
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(boundTo(subject))
  return Buffer.concat([sender, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** @returns undefined for a box that was sealed for another agent, task or attempt, or was changed */
export function openBox(box: string, own: BoxKeys, subject: BoxSubject): Buffer | undefined {
  const bytes = Buffer.from(box, 'base64url')
  if (bytes.length < KEY_BYTES + TAG_BYTES) return undefined
  const sender = bytes.subarray(0, KEY_BYTES)
  try {
    const { key, iv } = keysOf(privateKeyOf(own.privateKey), sender, Buffer.from(own.publicKey, 'base64url'), 'OPEN')
    const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES })
    decipher.setAAD(boundTo(subject)).setAuthTag(bytes.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(bytes.subarray(KEY_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return undefined
  }
}

/** Each box has a key of its own, so a derived IV is used once. Both public keys are in the salt (RFC 9180, 4.1). */
function keysOf(own: KeyObject, sender: Buffer, receiver: Buffer, to: 'SEAL' | 'OPEN') {
  const shared = diffieHellman({ privateKey: own, publicKey: publicKeyOf(to === 'SEAL' ? receiver : sender) })
  const derived = Buffer.from(hkdfSync('sha256', shared, Buffer.concat([sender, receiver]), INFO, KEY_BYTES + IV_BYTES))
  return { key: derived.subarray(0, KEY_BYTES), iv: derived.subarray(KEY_BYTES) }
}

const boundTo = ({ taskId, attempt }: BoxSubject): Buffer => Buffer.from(`${taskId}/${attempt}`)

const rawOf = (key: KeyObject): Buffer => key.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES)

const publicKeyOf = (raw: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: 'der', type: 'spki' })

const privateKeyOf = (raw: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, Buffer.from(raw, 'base64url')]),
    format: 'der',
    type: 'pkcs8',
  })
