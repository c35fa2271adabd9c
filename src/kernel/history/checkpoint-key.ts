/**
 * Signs checkpoints of the chain and manifests of backups. The key is derived from 32 bytes in the vault, so access
 * to the database alone is not enough to sign. It is a separate key, so that no verifier can confuse a checkpoint
 * with a license or another signed text.
 */
import { hash } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { calculateJwkThumbprint, compactVerify, CompactSign } from 'jose'
import { z } from 'zod'
import { ed25519FromSeed, toPublishedJwk } from '../credentials/jws.ts'
import type { PublishedJwk } from '../credentials/jws.ts'
import type { Vault } from '../vault/vault.ts'
import type { ChainLink } from './chain.ts'

export const CHECKPOINT_TYPE = 'daybook-checkpoint+jws'
const BACKUP_TYPE = 'daybook-backup+jws'
const VAULT_KEY = 'checkpoints'

const Payload = z.strictObject({ position: z.int().positive(), hash: z.hex().length(64), at: z.iso.datetime() })

export interface SignedCheckpoint extends ChainLink {
  /** RFC 3339. */
  readonly at: string
  /** The thumbprint of the public key (RFC 7638). */
  readonly kid: string
  /** The signed checkpoint: a compact JWS (RFC 7515) with EdDSA. */
  readonly jws: string
}

export interface CheckpointKey {
  /** The public key for verification by others (RFC 8037, 2). */
  readonly publicJwk: PublishedJwk
  sign(link: ChainLink, at: string): Promise<SignedCheckpoint>
  /** @returns undefined unless this key has signed it as a checkpoint */
  open(jws: string): Promise<SignedCheckpoint | undefined>
  /** @param text the manifest of a backup. @returns a compact JWS over its sha256 */
  signBackup(text: string): Promise<string>
  hasSignedBackup(text: string, jws: string): Promise<boolean>
}

export async function checkpointKey(vault: Vault): Promise<CheckpointKey> {
  const { privateKey, publicKey } = ed25519FromSeed(await vault.key(VAULT_KEY))
  const bare = { kty: 'OKP' as const, crv: 'Ed25519' as const, x: publicKey.export({ format: 'jwk' }).x! }
  const kid = await calculateJwkThumbprint(bare)
  const signed = (payload: object, typ: string): Promise<string> =>
    new CompactSign(Buffer.from(JSON.stringify(payload)))
      .setProtectedHeader({ alg: 'EdDSA', kid, typ })
      .sign(privateKey)
  return {
    publicJwk: toPublishedJwk(bare, kid),
    async sign({ position, hash }, at) {
      return { position, hash, at, kid, jws: await signed({ position, hash, at }, CHECKPOINT_TYPE) }
    },
    async open(jws) {
      const payload = Payload.safeParse(await verifyJws(jws, publicKey, { kid, typ: CHECKPOINT_TYPE })).data
      return payload && { ...payload, kid, jws }
    },
    signBackup: (text) => signed({ sha256: sha256(text) }, BACKUP_TYPE),
    async hasSignedBackup(text, jws) {
      const payload = await verifyJws(jws, publicKey, { kid, typ: BACKUP_TYPE })
      return z.strictObject({ sha256: z.literal(sha256(text)) }).safeParse(payload).success
    },
  }
}

const sha256 = (text: string): string => hash('sha256', text, 'hex')

/** @returns the payload; undefined unless this key has signed it as this type */
async function verifyJws(
  jws: string,
  publicKey: KeyObject,
  { kid, typ }: { kid: string; typ: string },
): Promise<unknown> {
  try {
    const { payload, protectedHeader } = await compactVerify(jws, publicKey, { algorithms: ['EdDSA'] })
    if (protectedHeader.typ !== typ || protectedHeader.kid !== kid) return undefined
    return JSON.parse(Buffer.from(payload).toString())
  } catch {
    return undefined
  }
}
