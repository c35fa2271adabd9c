/**
 * A clock and randomness that are the same in every run, for this process. The clock stands still until it is
 * advanced. A random value is derived from the chapter, from the module that asks for it and from how often
 * that module has asked, so neither another chapter nor another module changes it.
 */
import crypto, { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { disableRandomPool } from '#kernel/lib/pooled-random'

/** The session of the first chapter lives for 15 minutes, and its proof of identity for five. */
const CHAPTER_MS = 12_000
const TICK_MS = 20

export interface FixedWorld {
  now(): Date
  advance(ms: number): void
  /** Time goes on a little, so that ids are in order. */
  tick(): void
  /** @throws Error if the chapter before took more time than a chapter has */
  startChapter(name: string): void
  /** Makes all randomness depend on the label alone, until the next one or the next chapter. */
  label(text: string): void
}

/** @param start of the first chapter */
export function fixWorld(start: Date): FixedWorld {
  let [atMs, chapterMs, chapter, label] = [start.getTime(), start.getTime() - CHAPTER_MS, '', '']
  const asked = new Map<string, number>()

  function bytes(length: number): Buffer | undefined {
    const module = label === '' ? askingModule() : label
    if (module === undefined) return undefined
    const key = label === '' ? `${chapter}/${module}` : label
    const nth = asked.get(key) ?? 0
    asked.set(key, nth + 1)
    return createHash('shake256', { outputLength: length }).update(`${key}/${nth}`).digest()
  }

  fixRandomness(bytes)
  disableRandomPool()
  Date.now = () => atMs

  return {
    now: () => new Date(atMs),
    advance: (ms) => void (atMs += ms),
    tick: () => void (atMs += TICK_MS),
    startChapter(name) {
      chapterMs += CHAPTER_MS
      if (atMs > chapterMs) throw new Error(`Chapter ${chapter} took ${atMs - chapterMs} ms too long`)
      ;[atMs, chapter, label] = [chapterMs, name, '']
    },
    label: (text) => void (label = text),
  }
}

/** Of such values the log holds none: keys and nonces of the vault, which are replaced, and of connections. */
const LEFT_RANDOM = /\/src\/kernel\/(vault|store|http\/limits)\//
const RANDOM_LIBRARIES =
  /node_modules\/(uuid|otplib|@otplib|@noble|@scure)\/|\/src\/kernel\/lib\/(uuid|pooled-random)\.ts/

/** In stack traces. Where the project lies must not matter. */
const ROOT = new URL('../..', import.meta.url).href.replace(/\/$/, '')

/** @returns `/src/…`, or undefined where the value may be random */
function askingModule(): string | undefined {
  const frames = new Error().stack!.split('\n').slice(1)
  const outer = frames.find((frame) => !/node:|fixed-world\.ts/.test(frame) && !RANDOM_LIBRARIES.test(frame)) ?? ''
  const path = /^\/(?:src|scripts|test)\/[^:]+\.ts/.exec(outer.split(ROOT)[1] ?? '')?.[0]
  return path === undefined || LEFT_RANDOM.test(path) ? undefined : path
}

/** RFC 8410: a private Ed25519 key is this and its 32 bytes. */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex')

function fixRandomness(bytes: (length: number) => Buffer | undefined): void {
  const { randomBytes, randomUUID, generateKeyPairSync } = crypto
  const getRandomValues = globalThis.crypto.getRandomValues.bind(globalThis.crypto)
  Object.assign(crypto, {
    randomBytes: (length: number) => bytes(length) ?? randomBytes(length),
    randomUUID: () => uuidOf(bytes(16)) ?? randomUUID(),
    generateKeyPairSync(type: 'ed25519') {
      const seed = bytes(32)
      if (seed === undefined) return generateKeyPairSync(type)
      const key = Buffer.concat([PKCS8_ED25519, seed])
      const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' })
      return { privateKey, publicKey: createPublicKey(privateKey) }
    },
  })
  syncBuiltinESMExports()
  globalThis.crypto.getRandomValues = ((array: Uint8Array) => {
    const made = bytes(array.byteLength)
    if (made === undefined) return getRandomValues(array as Uint8Array<ArrayBuffer>)
    array.set(made)
    return array
  }) as typeof globalThis.crypto.getRandomValues
}

/** Version 4, RFC 9562. */
function uuidOf(made: Buffer | undefined): string | undefined {
  if (made === undefined) return undefined
  made[6] = (made[6]! & 0x0f) | 0x40
  made[8] = (made[8]! & 0x3f) | 0x80
  const hex = made.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
