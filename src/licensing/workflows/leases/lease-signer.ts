/** Leases: signed replies to panels, with the key that signs new licenses. */
import { hash } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { base62 } from '#kernel/credentials/base62'
import { privateKeyOf, signJws } from '#kernel/credentials/jws'
import { pooledRandomStream } from '#kernel/lib/pooled-random'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { crlSerial } from '#projections/licensing/license-api'
import { LEASE_TYPE } from '../../../license-client/tokens.ts'
import type { License } from '../../licenses/rules.ts'
import { currentSigningKey } from '../../signing-keys/signing-key.ts'

export type LeaseState =
  | 'OK'
  | 'GRACE'
  | 'EXPIRED'
  | 'SUSPENDED'
  | 'REVOKED'
  /** The key was replaced: the reply contains the new one. */
  | 'SUPERSEDED'
  | 'DEACTIVATED'

/** All times in Unix seconds. */
export interface LeaseClaims {
  /** The base URL. */
  readonly iss: string
  readonly aud: 'daybook-panel'
  readonly ver: 1
  /** The instance's id. */
  readonly sub: string
  /** The id of this lease; the next heartbeat sends it as `prevLease`. */
  readonly jti: string
  /** The key id that signed the request. */
  readonly lic: string
  /** `fingerprintHash` of the components that the panel sent last. */
  readonly fph: string
  readonly st: LeaseState
  /** A reason for people; null if there is none. */
  readonly rsn: string | null
  /** `seq` of the newest license key. */
  readonly seq: number
  readonly iat: number
  readonly exp: number
  /** When the next heartbeat is due. */
  readonly nhb: number
  readonly ft: License['features']
  readonly warn: readonly string[]
  /** SHA-256 of the request's nonce, base64url: binds the reply to this request. */
  readonly req: string
  /** The lease that the request named. */
  readonly prev: string | null
  /** RFC 7800: the thumbprint of the instance's key. */
  readonly cnf: { readonly jkt: string }
  /** Serial of the revocation list. */
  readonly crl: number
}

/** The same hash for a set of components in any order. */
export function fingerprintHash(components: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(components).filter(([, value]) => value !== undefined)
  const sorted = given.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `fp1:${hash('sha256', JSON.stringify(sorted), 'base64url')}`
}

export const nonceHash = (nonce: string): string => hash('sha256', nonce, 'base64url')

/** 131 bits. */
const JTI_CHARACTERS = 22
/**
 * How long a process caches what it signs with. Keys stay published for longer than any lease, so a
 * stale key does no harm.
 */
const SIGNING_MATERIAL_CACHED_MS = 1_000

export const newLeaseId = (): string => base62(JTI_CHARACTERS, pooledRandomStream())

export interface LeaseSignerDependencies {
  /** Runs a unit of work that only reads streams. */
  readonly run: <Result>(work: (unit: UnitOfWork) => Promise<Result>) => Promise<Result>
  readonly read: ReadDatabase
}

interface SigningMaterial {
  readonly kid: string
  readonly key: KeyObject
  readonly crl: number
}

/** Signs every heartbeat's reply, so the signing data is read once per second and not each time. */
export class LeaseSigner {
  readonly #parts: LeaseSignerDependencies
  #held: Promise<SigningMaterial> | undefined
  #heldMs = -Infinity

  constructor(parts: LeaseSignerDependencies) {
    this.#parts = parts
  }

  /** Signs another payload with the same key. */
  async signPayload(payload: object, typ: string): Promise<string> {
    const { kid, key } = await this.#now()
    return signJws(payload, { typ, kid, key })
  }

  async sign(claims: Omit<LeaseClaims, 'crl'>): Promise<string> {
    const { kid, key, crl } = await this.#now()
    return signJws({ ...claims, crl }, { typ: LEASE_TYPE, kid, key })
  }

  #now(): Promise<SigningMaterial> {
    if (this.#held && performance.now() - this.#heldMs < SIGNING_MATERIAL_CACHED_MS) return this.#held
    this.#heldMs = performance.now()
    const asked = this.#ask()
    asked.catch(() => {
      if (this.#held === asked) this.#held = undefined
    })
    return (this.#held = asked)
  }

  async #ask(): Promise<SigningMaterial> {
    const { run, read } = this.#parts
    const [{ kid, privateJwk }, crl] = await Promise.all([run(currentSigningKey), crlSerial(read)])
    return { kid, crl, key: privateKeyOf(privateJwk) }
  }
}
