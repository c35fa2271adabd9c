/** The signed list of revoked keys, for verifiers that check license keys offline (licensing.md 5). */
import { privateKeyOf, signJws } from '#kernel/credentials/jws'
import { unixSeconds } from '#kernel/lib/timestamps'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { crlSerial, revokedKeys } from '#projections/licensing/license-api'
import type { SigningKey } from '../signing-keys/decider.ts'

export const CRL_TYPE = 'daybook-crl+jwt'
/** Dated to the hour, so that every process returns the same bytes; signed again long before it expires. */
const HOUR_SECONDS = 3_600
const GOOD_SECONDS = 7 * 24 * HOUR_SECONDS

interface CachedList {
  readonly key: string
  readonly list: Promise<string>
}

export interface RevocationLists {
  /** @param signedWith the current signing key. @returns the list as a JWS */
  at(now: Date, read: ReadDatabase, signedWith: SigningKey, iss: string): Promise<string>
}

/**
 * Caches the newest list, also while it is being signed, so that anonymous requests cannot cause
 * repeated signing.
 */
export function createRevocationLists(): RevocationLists {
  let kept: CachedList | undefined
  return {
    async at(now, read, signedWith, iss) {
      const serial = await crlSerial(read)
      const iat = Math.floor(now.getTime() / 1_000 / HOUR_SECONDS) * HOUR_SECONDS
      const key = [serial, iat, signedWith.kid, iss].join(' ')
      if (kept?.key === key) return kept.list
      const mine = (kept = { key, list: signList({ serial, iat, iss }, read, signedWith) })
      mine.list.catch(() => {
        if (kept === mine) kept = undefined
      })
      return mine.list
    },
  }
}

async function signList(
  { serial, iat, iss }: { serial: number; iat: number; iss: string },
  read: ReadDatabase,
  { kid, privateJwk }: SigningKey,
): Promise<string> {
  const all = await revokedKeys(read, serial, new Date(iat * 1_000))
  const since = ({ revokedAt }: { revokedAt: string }) => unixSeconds(revokedAt)
  const payload = {
    iss,
    serial,
    iat,
    exp: iat + GOOD_SECONDS,
    revoked: all.flatMap((each) =>
      each.keyId === null ? [] : [{ keyId: each.keyId, reason: each.reason, at: since(each) }],
    ),
    signingKeys: all.flatMap((each) => (each.kid === null ? [] : [{ kid: each.kid, at: since(each) }])),
  }
  return signJws(payload, { typ: CRL_TYPE, kid, key: privateKeyOf(privateJwk) })
}
