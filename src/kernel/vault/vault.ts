/**
 * Personal fields and secrets at rest. Words:
 *   subject  whose text it is and whose key seals it: `customer/<id>`, `installation`; erasing the key erases the subject
 *   seal     encrypt with the subject's data key, bound to event type, field and subject: a sealed text moved elsewhere fails
 *   KEK      the installation's key-encryption key, held outside the database; it wraps every data key
 */
import { createHmac, randomBytes } from 'node:crypto'
import { TOMBSTONE } from './key-store.ts'
import type { KeyStore } from './key-store.ts'
import { decrypt, encrypt } from './aes-gcm.ts'

export { parseKeyEncryptionKey } from './key-encryption-key.ts'

/** What is read where a subject's key is gone. */
export const ERASED = 'ERASED'

export interface Vault {
  /** `~1.<event type>.<base64url>`; makes the subject's key on first use. @throws SubjectErased */
  seal(plain: string, at: { subject: string; type: string; field: string }): Promise<string>
  /** The plain text, or 'ERASED' when the subject's key is gone. @throws when sealed text was altered or moved. */
  open(sealed: string, at: { subject: string; field: string }): Promise<string>
  /** Loads the keys of many subjects with one query, ahead of many `open`. */
  loadKeys(subjects: readonly string[]): Promise<void>
  /** base64url HMAC-SHA256 of `value` under the installation key `name`, for instance 'pepper'. */
  hmac(name: string, value: string): Promise<string>
  /** A 32-byte installation key: made on first use, the same in every process. */
  key(name: string): Promise<Buffer>
  /** Destroys the keys of subjects for good: whatever was sealed for them reads 'ERASED' from now on. @throws for the installation's own */
  erase(subjects: readonly string[]): Promise<void>
  /**
   * Drops the keys that any process erased, unless that was asked less than `maxAgeMs` ago. While nobody can tell, every key of
   * a subject is dropped: what cannot be known to be alive is not shown.
   */
  applyErasures(maxAgeMs: number): Promise<void>
  /** Calls back whenever keys are dropped, so that what they opened can be dropped with them. */
  onErased(listener: () => void): void
  /** For the start of a process. @throws a plain Error that says what to do when the KEK is not this installation's. */
  check(): Promise<void>
}

/** How long a process that has heard nothing may go on opening texts of a subject that another process erased. */
export const ERASURE_DELAY_MS_MAX = 1_000

/** Sealing for somebody whose key was destroyed. Whoever decided on what it knew of him before decides again. */
export class SubjectErased extends Error {
  constructor(subject: string) {
    super(`${subject} was erased: nothing more is sealed for it`)
    this.name = 'SubjectErased'
  }
}

const CACHED_KEYS_MAX = 10_000
const DATA_KEY_BYTES = 32
const SEALED = /^~1\.(?<type>.+)\.(?<body>[A-Za-z0-9_-]+)$/su

const WRONG_KEK =
  'The secret key does not fit this database: start with the DAYBOOK_SECRET_KEY or PANEL_SECRET_KEY that this installation was first ' +
  'started with (a backup of the database needs the backup of its key)'

/** `kek`: 32 bytes, see parseSecretKey. */
export function openVault({ store, kek }: { store: KeyStore; kek: Buffer }): Vault {
  const keys = new DataKeyCache(store, kek)
  const key = async (name: string): Promise<Buffer> => Buffer.from(await keys.make(`installation-key/${name}`))
  return {
    key,
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

/** JSON, because no choice of the three can spell another choice of the three. */
function associatedData(type: string, field: string, subject: string): string {
  return JSON.stringify([type, field, subject])
}

function parseSealed(sealed: string): { type: string; body: Buffer } {
  const { type, body } = SEALED.exec(sealed)?.groups ?? {}
  if (type === undefined || body === undefined) throw new Error('This text is not sealed')
  return { type, body: Buffer.from(body, 'base64url') }
}

type DataKey = Buffer | typeof TOMBSTONE

/** They seal no person, they cannot be erased, and what guards the doors must not wait for the database to say so. */
const isInstallationSubject = (subject: string): boolean => subject.startsWith('installation')

/** Unwrapped data keys and tombstones, the most recently used ones kept. */
class DataKeyCache {
  readonly listeners: (() => void)[] = []
  readonly #store: KeyStore
  readonly #kek: Buffer
  /** Promises, so that a hundred seals for a new subject at once make one key and one query. */
  readonly #cache = new Map<string, Promise<DataKey | undefined>>()
  /** The newest tombstone that was heeded; undefined until the first question, before which nothing is cached. */
  #newest: number | undefined
  #heededMs = -Infinity
  #heeding: Promise<void> | undefined
  /** Counts the drops: what was read from the store before one must not be kept after it. */
  #drops = 0

  constructor(store: KeyStore, kek: Buffer) {
    this.#store = store
    this.#kek = kek
  }

  async find(subject: string): Promise<DataKey | undefined> {
    if (!isInstallationSubject(subject)) await this.applyErasures(ERASURE_DELAY_MS_MAX)
    return this.#used(subject) ?? this.#remember(subject, this.#read(subject))
  }

  async make(subject: string): Promise<Buffer> {
    const found = await this.find(subject)
    if (found) return found
    if (found === TOMBSTONE) throw new SubjectErased(subject)
    const made = await (this.#used(subject) ?? this.#remember(subject, this.#write(subject)))
    return made ?? this.make(subject)
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
    // A question that is under way may have been asked too early to be this one's.
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

  #unwrapped(subject: string, wrapped: DataKey): DataKey {
    if (wrapped === TOMBSTONE) return TOMBSTONE
    try {
      return decrypt(this.#kek, wrapped, subject)
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
    // Neither an absence nor a failure may outlive this moment: another process may make the key in the next one.
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

  /** A Map keeps the order of insertion: the first entry is the one that was used longest ago. */
  #keep(subject: string, key: Promise<DataKey | undefined>): void {
    this.#cache.delete(subject)
    this.#cache.set(subject, key)
    const [oldest] = this.#cache.keys()
    if (this.#cache.size > CACHED_KEYS_MAX && oldest !== undefined) this.#cache.delete(oldest)
  }
}
