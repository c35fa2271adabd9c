/** Previews: an application as one of its pull requests would make it, with an address of its own. */
import { z } from 'zod'
import { eventsAbout, internal, stream } from '#kernel/events/event'
import { aboutApplication } from '../about/events.ts'

export const previewFields = {
  enabled: z.boolean(),
  /** Their addresses are names under it. Null: they have none, so that previews are disabled. */
  baseDomain: z.string().nullable(),
  /** Of previews at once. */
  limit: z.int(),
  /** A preview goes when its pull request was left alone for so long. */
  idleDays: z.int(),
  /** The only variables that they get. Null: those of the application that are no secrets. */
  setId: z.uuid().nullable(),
}

export type PreviewSettings = z.output<z.ZodObject<typeof previewFields>>

export const NO_PREVIEWS: PreviewSettings = { enabled: false, baseDomain: null, limit: 5, idleDays: 7, setId: null }

/** Events of the stream of an application. */
export const previewSettingEvents = eventsAbout(aboutApplication)({
  ApplicationPreviewsConfigured: {
    fields: previewFields,
    sentence: ({ applicationId, enabled, baseDomain, limit, idleDays }) =>
      `turned previews of application ${applicationId} ${enabled ? 'on' : 'off'}: under ${baseDomain ?? 'no domain'}, ` +
      `at most ${limit}, each for ${idleDays} idle days`,
  },
})

/** Why a preview goes. IDLE: it had no new commits for a time. SOURCE: the application comes from another repository. */
export const CLOSED_WHYS = ['PULL_REQUEST', 'REMOVED', 'IDLE', 'DISABLED', 'SOURCE', 'MOVED', 'APPLICATION'] as const

const about = { previewId: z.uuid(), ...aboutApplication }
const pullRequest = z.int()
/** The time of which the provider has told: what is older decides nothing. */
const asOf = internal(z.iso.datetime())

interface OfPullRequest {
  readonly applicationId: string
  readonly pullRequest: number
}
const pullRequestClaim = ({ applicationId, pullRequest: number }: OfPullRequest) => ({
  scope: 'previewPullRequest',
  key: `${applicationId}/${number}`,
})

const events = eventsAbout(about)({
  PreviewOpened: {
    fields: {
      serverId: z.uuid(),
      pullRequest,
      /** What is fetched: where the repository keeps the newest commit of the pull request. */
      ref: z.string(),
      /** Its address, which the number counts in. */
      repository: z.string(),
      asOf,
    },
    sentence: ({ previewId, applicationId, pullRequest: number }) =>
      `opened preview ${previewId} of pull request ${number} of application ${applicationId}`,
    takes: (opened) => [pullRequestClaim(opened)],
  },
  PreviewUpdated: {
    fields: { deploymentId: z.uuid(), asOf },
    sentence: ({ previewId, deploymentId }) => `asked for deployment ${deploymentId} of preview ${previewId}`,
  },
  PreviewClosed: {
    fields: {
      serverId: z.uuid(),
      pullRequest,
      why: z.enum(CLOSED_WHYS),
      asOf,
      /** False: its pull request was closed before anything was heard of it. */
      wasOpen: internal(z.boolean()),
    },
    sentence: ({ previewId, applicationId, pullRequest: number, why }) =>
      `closed preview ${previewId} of pull request ${number} of application ${applicationId} (${why})`,
    strict: true,
    releases: (closed) => (closed.wasOpen ? [pullRequestClaim(closed)] : []),
  },
})

/** One stream for each application: how many are open is a rule over all of its previews. */
export const previewEvents = stream('previews', events)
