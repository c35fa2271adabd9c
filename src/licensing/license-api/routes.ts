import { z } from 'zod'
import { PublishedJwk } from '#kernel/credentials/jws'
import { answer, everyone, cachedJsonReply, cachedReply, route } from '#kernel/http/route'
import { createRevocationLists } from '../licenses/revocation-list.ts'
import { PUBLISHED_SECONDS } from '../signing-keys/decider.ts'
import { publishedKeys, publicSigningKey } from '../signing-keys/signing-key.ts'

const lists = createRevocationLists()
/** Revocations should be known soon; the bytes change once an hour. */
const LIST_CACHE = 'public, max-age=300'
const keySet = cachedJsonReply(z.object({ keys: z.array(PublishedJwk), manifest: z.string().nullable() }))
const revocationListReply = cachedReply('application/jose')

export const licenseApiRoutes = [
  route('GET /api/v1/license/keys', {
    does: 'Read the public keys that verify license keys, as a JWK set (RFC 7517) and as a manifest signed by the root key. Supports ETags.',
    access: everyone,
    reply: keySet,
    handle: async ({ run }) =>
      answer(keySet.of(await publishedKeys(run)), 200, { 'Cache-Control': `public, max-age=${PUBLISHED_SECONDS}` }),
  }),

  route('GET /api/v1/license/crl', {
    does: 'Read the list of license keys revoked before their end, as a signed JWS. Its serial rises with every revocation. Supports ETags.',
    access: everyone,
    reply: revocationListReply,
    handle: async ({ run, read, now, baseUrl }) => {
      const jws = await lists.at(now, read, await publicSigningKey(run), baseUrl)
      return answer(revocationListReply.of(jws), 200, { 'Cache-Control': LIST_CACHE })
    },
  }),
]
