/** The files of versions: signed when uploaded, and downloaded by links that expire. */
import { timingSafeEqual } from 'node:crypto'
import { privateKeyOf, signJws } from '#kernel/credentials/jws'
import { unixSeconds } from '#kernel/lib/timestamps'
import type { Vault } from '#kernel/vault/vault'
import type { SigningKey } from '../signing-keys/decider.ts'

export const ARTIFACT_TOKEN_TYPE = 'daybook-artifact+jwt'
export const DOWNLOAD_PATH = '/api/versions/artifacts'
const LINK_SECONDS = 15 * 60
const KEY = 'artifact-link'

export interface ArtifactClaims {
  readonly iss: string
  readonly ver: string
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** A signature that verifies the file against the published keys. */
export const signArtifact = (claims: ArtifactClaims, { kid, privateJwk }: SigningKey, at: Date): string =>
  signJws({ ...claims, iat: unixSeconds(at) }, { typ: ARTIFACT_TOKEN_TYPE, kid, key: privateKeyOf(privateJwk) })

export const artifactFile = (artifactId: string): string => `artifacts/${artifactId}`

/** For callers that may have the file: the link alone gives access, for 15 minutes. */
export async function downloadLink(
  { vault, baseUrl }: { vault: Vault; baseUrl: string },
  artifactId: string,
  now: Date,
): Promise<string> {
  const until = unixSeconds(now) + LINK_SECONDS
  return `${baseUrl}${DOWNLOAD_PATH}/${artifactId}?until=${until}&signature=${await linkSignature(vault, artifactId, until)}`
}

export async function isDownloadLink(
  vault: Vault,
  { artifactId, until, signature }: { artifactId: string; until: number; signature: string },
  now: Date,
): Promise<boolean> {
  const expected = Buffer.from(await linkSignature(vault, artifactId, until))
  const sent = Buffer.from(signature)
  return sent.length === expected.length && timingSafeEqual(sent, expected) && until * 1_000 > now.getTime()
}

const linkSignature = (vault: Vault, artifactId: string, until: number): Promise<string> =>
  vault.hmac(KEY, `${artifactId}/${until}`)
