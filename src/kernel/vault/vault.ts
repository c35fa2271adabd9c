/**
 * Encrypts personal fields and secrets at rest. Words:
 *   subject  owns a text and the key that seals it: `customer/<id>`, `installation`; erasing the key erases the subject
 *   seal     encrypt with the subject's data key, bound to event type, field and subject: opening it elsewhere fails
 *   KEK      the installation's key-encryption key, stored outside the database; it wraps every data key
 */
import { createHmac, createSecretKey, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { decrypt, encrypt } from './aes-gcm.ts'
import { TOMBSTONE } from './key-store.ts'
import type { KeyStore } from './key-store.ts'

export { parseKeyEncryptionKey } from './key-encryption-key.ts'

/** Replaces a sealed text whose subject was erased. */
export const ERASED = 'ERASED'

export interface Vault {
  /** Returns `~1.<event type>.<base64url>`; makes the subject's key on first use. @throws SubjectErased */
  seal(plain: string, at: { subject: string; type: string; field: string }): Promise<string>
  /**
   * Returns the plain text, or 'ERASED' when the subject's key is destroyed.
   * @throws when the sealed text was altered or moved
   */
  open(sealed: string, at: { subject: string; field: string }): Promise<string>
  /** Loads the keys of many subjects with one query, before many calls of `open`. */
  loadKeys(subjects: readonly string[]): Promise<void>
  /** base64url HMAC-SHA256 of `value` under the installation key `name`, for instance 'pepper'. */
  hmac(name: string, value: string): Promise<string>
  /** A 32-byte installation key: made on first use, the same in every process. */
  key(name: string): Promise<Buffer>
  /**
   * Destroys keys permanently: texts sealed for these subjects then open as 'ERASED'.
   * @throws for keys of the installation
   */
  erase(subjects: readonly string[]): Promise<void>
  /**
   * Drops the cached keys that any process has erased, unless it asked less than `maxAgeMs` ago. If the query fails, it
   * drops every subject's key and throws, so that no erased text is shown.
   */
  applyErasures(maxAgeMs: number): Promise<void>
  /** Calls back whenever keys are dropped, so that caches can drop the opened texts. */
  onErased(listener: () => void): void
  /** For the start of a process. @throws an Error that says what to do when the KEK is not this installation's */
  check(): Promise<void>
}

/** How long a process may still open texts of a subject after another process erased it. */
export const ERASURE_DELAY_MS_MAX = 1_000

/** Thrown by `seal` for an erased subject. The command that decided on older data of the subject is run again. */
export class SubjectErased extends Error {
  constructor(subject: string) {
    super(`${subject} was erased; no more data can be sealed for it`)
    this.name = 'SubjectErased'
  }
}

const CACHED_KEYS_MAX = 10_000
const DATA_KEY_BYTES = 32
const SEALED = /^~1\.(?<type>.+)\.(?<body>[A-Za-z0-9_-]+)$/su

const WRONG_KEK =
  'The secret key does not fit this database: start with the secret key that this installation was first ' +
  'started with (a backup of the database needs the backup of its key)'

/** @param kek 32 bytes, see `parseKeyEncryptionKey` */
export function openVault({ store, kek }: { store: KeyStore; kek: Buffer }): Vault {
  const keys = new DataKeyCache(store, createSecretKey(kek))
  const key = (name: string): Promise<KeyObject> => keys.make(`installation-key/${name}`)
  return {
    key: async (name) => (await key(name)).export(),
    seal: async (plain, { subject, type, field }) => {
      const body = encrypt(await keys.make(subject), Buffer.from(plain), associatedData(type, field, subject))
      return `~1.${type}.${body.toString('base64url')}`
    },
    open: async (sealed, { subject, field }) => {
      const { type, body } = parseSealed(sealed)
      const found = await keys.find(subject)
      return found ? decrypt(found, body, associatedData(type, field, subject)).toString() : ERASED
    },
    loadKeys: (subjects) => keys.load(subjects),
    erase: (subjects) => keys.erase(subjects),
    applyErasures: (maxAgeMs) => keys.applyErasures(maxAgeMs),
    onErased: (listener) => void keys.listeners.push(listener),
    hmac: async (name, value) =>
      createHmac('sha256', await key(name))
        .update(value)
        .digest('base64url'),
    check: async () => void (await key('check')),
  }
}

/** Encoded as JSON, so that no two different triples give the same text. */
function associatedData(type: string, field: string, subject: string): string {
  return JSON.stringify([type, field, subject])
}

function parseSealed(sealed: string): { type: string; body: Buffer } {
  const { type, body } = SEALED.exec(sealed)?.groups ?? {}
  if (type === undefined || body === undefined) throw new Error('The text is not in the form of a sealed text')
  return { type, body: Buffer.from(body, 'base64url') }
}

/**
 * A KeyObject, because a cipher with one starts at a third of the cost. It holds the only copy of the key: a Buffer of
 * 32 bytes may be a part of a much larger one, which stays in memory as long as the key is cached.
 */
type DataKey = KeyObject | typeof TOMBSTONE

/**
 * Keys of the installation seal no personal data and cannot be erased, so authentication need not check for erasures.
 */
const isInstallationSubject = (subject: string): boolean => subject.startsWith('installation')

/** An LRU cache of unwrapped data keys and tombstones. */
class DataKeyCache {
  readonly listeners: (() => void)[] = []
  readonly #store: KeyStore
  readonly #kek: KeyObject
  /** Holds promises, so that concurrent seals for a new subject make one key with one query. */
  readonly #cache = new Map<string, Promise<DataKey | undefined>>()
  /** The newest tombstone that was applied; undefined until the first query, before which no key is cached. */
  #newest: number | undefined
  #heededMs = -Infinity
  #heeding: Promise<void> | undefined
  /** Counts the drops: a key that was read from the store before a drop must not be cached after it. */
  #drops = 0

  constructor(store: KeyStore, kek: KeyObject) {
    this.#store = store
    this.#kek = kek
  }

  async find(subject: string): Promise<DataKey | undefined> {
    if (!isInstallationSubject(subject)) await this.applyErasures(ERASURE_DELAY_MS_MAX)
    return this.#used(subject) ?? this.#remember(subject, this.#read(subject))
  }

  async make(subject: string): Promise<KeyObject> {
    // The statement that makes a key also finds one. Only the installation's keys, made once, are looked up before.
    await (isInstallationSubject(subject) ? this.find(subject) : this.applyErasures(ERASURE_DELAY_MS_MAX))
    const key = await (this.#used(subject) ?? this.#remember(subject, this.#write(subject)))
    if (key === TOMBSTONE) throw new SubjectErased(subject)
    return key ?? this.make(subject)
  }

  async load(subjects: readonly string[]): Promise<void> {
    await this.applyErasures(ERASURE_DELAY_MS_MAX)
    const missing = [...new Set(subjects)].filter((subject) => !this.#cache.has(subject))
    if (missing.length === 0) return
    const drops = this.#drops
    const keys = await this.#store.get(missing)
    if (drops !== this.#drops) return this.load(subjects)
    for (const [subject, wrapped] of keys) {
      void this.#remember(subject, Promise.resolve(this.#unwrapped(subject, wrapped)))
    }
  }

  async erase(subjects: readonly string[]): Promise<void> {
    if (subjects.some(isInstallationSubject)) throw new Error('The installation’s own keys cannot be erased')
    await this.#store.erase(subjects)
    this.#drop(subjects)
  }

  async applyErasures(maxAgeMs: number): Promise<void> {
    const since = performance.now() - maxAgeMs
    // A query that is already running may have started before `since`; then another one is needed.
    while (this.#heededMs < since) {
      this.#heeding ??= this.#ask().finally(() => (this.#heeding = undefined))
      await this.#heeding
    }
  }

  async #ask(): Promise<void> {
    const askedMs = performance.now()
    try {
      const { newest, subjects } = await this.#store.erasedAfter(this.#newest)
      this.#newest = newest
      this.#heededMs = askedMs
      if (subjects.length > 0) this.#drop(subjects)
    } catch (error) {
      this.#drop([...this.#cache.keys()].filter((subject) => !isInstallationSubject(subject)))
      throw error
    }
  }

  #drop(subjects: readonly string[]): void {
    this.#drops += 1
    for (const subject of subjects) this.#cache.delete(subject)
    for (const listener of this.listeners) listener()
  }

  async #read(subject: string): Promise<DataKey | undefined> {
    const wrapped = (await this.#store.get([subject])).get(subject)
    return wrapped === undefined ? undefined : this.#unwrapped(subject, wrapped)
  }

  async #write(subject: string): Promise<DataKey> {
    const wrapped = encrypt(this.#kek, randomBytes(DATA_KEY_BYTES), subject)
    return this.#unwrapped(subject, await this.#store.put(subject, wrapped))
  }

  #unwrapped(subject: string, wrapped: Buffer | typeof TOMBSTONE): DataKey {
    if (wrapped === TOMBSTONE) return TOMBSTONE
    try {
      return createSecretKey(decrypt(this.#kek, wrapped, subject))
    } catch (cause) {
      throw new Error(WRONG_KEK, { cause })
    }
  }

  #used(subject: string): Promise<DataKey | undefined> | undefined {
    const key = this.#cache.get(subject)
    if (key) this.#keep(subject, key)
    return key
  }

  async #remember(subject: string, key: Promise<DataKey | undefined>): Promise<DataKey | undefined> {
    this.#keep(subject, key)
    // A missing key or a failure is not cached, because another process may make the key at any time.
    const forget = (): void => void (this.#cache.get(subject) === key && this.#cache.delete(subject))
    return key.then(
      (found) => {
        if (found === undefined) forget()
        return found
      },
      (error: unknown) => {
        forget()
        throw error
      },
    )
  }

  /** A Map keeps the order of insertion, so the first entry is the least recently used one. */
  #keep(subject: string, key: Promise<DataKey | undefined>): void {
    this.#cache.delete(subject)
    this.#cache.set(subject, key)
    const [oldest] = this.#cache.keys()
    if (this.#cache.size > CACHED_KEYS_MAX && oldest !== undefined) this.#cache.delete(oldest)
  }
}
