import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { fits } from '#kernel/lib/record-states'
import type { States } from '#kernel/lib/record-states'
import { found, reject } from '#kernel/lib/rejection'
import { VersionArtifactAdded, VersionCreated, versionEvents, VersionPublished, VersionYanked } from './events.ts'

const ARTIFACTS_MAX = 50

export type Artifact = Omit<DataOf<typeof VersionArtifactAdded>, 'versionId' | 'artifactId'> & {
  readonly id: string
  readonly createdAt: string
}

export interface Version extends Omit<DataOf<typeof VersionCreated>, 'versionId'> {
  readonly id: string
  readonly status: 'DRAFT' | 'PUBLISHED' | 'YANKED'
  readonly artifacts: readonly Artifact[]
  readonly createdAt: string
  readonly publishedAt: string | null
  readonly yankedAt: string | null
}

export const DRAFT_VERSION = { status: ['DRAFT'] } as const satisfies States<Version>
export const UNYANKED_VERSION = { status: ['DRAFT', 'PUBLISHED'] } as const satisfies States<Version>

export const versions = decider(versionEvents, {
  initial: undefined as Version | undefined,
  evolve: {
    VersionCreated: (_none, { versionId, ...version }, at): Version => ({
      ...version,
      id: versionId,
      status: 'DRAFT',
      artifacts: [],
      createdAt: at.toISOString(),
      publishedAt: null,
      yankedAt: null,
    }),
    VersionArtifactAdded: (version, { versionId: _version, artifactId, ...artifact }, at): Version => ({
      ...version!,
      artifacts: [...version!.artifacts, { ...artifact, id: artifactId, createdAt: at.toISOString() }],
    }),
    VersionPublished: (version, _data, at): Version => ({
      ...version!,
      status: 'PUBLISHED',
      publishedAt: at.toISOString(),
    }),
    VersionYanked: (version, _data, at): Version => ({ ...version!, status: 'YANKED', yankedAt: at.toISOString() }),
  },
  commands: {
    CreateVersion: (_none, ask: DataOf<typeof VersionCreated>) => [VersionCreated(ask)],
    /** Adding the same file again changes nothing. */
    AddArtifact: (version, ask: Omit<DataOf<typeof VersionArtifactAdded>, 'versionId'>) => {
      const { id: versionId, artifacts } = requireDraft(version)
      const known = artifacts.find(({ name }) => name === ask.name)
      if (known?.sha256 === ask.sha256) return []
      if (known)
        reject('conflict', `The version already has another file ${ask.name}: choose another name`, 'ARTIFACT_EXISTS')
      if (artifacts.length >= ARTIFACTS_MAX)
        reject('conflict', `A version has at most ${ARTIFACTS_MAX} files`, 'TOO_MANY_ARTIFACTS')
      return [VersionArtifactAdded({ ...ask, versionId })]
    },
    PublishVersion: (version, _ask: object) => {
      const { id: versionId, status, artifacts } = found(version)
      if (status === 'PUBLISHED') return []
      if (status === 'YANKED')
        reject('conflict', 'The version is yanked and cannot be published again', 'VERSION_YANKED')
      if (artifacts.length === 0) reject('conflict', 'The version has no file yet: add one first', 'NO_ARTIFACT')
      return [VersionPublished({ versionId })]
    },
    YankVersion: (version, { reason }: { reason: string }) => {
      const known = found(version)
      return fits(known, UNYANKED_VERSION) ? [VersionYanked({ versionId: known.id, reason })] : []
    },
  },
})

/** @throws Rejection 404 · 409 for a published version */
export function requireDraft(version: Version | undefined): Version {
  const known = found(version)
  if (!fits(known, DRAFT_VERSION))
    reject('conflict', 'The version is published, so its files cannot change: create another version', 'VERSION_CLOSED')
  return known
}
