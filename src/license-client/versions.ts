/** The versions of the panel that a license entitles to, as the service has signed them for one request. */
import { z } from 'zod'
import { readJws } from '#kernel/credentials/jws'
import { hashOfNonce } from './judge-answer.ts'
import { verifiedBy } from './manifest.ts'
import type { Manifest } from './manifest.ts'
import { LicenseRefused } from './refusal.ts'
import { AUDIENCE } from './tokens.ts'

const VERSIONS_TYPE = 'daybook-versions+jwt'
/** Files are listed for at most as many versions as the service names. */
const CHARACTERS_MAX = 524_288

const OfferedVersion = z.object({
  version: z.string().max(64),
  channel: z.string(),
  publishedAt: z.iso.datetime(),
  artifacts: z.array(z.object({ name: z.string(), size: z.int(), sha256: z.string() })),
})
export type OfferedVersion = z.output<typeof OfferedVersion>

export type OfferedFile = Pick<OfferedVersion, 'version'> & Omit<OfferedVersion['artifacts'][number], 'name'>

const seconds = z.int().min(0)
const VersionClaims = z.object({
  aud: z.literal(AUDIENCE),
  /** The key's id. */
  lic: z.string(),
  iat: seconds,
  exp: seconds,
  /** The hash of the nonce of the request that it answers. */
  req: z.string(),
  versions: z.array(OfferedVersion),
})

const VersionsAnswer = z.object({ signed: z.string() })

/** The statement of an answer; undefined for any other answer. */
export const statementIn = (body: unknown): string | undefined => VersionsAnswer.safeParse(body).data?.signed

const LinkedFiles = z.object({
  items: z.array(z.object({ artifacts: z.array(z.object({ sha256: z.string(), url: z.string() })) })),
})

/** Links are not signed, so one may lead to the service alone, and its bytes are compared. @throws LicenseRefused */
export function linkIn(body: unknown, { sha256 }: OfferedFile, origin: string): URL {
  const files = (LinkedFiles.safeParse(body).data?.items ?? []).flatMap(({ artifacts }) => artifacts)
  const link = URL.parse(files.find((file) => file.sha256 === sha256)?.url ?? '')
  if (link?.origin !== origin) throw new LicenseRefused('The licensing service gives no link of its own to the file')
  return link
}

/** @returns undefined unless a key of the manifest has signed it, for this license key and this request */
export function verifiedVersions(
  manifest: Manifest,
  statement: string,
  { keyId, nonce }: { readonly keyId: string; readonly nonce: string },
): readonly OfferedVersion[] | undefined {
  const claims = verifiedBy(manifest, readJws(statement, CHARACTERS_MAX), VERSIONS_TYPE, VersionClaims)
  return claims?.lic === keyId && claims.req === hashOfNonce(nonce) ? claims.versions : undefined
}
