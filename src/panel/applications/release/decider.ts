import { decider } from '#kernel/events/decider'
import type { DataOf } from '#kernel/events/event'
import { applicationReleaseEvents } from './events.ts'

interface KeptRelease {
  readonly deploymentId: string
  readonly imageIds: readonly string[]
}

export interface ApplicationRelease {
  /** The deployment whose containers run. Null: none. */
  readonly runningId: string | null
  /** The one that ran before it: its containers may still answer what they have begun. */
  readonly formerId: string | null
  /** Those whose images are kept, the newest first, whether it runs or not. */
  readonly kept: readonly KeptRelease[]
  /** The newest revision of the proxy; 0: it was told nothing. */
  readonly proxyRevision: number
  /** Whether its server may hold anything of it. */
  readonly isBegun: boolean
  /** Whether the proxy knows anything of it. */
  readonly isProxied: boolean
}

type About = Pick<
  DataOf<typeof applicationReleaseEvents.ApplicationStopped>,
  'applicationId' | 'previewId' | 'projectId' | 'environmentId'
>

const NONE: ApplicationRelease = {
  runningId: null,
  formerId: null,
  kept: [],
  isBegun: false,
  proxyRevision: 0,
  isProxied: false,
}

const sameImages = (one: KeptRelease, other: KeptRelease): boolean =>
  one.imageIds.length === other.imageIds.length && one.imageIds.every((imageId) => other.imageIds.includes(imageId))

/** A restart makes a release of the same images, which takes no place of another one. */
const distinct = (kept: readonly KeptRelease[]): KeptRelease[] =>
  kept.filter((each, nth) => kept.findIndex((other) => sameImages(each, other)) === nth)

/** Images that only releases beyond the newest ones have. @param keepImages of earlier releases */
function droppedOf(kept: readonly KeptRelease[], keepImages: number): string[] {
  const all = distinct(kept)
  const stays = new Set(all.slice(0, keepImages + 1).flatMap(({ imageIds }) => imageIds))
  return [...new Set(all.flatMap(({ imageIds }) => imageIds))].filter((imageId) => !stays.has(imageId))
}

/** What runs, or ran last. Undefined: it was never deployed. */
export const lastReleased = ({ runningId, kept }: ApplicationRelease): string | undefined =>
  runningId ?? kept[0]?.deploymentId

export const applicationReleases = decider(applicationReleaseEvents, {
  initial: NONE,
  evolve: {
    ApplicationBegun: (all) => ({ ...all, isBegun: true }),
    ApplicationReleased: (all, { deploymentId, imageIds, dropped }) => ({
      ...all,
      isBegun: true,
      runningId: deploymentId,
      formerId: all.runningId ?? all.formerId,
      kept: distinct([{ deploymentId, imageIds }, ...all.kept]).filter(
        (each) => !each.imageIds.some((imageId) => dropped.includes(imageId)),
      ),
    }),
    ApplicationStopped: (all) => ({ ...all, runningId: null, formerId: all.runningId ?? all.formerId }),
    ApplicationProxied: (all, { revision, isEmpty }) => ({ ...all, proxyRevision: revision, isProxied: !isEmpty }),
  },
  commands: {
    Begin: ({ isBegun }, { about }: { readonly about: About }) =>
      isBegun ? [] : [applicationReleaseEvents.ApplicationBegun(about)],
    Release: (
      all,
      { about, keepImages, ...release }: KeptRelease & { readonly about: About; readonly keepImages: number },
    ) => {
      const dropped = droppedOf([release, ...all.kept], keepImages)
      const { deploymentId, imageIds } = release
      return [
        applicationReleaseEvents.ApplicationReleased({ ...about, deploymentId, imageIds: [...imageIds], dropped }),
      ]
    },
    Stop: (all, { about, deploymentId }: { readonly about: About; readonly deploymentId: string }) =>
      all.runningId === null ? [] : [applicationReleaseEvents.ApplicationStopped({ ...about, deploymentId })],
    Proxy: ({ proxyRevision }, { about, isEmpty }: { readonly about: About; readonly isEmpty: boolean }) => [
      applicationReleaseEvents.ApplicationProxied({ ...about, revision: proxyRevision + 1, isEmpty }),
    ],
  },
})
