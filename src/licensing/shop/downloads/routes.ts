import { z } from 'zod'
import { route } from '#kernel/http/route'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { entitledVersions } from '#projections/licensing/versions'
import type { Channel, EntitledVersion } from '#projections/licensing/versions'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { downloadLink } from '../../versions/artifacts.ts'
import { CHANNELS } from '../../versions/events.ts'
import { Artifact } from '../../versions/views.ts'

/** The link alone gives access to the file, for 15 minutes. */
const Download = Artifact.extend({ url: z.string() })

const Release = z
  .object({
    id: z.uuid(),
    version: z.string(),
    channel: z.enum(CHANNELS),
    notes: z.string(),
    publishedAt: z.iso.datetime().nullable(),
    artifacts: z.array(Download),
  })
  .meta({ id: 'Release' })

/** The plans of the customer's licenses in effect, grace included. */
async function activePlanSlugs(read: ReadDatabase, customerId: string, now: Date): Promise<string[]> {
  const rows = licenseTable.queryIn(read).select('planSlug').distinct().where('customerId', '=', customerId)
  const held = await rows.where(effectiveStatusAt(now), 'in', ['ACTIVE', 'GRACE']).orderBy('planSlug').execute()
  return held.map(({ planSlug }) => planSlug)
}

async function entitledReleases(
  read: ReadDatabase,
  plans: readonly string[],
  channel: Channel | undefined,
): Promise<EntitledVersion[]> {
  const all = await Promise.all(plans.map((planSlug) => entitledVersions(read, { planSlug, channel })))
  const once = new Map(all.flat().map((each) => [each.id, each]))
  return [...once.values()].toSorted((one, other) => (one.publishedAt! < other.publishedAt! ? 1 : -1))
}

export const downloadRoutes = [
  route('GET /api/shop/downloads', {
    does: 'List the versions that my licenses entitle me to, newest first, with links to their files. A link is valid for 15 minutes.',
    access: customer,
    query: z.strictObject({ channel: z.enum(CHANNELS).optional() }),
    reply: z.object({ items: z.array(Release) }),
    async handle({ read, vault, baseUrl, caller, now, query }) {
      const plans = await activePlanSlugs(read, customerOf(caller).customerId, now)
      const versions = await entitledReleases(read, plans, query.channel)
      const linked = ({ artifacts, ...version }: EntitledVersion) =>
        Promise.all(
          artifacts.map(async (each) => ({ ...each, url: await downloadLink({ vault, baseUrl }, each.id, now) })),
        ).then((files) => ({ ...version, artifacts: files }))
      return { items: await Promise.all(versions.map(linked)) }
    },
  }),
]
