import { createHash } from 'node:crypto'
import { z } from 'zod'
import { answer, everyone, route, textReply } from '#kernel/http/route'
import { PublishedJwk } from '#kernel/identity/jws'
import { revocationLists } from '../revocation-list.ts'
import { publishedKeys, signingKeyForAll } from '../signing-key.ts'
import { PUBLISHED_SECONDS } from '../signing-keys/decider.ts'

const lists = revocationLists()
/** Revocations are to be known soon; the bytes change once an hour. */
const LIST_CACHE = 'public, max-age=300'

export const licenseApiRoutes = [
  route('GET /api/v1/license/keys', {
    does: 'The public keys that verify license keys, as a JWK set (RFC 7517), and the same list signed by the root key, which is what panels trust. With If-None-Match it answers 304 while nothing changed.',
    access: everyone,
    status: [200, 304],
    reply: z.object({ keys: z.array(PublishedJwk), manifest: z.string().nullable() }),
    handle: async ({ run, header }) => {
      const keySet = await publishedKeys(run)
      const etag = `"${createHash('sha256').update(JSON.stringify(keySet)).digest('base64url')}"`
      const status = knows(header('if-none-match'), etag) ? 304 : 200
      return answer(keySet, status, { ETag: etag, 'Cache-Control': `public, max-age=${PUBLISHED_SECONDS}` })
    },
  }),

  route('GET /api/v1/license/crl', {
    does: 'The license keys that are revoked before their end, as a signed statement (JWS). Its serial rises with every revocation. With If-None-Match it answers 304 while nothing changed.',
    access: everyone,
    status: [200, 304],
    reply: textReply('application/jose'),
    handle: async ({ run, read, now, baseUrl, header }) => {
      const { jws, etag } = await lists.at(now, read, await signingKeyForAll(run), baseUrl)
      const status = knows(header('if-none-match'), etag) ? 304 : 200
      return answer(jws, status, { ETag: etag, 'Cache-Control': LIST_CACHE })
    },
  }),
]

/** RFC 9110, 13.1.2: a list of tags, compared weakly, or a star. */
const knows = (ifNoneMatch: string | undefined, etag: string): boolean =>
  (ifNoneMatch ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*')
