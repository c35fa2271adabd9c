/** Deliveries about pull requests: the published payload of GitHub, those of others in their published shapes. */
import { fromBitbucket, fromGitea, fromGitHub, fromGitLab, gitHubExamples } from './deliveries.ts'
import type { Delivery } from './deliveries.ts'

export interface Told {
  readonly number?: number
  /** Of the provider. */
  readonly at?: string
  /** Whether it comes from another repository. */
  readonly isFork?: boolean
  /** The branch that it goes into. */
  readonly into?: string
  readonly nth?: number
}

/** In the words of no provider. */
export type Happened = 'opened' | 'pushed' | 'reopened' | 'closed' | 'labeled'

const [HOME, FORK] = [186_853_002, 99]
let times = 0
/** Each delivery has bytes of its own. */
const next = (): number => (times += 1)
const complete = ({ number = 7, at = '2026-06-01T12:00:00Z', isFork = false, into = 'main' }: Told) => ({
  number,
  at,
  into,
  fromId: isFork ? FORK : HOME,
  nth: next(),
})

const isOver = (what: Happened): boolean => what === 'closed'

/** As GitHub has published one, with what the test asks for. */
export function gitHubPullRequest(what: Happened, told: Told = {}) {
  const { number, at, into, fromId, nth } = complete(told)
  const action = what === 'pushed' ? 'synchronize' : what
  const example = gitHubExamples('pull_request').find((each) => each['action'] === action) as any
  const { head, base, ...pullRequest } = example.pull_request
  const [headRepo, baseRepo] = [
    { ...head.repo, id: fromId },
    { ...base.repo, id: HOME },
  ]
  return {
    ...example,
    number,
    nth,
    pull_request: {
      ...pullRequest,
      number,
      state: isOver(what) ? 'closed' : 'open',
      updated_at: at,
      head: { ...head, repo: headRepo },
      base: { ...base, ref: into, repo: baseRepo },
    },
  }
}

/** Gitea 1.23: `PullRequestPayload`. */
export function giteaPullRequest(what: Happened, told: Told = {}) {
  const { number, at, into, fromId, nth } = complete(told)
  const repo = (id: number) => ({ id, full_name: id === HOME ? 'ada/shop' : 'eve/shop' })
  const commit = 'a'.repeat(40)
  return {
    action: what === 'pushed' ? 'synchronized' : what,
    number,
    nth,
    pull_request: {
      id: 1,
      number,
      state: isOver(what) ? 'closed' : 'open',
      merged: false,
      updated_at: at,
      head: { label: 'next', ref: 'next', sha: commit, repo_id: fromId, repo: repo(fromId) },
      base: { label: into, ref: into, sha: commit, repo_id: HOME, repo: repo(HOME) },
    },
    repository: repo(HOME),
    sender: { id: 1, login: 'ada' },
  }
}

const GITLAB_ACTIONS = { opened: 'open', pushed: 'update', reopened: 'reopen', closed: 'merge', labeled: 'update' }

/** GitLab 17: "Merge request events". */
export function gitLabMergeRequest(what: Happened, told: Told = {}) {
  const { number, at, into, fromId, nth } = complete(told)
  return {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: { id: 1, username: 'ada' },
    project: { id: HOME, path_with_namespace: 'ada/shop' },
    object_attributes: {
      id: 99,
      iid: number,
      target_branch: into,
      source_branch: 'next',
      source_project_id: fromId,
      target_project_id: HOME,
      state: isOver(what) ? 'merged' : 'opened',
      action: GITLAB_ACTIONS[what],
      updated_at: at,
      last_commit: { id: 'a'.repeat(40) },
      ...(what === 'pushed' ? { oldrev: 'b'.repeat(40) } : {}),
    },
    nth,
  }
}

/** Bitbucket Cloud: "Pull request events". */
export function bitbucketPullRequest(what: Happened, told: Told & { readonly branch?: string } = {}) {
  const { number, at, into, fromId, nth } = complete(told)
  const end = (name: string, id: number) => ({
    branch: { name },
    commit: { hash: 'a'.repeat(12) },
    repository: { full_name: 'ada/shop', uuid: `{${id}}` },
  })
  return {
    actor: { nickname: 'ada', type: 'user' },
    repository: { full_name: 'ada/shop', type: 'repository' },
    pullrequest: {
      id: number,
      title: 'Add a shop',
      state: isOver(what) ? 'MERGED' : 'OPEN',
      updated_on: at,
      source: end(told.branch ?? 'next', fromId),
      destination: end(into, HOME),
    },
    nth,
  }
}

const BITBUCKET_EVENTS = {
  opened: 'pullrequest:created',
  pushed: 'pullrequest:updated',
  reopened: 'pullrequest:updated',
  closed: 'pullrequest:fulfilled',
  labeled: 'pullrequest:approved',
}

export const PULL_REQUEST_SENDERS = ['GITHUB', 'GITEA', 'GITLAB', 'BITBUCKET'] as const
export type PullRequestSender = (typeof PULL_REQUEST_SENDERS)[number]

const DELIVERED: Readonly<Record<PullRequestSender, (secret: string, what: Happened, told: Told) => Delivery>> = {
  GITHUB: (secret, what, told) => fromGitHub(secret, 'pull_request', gitHubPullRequest(what, told)),
  GITEA: (secret, what, told) => fromGitea(secret, 'pull_request', giteaPullRequest(what, told)),
  GITLAB: (secret, what, told) => fromGitLab(secret, 'Merge Request Hook', gitLabMergeRequest(what, told)),
  BITBUCKET: (secret, what, told) => fromBitbucket(secret, BITBUCKET_EVENTS[what], bitbucketPullRequest(what, told)),
}

export const deliveredBy = (sender: PullRequestSender, secret: string, what: Happened, told: Told = {}): Delivery =>
  DELIVERED[sender](secret, what, told)

/** Where each of them keeps the newest commit. */
export const REF_OF: Readonly<Record<PullRequestSender, (number: number) => string>> = {
  GITHUB: (number) => `refs/pull/${number}/head`,
  GITEA: (number) => `refs/pull/${number}/head`,
  GITLAB: (number) => `refs/merge-requests/${number}/head`,
  BITBUCKET: () => 'refs/heads/next',
}
