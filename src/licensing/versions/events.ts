/** A version is a release of the panel: its files, who may download it, and whether it is still offered. */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

export const CHANNELS = ['stable', 'beta'] as const

const versionId = z.uuid()

/** Semantic Versioning 2.0.0, without build metadata, which has no order. */
export const versionNumber = z
  .string()
  .max(64)
  .regex(
    /^(?:0|[1-9]\d*)(?:\.(?:0|[1-9]\d*)){2}(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?$/,
    'must be a semantic version such as 1.4.0 or 2.0.0-beta.1',
  )

/** A file name without characters that are special in a path, a header or a shell. */
export const artifactName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'must be letters, digits, dots, dashes and underscores')

export const VersionCreated = event(
  'VersionCreated',
  'versionId',
  {
    versionId,
    version: versionNumber,
    channel: z.enum(CHANNELS),
    notes: z.string(),
    /** The slug of the cheapest plan that may download the version; null: any plan. */
    minPlan: z.string().nullable(),
  },
  ({ versionId, version, channel }) => `created version ${versionId} (${version}, ${channel})`,
  { takes: ({ version }) => [{ scope: 'version', key: version }] },
)

export const VersionArtifactAdded = event(
  'VersionArtifactAdded',
  'versionId',
  {
    versionId,
    artifactId: z.uuid(),
    name: artifactName,
    size: z.int(),
    /** Hex. */
    sha256: z.string(),
    kid: z.string(),
    /** A JWS over all these fields. */
    signature: z.string(),
  },
  ({ versionId, name, sha256 }) => `added ${name} (${sha256}) to version ${versionId}`,
)

export const VersionPublished = event(
  'VersionPublished',
  'versionId',
  { versionId },
  ({ versionId }) => `published version ${versionId}`,
)

/**
 * The version is no longer offered. The reason is stored in plain text, so it must not contain
 * personal data.
 */
export const VersionYanked = event(
  'VersionYanked',
  'versionId',
  { versionId, reason: z.string() },
  ({ versionId, reason }) => `yanked version ${versionId} (${reason})`,
  { strict: true },
)

/** One stream per version: its files are complete before it is published and never change afterwards. */
export const versionEvents = stream('version', [VersionCreated, VersionArtifactAdded, VersionPublished, VersionYanked])
