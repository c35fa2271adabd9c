/**
 * What two agents say to each other to measure a link. The caller proves that it is a peer, and the answer proves that
 * the other one is. Without the key of the two servers, a caller learns nothing.
 *
 * call: version (1 byte), caller (16), nonce (16), HMAC-SHA-256 (32).
 * answer: HMAC-SHA-256 (32).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const VERSION = 1
const ID_BYTES = 16
const NONCE_BYTES = 16
const MAC_BYTES = 32
const NONCE_AT = 1 + ID_BYTES
const MAC_AT = NONCE_AT + NONCE_BYTES

export const CALL_BYTES = MAC_AT + MAC_BYTES
export const ANSWER_BYTES = MAC_BYTES

/** The server that calls, and the one that is called. */
export interface LinkEnds {
  readonly from: string
  readonly to: string
}

const idBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')

const macOf = (what: 'call' | 'answer', key: string, { from, to }: LinkEnds, nonce: Buffer): Buffer =>
  createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(`daybook mesh ${what}`)
    .update(Buffer.concat([idBytes(from), idBytes(to), nonce]))
    .digest()

export function newCall(ends: LinkEnds, key: string): { readonly call: Buffer; isAnswer(bytes: Buffer): boolean } {
  const nonce = randomBytes(NONCE_BYTES)
  return {
    call: Buffer.concat([Buffer.of(VERSION), idBytes(ends.from), nonce, macOf('call', key, ends, nonce)]),
    isAnswer: (bytes) => isSame(bytes, macOf('answer', key, ends, nonce)),
  }
}

/**
 * @param keys of the peers, by their ids
 * @returns undefined for a caller that is no peer
 */
export function answerTo(call: Buffer, to: string, keys: ReadonlyMap<string, string>): Buffer | undefined {
  if (call.length !== CALL_BYTES || call[0] !== VERSION) return undefined
  const from = idIn(call.subarray(1, NONCE_AT))
  const nonce = call.subarray(NONCE_AT, MAC_AT)
  const key = keys.get(from)
  if (key === undefined || !isSame(call.subarray(MAC_AT), macOf('call', key, { from, to }, nonce))) return undefined
  return macOf('answer', key, { from, to }, nonce)
}

const idIn = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

const isSame = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)
