/**
 * What a delivery says of a pull request: that it was opened, has new commits, or is closed. Which commit is deployed is read
 * from the repository, where its provider keeps the newest one.
 * Sources: the webhook pages of GitHub, Gitea 1.23, GitLab 17 and Bitbucket Cloud.
 */
import { z } from 'zod'
import { REF } from '../../../tasks/builds.ts'

export interface PullRequestHint {
  readonly kind: 'PULL_REQUEST'
  readonly number: number
  readonly isOpen: boolean
  /** When it became so, as the provider says. Null: it does not say. */
  readonly asOf: string | null
  /** Where its newest commit is in the repository that it goes into. */
  readonly ref: string
  /** The branch that it goes into. */
  readonly into: string
}

/** Undefined: it says nothing that a preview follows, or it is one of a fork. */
type Read = (body: unknown) => PullRequestHint | undefined

const number = z.int().min(1).max(999_999_999)
const branch = z.string()
const moment = z.string().nullish()

/** @returns null for a text that is no time */
function momentIn(text: string | null | undefined): string | null {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : new Date(ms).toISOString()
}

const Repository = z.object({ id: z.int() })
const GitHubLike = z.object({
  action: z.string(),
  number,
  pull_request: z.object({
    state: z.string(),
    updated_at: moment,
    /** Null: the fork is gone. */
    head: z.object({ repo: Repository.nullish() }),
    base: z.object({ ref: branch, repo: Repository }),
  }),
})
/** GitHub and Gitea have a word each for new commits. */
const FOLLOWED = ['opened', 'reopened', 'synchronize', 'synchronized', 'closed']

const ofGitHubLike: Read = (body) => {
  const { data } = GitHubLike.safeParse(body)
  if (!data || !FOLLOWED.includes(data.action)) return undefined
  const { state, updated_at: updatedAt, head, base } = data.pull_request
  if (head.repo?.id !== base.repo.id) return undefined
  const ref = `refs/pull/${data.number}/head`
  const isOpen = state === 'open' && data.action !== 'closed'
  return { kind: 'PULL_REQUEST', number: data.number, isOpen, asOf: momentIn(updatedAt), ref, into: base.ref }
}

const MergeRequest = z.object({
  object_attributes: z.object({
    iid: number,
    action: z.string().optional(),
    state: z.string(),
    updated_at: moment,
    /** The commit before those that are new. Absent: something else has changed. */
    oldrev: z.string().optional(),
    source_project_id: z.int().nullish(),
    target_project_id: z.int(),
    target_branch: branch,
  }),
})
const GITLAB_FOLLOWED = ['open', 'reopen', 'update', 'close', 'merge']

const ofGitLab: Read = (body) => {
  const of = MergeRequest.safeParse(body).data?.object_attributes
  if (!of || !GITLAB_FOLLOWED.includes(of.action ?? '')) return undefined
  if (of.source_project_id !== of.target_project_id) return undefined
  const isOpen = of.state === 'opened'
  if (isOpen && of.action === 'update' && of.oldrev === undefined) return undefined
  const ref = `refs/merge-requests/${of.iid}/head`
  return { kind: 'PULL_REQUEST', number: of.iid, isOpen, asOf: momentIn(of.updated_at), ref, into: of.target_branch }
}

const BitbucketEnd = z.object({
  branch: z.object({ name: branch }),
  repository: z.object({ uuid: z.string() }).nullish(),
})
const BitbucketPullRequest = z.object({
  pullrequest: z.object({
    id: number,
    state: z.string(),
    updated_on: moment,
    source: BitbucketEnd,
    destination: BitbucketEnd,
  }),
})

/** It keeps no commits of pull requests beside the branches themselves. */
const ofBitbucket: Read = (body) => {
  const of = BitbucketPullRequest.safeParse(body).data?.pullrequest
  const ref = `refs/heads/${of?.source.branch.name ?? ''}`
  if (!of?.source.repository || of.source.repository.uuid !== of.destination.repository?.uuid) return undefined
  if (!REF.test(ref)) return undefined
  const into = of.destination.branch.name
  const isOpen = of.state === 'OPEN'
  return { kind: 'PULL_REQUEST', number: of.id, isOpen, asOf: momentIn(of.updated_on), ref, into }
}

export const PULL_REQUESTS = {
  GITHUB: { events: ['pull_request'], read: ofGitHubLike },
  GITEA: { events: ['pull_request'], read: ofGitHubLike },
  GITLAB: { events: ['Merge Request Hook'], read: ofGitLab },
  BITBUCKET: {
    events: ['pullrequest:created', 'pullrequest:updated', 'pullrequest:fulfilled', 'pullrequest:rejected'],
    read: ofBitbucket,
  },
  /** A sender of one's own tells of pushes alone. */
  PLAIN: { events: [], read: () => undefined },
} as const satisfies Record<string, { readonly events: readonly string[]; readonly read: Read }>
