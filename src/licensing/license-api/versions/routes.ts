import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { unixSeconds } from '#kernel/lib/timestamps'
import { entitledVersions } from '#projections/licensing/versions'
import type { EntitledVersion } from '#projections/licensing/versions'
import { licenseSigned } from '../../access/access.ts'
import { licenseCallerOf, refuseSignature } from '../../access/license-caller.ts'
import { LICENSE_AUDIENCE } from '../../licenses/license-token.ts'
import { effectiveStatus } from '../../licenses/rules.ts'
import { downloadLink } from '../../versions/artifacts.ts'
import { CHANNELS } from '../../versions/events.ts'
import { Artifact } from '../../versions/views.ts'
import { nonceHash } from '../../workflows/leases/lease-signer.ts'
import { holdReasonOf, refuseUnusable } from '../../workflows/leases/reply.ts'

const STATEMENT_TYPE = 'daybook-versions+jwt'
const HOLDS_SECONDS = 3_600

const Version = z.object({
  version: z.string(),
  channel: z.enum(CHANNELS),
  notes: z.string(),
  publishedAt: z.iso.datetime(),
  artifacts: z.array(Artifact.extend({ url: z.url() })),
})

export const entitledVersionRoutes = [
  route('GET /api/v1/license/versions', {
    does: 'List the versions that the license entitles to, newest first, with files and links valid for 15 minutes, also as a signed JWS.',
    access: licenseSigned,
    query: z.strictObject({ channel: z.enum(CHANNELS).optional() }),
    reply: z.object({ items: z.array(Version), signed: z.string() }),
    async handle(call) {
      const { presented, instance, nonce, leases, limit } = licenseCallerOf(call)
      const { read, query, now } = call
      if (!presented.isCurrent) refuseSignature('a replaced license key cannot list versions')
      await limit('requests', now, instance?.id)
      const { license, subscription, customerStatus } = presented
      refuseUnusable(effectiveStatus(license, now, holdReasonOf(subscription.status, customerStatus) !== null))
      const entitled = await entitledVersions(read, { planSlug: presented.planSlug, ...query })
      const iat = unixSeconds(now)
      const statement = {
        iss: call.baseUrl,
        aud: LICENSE_AUDIENCE,
        lic: presented.keyId,
        iat,
        exp: iat + HOLDS_SECONDS,
        req: nonceHash(nonce),
        versions: entitled.map(versionStatementOf),
      }
      const items = await Promise.all(entitled.map((each) => toVersionReply(call, each)))
      return { items, signed: await leases.signPayload(statement, STATEMENT_TYPE) }
    },
  }),
]

const versionStatementOf = ({ version, channel, publishedAt, artifacts }: EntitledVersion) => ({
  version,
  channel,
  publishedAt,
  artifacts: artifacts.map(({ name, size, sha256 }) => ({ name, size, sha256 })),
})

async function toVersionReply(
  call: Pick<HandlerContext, 'vault' | 'baseUrl' | 'now'>,
  { version, channel, notes, ...rest }: EntitledVersion,
) {
  const linked = rest.artifacts.map(async (file) => ({ ...file, url: await downloadLink(call, file.id, call.now) }))
  return { version, channel, notes, publishedAt: rest.publishedAt!, artifacts: await Promise.all(linked) }
}
