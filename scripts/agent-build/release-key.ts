/** The key that signs releases of the agent. */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { newEd25519, privateKeyOf } from '#kernel/credentials/jws'
import type { Ed25519PrivateJwk } from '#kernel/credentials/jws'
import { makeDirectory } from '#kernel/lib/directories'

const OWNER_ONLY_DIRECTORY = 0o700
const OWNER_ONLY_FILE = 0o600

const PrivateJwk = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.base64url(),
  d: z.base64url(),
})

/** @throws Error for a file that holds no such key */
export async function releaseKeyIn(
  path: string,
): Promise<{ readonly jwk: Ed25519PrivateJwk; readonly isNew: boolean }> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })
  if (text === undefined) {
    const jwk = newEd25519()
    await makeDirectory(dirname(path), OWNER_ONLY_DIRECTORY)
    await writeFile(path, `${JSON.stringify(jwk)}\n`, { mode: OWNER_ONLY_FILE, flag: 'wx' })
    return { jwk, isNew: true }
  }
  const jwk = PrivateJwk.parse(JSON.parse(text))
  privateKeyOf(jwk)
  return { jwk, isNew: false }
}
