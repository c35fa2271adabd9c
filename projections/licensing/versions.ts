import type { ReadDatabase } from '#kernel/projections/read-database'
import { id, integer, key, nullable, oneOf, readModel, sql, text, timestamptz } from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import type { CHANNELS } from '#licensing/versions/events'
import { versionEvents } from '#licensing/versions/events'

export type Channel = (typeof CHANNELS)[number]

const columns = {
  id: key,
  version: text,
  channel: oneOf<Channel>(),
  notes: text,
  minPlan: nullable(text),
  status: oneOf<'DRAFT' | 'PUBLISHED' | 'YANKED'>(),
  createdAt: timestamptz,
  publishedAt: nullable(timestamptz),
  yankedAt: nullable(timestamptz),
}

export type VersionRow = RowOf<typeof columns>

export const versionTable = readModel('versions', 1, columns, ['(created_at, id)', '(published_at, id)'])
  .from(versionEvents, {
    VersionCreated: (table, { versionId, ...version }, { at }) =>
      table.insert({ ...version, id: versionId, status: 'DRAFT', createdAt: at, publishedAt: null, yankedAt: null }),
    VersionPublished: (table, { versionId }, { at }) =>
      table.update({ id: versionId }, { status: 'PUBLISHED', publishedAt: at }),
    VersionYanked: (table, { versionId }, { at }) =>
      table.update({ id: versionId }, { status: 'YANKED', yankedAt: at }),
  })
  .forGate()

const artifactColumns = {
  id: key,
  versionId: id,
  name: text,
  size: integer,
  sha256: text,
  kid: text,
  signature: text,
  createdAt: timestamptz,
}

export type ArtifactRow = RowOf<typeof artifactColumns>

export const artifactTable = readModel('artifacts', 1, artifactColumns, ['(version_id, name)']).from(versionEvents, {
  VersionArtifactAdded: (table, { artifactId, ...artifact }, { at }) =>
    table.insert({ ...artifact, id: artifactId, createdAt: at }),
})

export interface EntitledVersion extends VersionRow {
  readonly artifacts: readonly ArtifactRow[]
}

const ENTITLED_MAX = 100

/**
 * Versions that a license of this plan may download, newest first: published, not yanked, and open
 * to the plan. A version with a minPlan is open to that plan and to dearer plans. A plan is dearer
 * if both have the same currency, share a billing cycle, and it costs at least as much in every
 * shared cycle.
 */
export async function entitledVersions(
  read: ReadDatabase,
  { planSlug, channel }: { planSlug: string; channel?: Channel | undefined },
): Promise<EntitledVersion[]> {
  const published = versionTable
    .queryIn(read)
    .selectAll()
    .where('status', '=', 'PUBLISHED')
    .where(isIncludedInPlan(planSlug))
  const rows: VersionRow[] = await (channel === undefined ? published : published.where('channel', '=', channel))
    .orderBy('publishedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(ENTITLED_MAX)
    .execute()
  const artifacts = await artifactsOf(read, rows)
  return rows.map((row) => ({ ...row, artifacts: artifacts.get(row.id) ?? [] }))
}

const isIncludedInPlan = (planSlug: string) => sql<boolean>`(min_plan IS NULL OR min_plan = ${planSlug} OR EXISTS (
  SELECT FROM read.plans AS held JOIN read.plans AS least ON least.slug = min_plan,
    LATERAL (SELECT ${priceIn('held', 'monthly')} >= ${priceIn('least', 'monthly')},
      ${priceIn('held', 'yearly')} >= ${priceIn('least', 'yearly')}) AS dearer (monthly, yearly)
  WHERE held.slug = ${planSlug} AND held.currency = least.currency
    AND monthly IS NOT FALSE AND yearly IS NOT FALSE AND (monthly OR yearly)))`

/** Null if the plan is not offered in that cycle. */
const priceIn = (plan: 'held' | 'least', cycle: 'monthly' | 'yearly') =>
  sql<number | null>`CASE WHEN ${sql.ref(`${plan}.free`)} THEN 0 ELSE ${sql.ref(`${plan}.price_${cycle}`)} END`

/** By version id, ordered by name. */
export async function artifactsOf(
  read: ReadDatabase,
  versions: readonly { readonly id: string }[],
): Promise<ReadonlyMap<string, readonly ArtifactRow[]>> {
  if (versions.length === 0) return new Map()
  const ids = versions.map((each) => each.id)
  const rows: ArtifactRow[] = await artifactTable
    .queryIn(read)
    .selectAll()
    .where('versionId', 'in', ids)
    .orderBy('name')
    .execute()
  return Map.groupBy(rows, ({ versionId }) => versionId)
}
