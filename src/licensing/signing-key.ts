/** Makes and hands out the keys that sign licenses. */
import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose'
import type { Unit } from '#kernel/command'
import type { Call } from '#kernel/http/route'
import { currentKey, signingKeys } from './signing-keys/decider.ts'
import type { SigningKey } from './signing-keys/decider.ts'

/** Reading what is public is done in nobody's name; nothing is recorded. */
const NOBODY = { type: 'SYSTEM', id: 'public' }

/** Makes the installation's first key unless there is one; however many processes start at once, there is one afterwards. */
export async function ensureSigningKey(run: Call['run']): Promise<void> {
  await run(async (unit) => {
    if (currentKey(await unit.load(signingKeys))) return
    await unit.decide(signingKeys, undefined, 'CreateFirstKey', { signingKeyId: unit.newId(), ...(await newKey()) })
  })
}

/** The key that new licenses are signed with. @throws Error before ensureSigningKey */
export async function signingKey(unit: Unit): Promise<SigningKey> {
  const current = currentKey(await unit.look(signingKeys))
  if (!current) throw new Error('There is no signing key yet')
  return current
}

/** The key that a license was issued with, current or not. */
export async function signingKeyOf(unit: Unit, { kid }: { readonly kid: string }): Promise<SigningKey> {
  const known = (await unit.look(signingKeys)).find((key) => key.kid === kid)
  if (!known) throw new Error(`There is no signing key ${kid}`)
  return known
}

/** As verifiers know them (RFC 8037, 2). From the stream itself, so that no license is ever ahead of its key. */
export const publishedKeys = (run: Call['run']) =>
  run(async (unit) => {
    const keys = await unit.look(signingKeys)
    return keys.map(({ publicJwk, kid }) => ({ ...publicJwk, kid, alg: 'EdDSA' as const, use: 'sig' as const }))
  }, NOBODY)

async function newKey() {
  const pair = await generateKeyPair('EdDSA', { extractable: true })
  const { x, d } = await exportJWK(pair.privateKey)
  const publicJwk = { kty: 'OKP' as const, crv: 'Ed25519' as const, x: x! }
  return { kid: await calculateJwkThumbprint(publicJwk), publicJwk, privateKey: d! }
}
