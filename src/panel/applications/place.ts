/** What is deployed: an application, or a preview of one of its pull requests, which is told as an application of its own. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { DEPLOYED_KINDS } from '../../tasks/releases.ts'
import { applications } from './decider.ts'
import type { Application } from './decider.ts'
import { previews } from './previews/decider.ts'
import type { Preview } from './previews/decider.ts'

export interface Workload {
  readonly kind: (typeof DEPLOYED_KINDS)[number]
  readonly id: string
}

export interface Place extends Application {
  /** Whose its containers, images, volumes and hosts are. What runs of it, and its turn in the lane, go by its id. */
  readonly workload: Workload
  /** Null: the application itself. */
  readonly preview: Pick<Preview, 'id' | 'pullRequest'> | null
  /** Where its names mean something. Previews are alone in theirs: their code was not reviewed yet. */
  readonly networkId: string
  /** The first label of its clean URL. */
  readonly label: string
  /** What follows it. Null: the setting. */
  readonly domain: string | null
}

export const placeOf = (application: Application): Place => ({
  ...application,
  workload: { kind: 'APPLICATION', id: application.id },
  preview: null,
  networkId: application.environmentId,
  label: application.slug,
  domain: null,
})

/** Slugs are unique in the installation, so these are. */
export const previewLabel = (
  { slug }: Pick<Application, 'slug'>,
  { pullRequest }: Pick<Preview, 'pullRequest'>,
): string => `pr-${pullRequest}--${slug}`

/** A preview has no ports of its server, and keeps no images but those that it runs. */
export function previewPlace(application: Application, preview: Preview): Place {
  const { source } = application
  return {
    ...application,
    source: source.kind === 'GIT' ? { ...source, branch: preview.ref } : source,
    keepImages: 0,
    urlMode: 'CLEAN',
    urlPort: null,
    bindIp: null,
    outboundIp: null,
    ports: {},
    workload: { kind: 'PREVIEW', id: preview.id },
    preview,
    networkId: preview.id,
    label: previewLabel(application, preview),
    domain: application.previews.baseDomain ?? '',
  }
}

export interface PlaceRef {
  readonly applicationId: string
  /** Null: the application itself. */
  readonly previewId: string | null
}

/** Undefined once the application is deleted, or the preview is closed. */
export async function placeAt(unit: UnitOfWork, { applicationId, previewId }: PlaceRef): Promise<Place | undefined> {
  const application = await unit.look(applications, applicationId)
  if (!application || previewId === null) return application && placeOf(application)
  const preview = (await unit.look(previews, applicationId)).open[previewId]
  return preview && previewPlace(application, preview)
}
