import { createHash } from 'node:crypto'
import { z } from 'zod'
import { answer, everyone, route } from '#kernel/http/route'
import { publishedKeys } from '../signing-key.ts'

const Jwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
})

export const licenseApiRoutes = [
  route('GET /api/v1/license/keys', {
    does: 'The public keys that verify license keys, as a JWK set (RFC 7517). With If-None-Match it answers 304 while nothing changed.',
    access: everyone,
    status: [200, 304],
    reply: z.object({ keys: z.array(Jwk) }),
    handle: async ({ run, header }) => {
      const keySet = { keys: await publishedKeys(run) }
      const etag = `"${createHash('sha256').update(JSON.stringify(keySet)).digest('base64url')}"`
      const status = knows(header('if-none-match'), etag) ? 304 : 200
      return answer(keySet, status, { ETag: etag, 'Cache-Control': 'public, max-age=3600' })
    },
  }),
]

/** RFC 9110, 13.1.2: a list of tags, compared weakly, or a star. */
const knows = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
