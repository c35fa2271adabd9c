/** Leases: what panels are answered, signed by the key that new licenses are signed with. */
import { createHash } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { base62 } from '#kernel/credentials/base62'
import { privateKeyOf, signJws } from '#kernel/credentials/jws'
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
  /** The key is an old one: the answer brings the new one. */
  | 'SUPERSEDED'
  | 'DEACTIVATED'

/** All times in Unix seconds. */
export interface LeaseClaims {
  /** base_url. */
  readonly iss: string
  readonly aud: 'daybook-panel'
  readonly ver: 1
  /** The instance. */
  readonly sub: string
  /** Of this lease; the next heartbeat names it in `prevLease`. */
  readonly jti: string
  /** The key id that the request was signed with. */
  readonly lic: string
  /** `fingerprintHash` of what the panel sent last. */
  readonly fph: string
  readonly st: LeaseState
  /** Why, for people; null where there is nothing to say. */
  readonly rsn: string | null
  /** Of the newest license key. */
  readonly seq: number
  readonly iat: number
  readonly exp: number
  /** When the next heartbeat is awaited. */
  readonly nhb: number
  readonly ft: License['features']
  readonly warn: readonly string[]
  /** SHA-256 of the request's nonce, base64url: the answer to this very request. */
  readonly req: string
  /** The lease that the request named. */
  readonly prev: string | null
  /** RFC 7800: the thumbprint of the instance's key. */
  readonly cnf: { readonly jkt: string }
  /** Serial of the revocation list. */
  readonly crl: number
}

/** One text for a set of components, in whatever order they were given. */
export function fingerprintHash(components: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(components).filter(([, value]) => value !== undefined)
  const sorted = given.toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `fp1:${createHash('sha256').update(JSON.stringify(sorted)).digest('base64url')}`
}

export const nonceHash = (nonce: string): string => createHash('sha256').update(nonce).digest('base64url')

/** 131 bits. */
const JTI_CHARACTERS = 22
/** How long a process goes on with what it has seen last. Keys stay published for longer than any lease, so none is too late. */
const SIGNING_MATERIAL_CACHED_MS = 1_000

export const newLeaseId = (): string => base62(JTI_CHARACTERS)

export interface LeaseSignerDependencies {
  /** Only looks at streams. */
  readonly run: <Result>(work: (unit: UnitOfWork) => Promise<Result>) => Promise<Result>
  readonly read: Kysely<any>
}

interface SigningMaterial {
  readonly kid: string
  readonly key: KeyObject
  readonly crl: number
}

/** Signs at every heartbeat, so what it signs with is asked for once a second and not each time. */
export class LeaseSigner {
  readonly #parts: LeaseSignerDependencies
  #held: Promise<SigningMaterial> | undefined
  #heldMs = -Infinity

  constructor(parts: LeaseSignerDependencies) {
    this.#parts = parts
  }

  /** Something else than a lease, with the same key. */
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
    const asked = this.#ask(this.#held)
    asked.catch(() => {
      if (this.#held === asked) this.#held = undefined
    })
    return (this.#held = asked)
  }

  async #ask(before: Promise<SigningMaterial> | undefined): Promise<SigningMaterial> {
    const { run, read } = this.#parts
    const [{ kid, privateJwk }, crl, known] = await Promise.all([
      run(currentSigningKey),
      crlSerial(read),
      before?.catch(() => undefined),
    ])
    return { kid, crl, key: known?.kid === kid ? known.key : privateKeyOf(privateJwk) }
  }
}
