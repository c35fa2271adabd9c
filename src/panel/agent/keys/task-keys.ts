/** The signing key of tasks, as code uses it. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { newEd25519, privateKeyOf, thumbprint } from '#kernel/credentials/jws'
import type { Ed25519Jwk, Ed25519PrivateJwk } from '#kernel/credentials/jws'
import { LruMap } from '#kernel/lib/lru-map'
import type { SigningKey } from '../../../tasks/envelope.ts'
import { taskKeys } from './decider.ts'

/** Parsing a key takes longer than signing with it. */
const parsed = new LruMap<Ed25519PrivateJwk>(4)

/** Makes the key if the installation has none. */
export async function taskJwkIn(unit: UnitOfWork): Promise<Ed25519PrivateJwk> {
  const known = (await unit.look(taskKeys)) ?? (await firstKeyOf(unit))
  const { key } = known
  const jwk = parsed.get(key) ?? (JSON.parse(key) as Ed25519PrivateJwk)
  parsed.set(key, jwk)
  return jwk
}

async function firstKeyOf(unit: UnitOfWork) {
  const made = { taskKeyId: unit.newId(), key: JSON.stringify(newEd25519()) }
  await unit.decide(taskKeys, undefined, 'MakeFirst', made)
  return (await unit.load(taskKeys))!
}

export const signingKeyOf = (jwk: Ed25519PrivateJwk): SigningKey => ({ kid: thumbprint(jwk), key: privateKeyOf(jwk) })

/** What agents pin. */
export const publicTaskKeyOf = ({ kty, crv, x }: Ed25519PrivateJwk): Ed25519Jwk => ({ kty, crv, x })
