import { z } from 'zod'
import { answer, everyone, cachedJsonReply, cachedReply, route } from '#kernel/http/route'
import { PublishedJwk } from '#kernel/credentials/jws'
import { createRevocationLists } from '../licenses/revocation-list.ts'
import { publishedKeys, publicSigningKey } from '../signing-keys/signing-key.ts'
import { PUBLISHED_SECONDS } from '../signing-keys/decider.ts'

const lists = createRevocationLists()
/** Revocations are to be known soon; the bytes change once an hour. */
const LIST_CACHE = 'public, max-age=300'
const keySet = cachedJsonReply(z.object({ keys: z.array(PublishedJwk), manifest: z.string().nullable() }))
const revocationListReply = cachedReply('application/jose')

export const licenseApiRoutes = [
  route('GET /api/v1/license/keys', {
    does: 'The public keys that verify license keys, as a JWK set (RFC 7517), and the same list signed by the root key, which is what panels trust. With If-None-Match it answers 304 while nothing changed.',
    access: everyone,
    reply: keySet,
    handle: async ({ run }) =>
      answer(keySet.of(await publishedKeys(run)), 200, { 'Cache-Control': `public, max-age=${PUBLISHED_SECONDS}` }),
  }),

  route('GET /api/v1/license/crl', {
    does: 'The license keys that are revoked before their end, as a signed statement (JWS). Its serial rises with every revocation. With If-None-Match it answers 304 while nothing changed.',
    access: everyone,
    reply: revocationListReply,
    handle: async ({ run, read, now, baseUrl }) => {
      const jws = await lists.at(now, read, await publicSigningKey(run), baseUrl)
      return answer(revocationListReply.of(jws), 200, { 'Cache-Control': LIST_CACHE })
    },
  }),
]
