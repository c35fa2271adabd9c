import { z } from 'zod'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import { inState } from '#kernel/http/in-state'
import { listReply, pagination } from '#kernel/http/pagination'
import { answer, bytesReply, everyone, route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { reasonSchema } from '#kernel/lib/display-text'
import { fileStorage } from '#kernel/lib/files'
import { Rejection, found, reject } from '#kernel/lib/rejection'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { artifactTable, artifactsOf, versionTable } from '#projections/licensing/versions'
import type { VersionRow } from '#projections/licensing/versions'
import { staff, staffOrToken } from '../access/access.ts'
import { slug } from '../plans/events.ts'
import { currentSigningKey } from '../signing-keys/signing-key.ts'
import { planBySlug } from '../workflows/subscriptions/issue-license.ts'
import { artifactFile, isDownloadLink, signArtifact } from './artifacts.ts'
import { DRAFT_VERSION, UNYANKED_VERSION, requireDraft, versions } from './decider.ts'
import type { Version as VersionState } from './decider.ts'
import { CHANNELS, artifactName, versionNumber } from './events.ts'
import { Artifact, instant } from './views.ts'

const ARTIFACT_BYTES_MAX = 2 * 1024 ** 3

const NOTES_CHARACTERS_MAX = 20_000

const Version = z
  .object({
    id: z.uuid(),
    version: z.string(),
    channel: z.enum(CHANNELS),
    notes: z.string(),
    minPlan: z.string().nullable(),
    status: z.enum(['DRAFT', 'PUBLISHED', 'YANKED']),
    createdAt: instant,
    publishedAt: instant.nullable(),
    yankedAt: instant.nullable(),
    artifacts: z.array(Artifact),
  })
  .meta({ id: 'Version' })

const NewVersion = z.strictObject({
  version: versionNumber,
  channel: z.enum(CHANNELS).default('stable'),
  notes: z.string().max(NOTES_CHARACTERS_MAX).default(''),
  minPlan: slug.nullable().default(null),
})

const Upload = z.strictObject({
  name: artifactName,
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .optional()
    .describe('The SHA-256 of the file: a file that was damaged during the upload is refused.'),
})

const versionList = pagination({
  filters: {
    status: Version.shape.status.optional(),
    channel: Version.shape.channel.optional(),
    version: versionNumber.optional(),
  },
  sort: ['createdAt', 'version'],
})

const toVersionReply = ({ artifacts, ...version }: VersionState) => ({ ...version, artifacts: [...artifacts] })

async function withArtifacts(read: ReadDatabase, rows: readonly VersionRow[]) {
  const artifacts = await artifactsOf(read, rows)
  return rows.map((row) => ({ ...row, artifacts: [...(artifacts.get(row.id) ?? [])] }))
}

const decideVersion = (
  run: HandlerContext['run'],
  id: string,
  command: 'PublishVersion' | 'YankVersion',
  ask: { reason: string },
) =>
  run(async (unit) => {
    await unit.decide(versions, id, command, ask)
    return toVersionReply(found(await unit.load(versions, id)))
  })

/**
 * Writes the file first, then the event that names it. If the event is rejected, the file is
 * removed. If the event may have been recorded, the file stays, because a version without its file
 * is worse.
 */
async function addArtifact(call: HandlerContext<{ id: string }, z.output<typeof Upload>>) {
  const { run, params, query, baseUrl, upload } = call
  const kept = call.service(fileStorage)
  const draft = requireDraft(await run((unit) => unit.look(versions, params.id)))
  const { artifactId, signedWith, at } = await run(async (unit) => ({
    artifactId: unit.newId(),
    signedWith: await currentSigningKey(unit),
    at: unit.at,
  }))
  const file = artifactFile(artifactId)
  const { size, sha256 } = await kept.save(file, upload())
  try {
    if (query.sha256 !== undefined && query.sha256 !== sha256)
      reject('invalid', 'The SHA-256 of the received file differs from sha256: upload the file again', 'DIGEST_DIFFERS')
    const { name } = query
    const signature = signArtifact({ iss: baseUrl, ver: draft.version, name, size, sha256 }, signedWith, at)
    const artifact = await run(async (unit) => {
      const ask = { artifactId, name, size, sha256, kid: signedWith.kid, signature }
      await unit.decide(versions, params.id, 'AddArtifact', ask)
      return found((await unit.load(versions, params.id))!.artifacts.find((each) => each.name === name))
    })
    if (artifact.id !== artifactId) await kept.remove(file)
    return answer(artifact, artifact.id === artifactId ? 201 : 200)
  } catch (error) {
    if (error instanceof Rejection && error.statusCode < 500) await kept.remove(file)
    throw error
  }
}

export const versionRoutes = [
  route('GET /api/admin/versions', {
    does: 'List versions with their files.',
    access: staff('versions:manage'),
    query: versionList.query,
    reply: listReply(Version),
    async handle({ read, query }) {
      const page = await versionList.list(versionTable.queryIn(read).selectAll(), query)
      return { ...page, items: await withArtifacts(read, page.items) }
    },
  }),

  route('GET /api/admin/versions/:id', {
    does: 'Read a version with its files.',
    access: staff('versions:manage'),
    reply: Version,
    async handle({ read, params }) {
      const [version] = await withArtifacts(read, [found(await findRow(read, versionTable, params))])
      return version!
    },
  }),

  route('POST /api/admin/versions', {
    does: 'Create a version as a draft. `minPlan` limits it to that plan and to dearer plans in the same currency.',
    access: staffOrToken('versions:manage'),
    status: 201,
    body: NewVersion,
    reply: Version,
    handle: ({ run, body }) =>
      run(async (unit) => {
        if (body.minPlan !== null && !(await planBySlug(unit, body.minPlan)))
          reject('invalid', `Plan ${body.minPlan} does not exist`, 'PLAN_UNKNOWN')
        const versionId = unit.newId()
        await unit.decide(versions, versionId, 'CreateVersion', { versionId, ...body })
        return toVersionReply((await unit.load(versions, versionId))!)
      }).catch((error: unknown) => {
        if (!(error instanceof UniqueConstraintViolation)) throw error
        return reject('conflict', `Version ${body.version} already exists`, 'VERSION_TAKEN')
      }),
  }),

  route('POST /api/admin/versions/:id/artifacts', {
    does: 'Add a file to a draft, at most 2 GiB. The body is the file; it is signed with the current key. The same file again returns 200.',
    access: staffOrToken('versions:manage'),
    from: inState(Version, DRAFT_VERSION),
    query: Upload,
    upload: { bytesMax: ARTIFACT_BYTES_MAX },
    status: [201, 200],
    reply: Artifact,
    handle: addArtifact,
  }),

  route('POST /api/admin/versions/:id/publish', {
    does: 'Publish a version: panels and customers that may have it see it. Its files can no longer change.',
    access: staff('versions:manage'),
    from: inState(Version, DRAFT_VERSION),
    reply: Version,
    handle: ({ run, params }) => decideVersion(run, params.id, 'PublishVersion', { reason: '' }),
  }),

  route('POST /api/admin/versions/:id/yank', {
    does: 'Withdraw a version: it is no longer offered. Do not put personal data in the reason.',
    access: staff('versions:manage'),
    from: inState(Version, UNYANKED_VERSION),
    body: z.strictObject({ reason: reasonSchema(500) }),
    reply: Version,
    handle: ({ run, params, body }) => decideVersion(run, params.id, 'YankVersion', body),
  }),

  route('GET /api/versions/artifacts/:id', {
    does: 'Download a file by its link. The link is valid for 15 minutes, and only while the version is published.',
    access: everyone,
    query: z.strictObject({ until: z.coerce.number().int().min(0).max(9_999_999_999), signature: z.string().max(64) }),
    reply: bytesReply('application/octet-stream'),
    async handle(call) {
      const { params, query } = call
      const isGood = await isDownloadLink(call.vault, { artifactId: params.id, ...query }, call.now)
      const artifact = found(isGood ? await publishedArtifact(call.read, params.id) : undefined)
      const bytes = found(await call.service(fileStorage).read(artifactFile(artifact.id)))
      return answer(bytes, 200, {
        'Content-Length': String(artifact.size),
        'Content-Disposition': `attachment; filename="${artifact.name}"`,
      })
    },
  }),
]

const publishedArtifact = (read: ReadDatabase, id: string) =>
  artifactTable
    .queryIn(read)
    .selectAll()
    .where('id', '=', id)
    .where((is) =>
      is.exists(
        versionTable
          .queryIn(read)
          .select('id')
          .where('status', '=', 'PUBLISHED')
          .whereRef('versions.id', '=', 'artifacts.versionId' as never),
      ),
    )
    .executeTakeFirst()
