/** Deliveries as git providers send them: the published payloads of GitHub, those of others in their published shapes. */
import { createHmac, randomUUID } from 'node:crypto'
import examples from '@octokit/webhooks-examples'
import { Webhook } from 'standardwebhooks'

export interface Delivery {
  readonly headers: Record<string, string>
  readonly body: string
}

const hmac = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex')

interface GitHubExample {
  readonly name: string
  readonly examples: readonly Record<string, unknown>[]
}

/** The published examples of one event. */
export const gitHubExamples = (event: string): readonly Record<string, unknown>[] =>
  (examples as unknown as readonly GitHubExample[]).find(({ name }) => name === event)!.examples

const BRANCH = 'main'
const [COMMIT, ZERO] = ['a'.repeat(40), '0'.repeat(40)]
const EXAMPLE = gitHubExamples('push').find(({ deleted, ref }) => deleted === false && String(ref).includes('heads'))!

const textOf = (payload: unknown): string => (typeof payload === 'string' ? payload : JSON.stringify(payload))

export function fromGitHub(secret: string, event: string, payload: unknown, id: string = randomUUID()): Delivery {
  const body = textOf(payload)
  const signature = `sha256=${hmac(secret, body)}`
  return { headers: { 'x-github-event': event, 'x-github-delivery': id, 'x-hub-signature-256': signature }, body }
}

let pushes = 0
/** Each has other bytes, as each push has. */
export const gitHubPush = (branch = BRANCH, more: object = {}) => ({
  ...EXAMPLE,
  ref: `refs/heads/${branch}`,
  after: COMMIT,
  nth: (pushes += 1),
  ...more,
})

/** Gitea sends the headers of GitHub, too. */
export function fromGitea(secret: string, event: string, payload: unknown, id: string = randomUUID()): Delivery {
  const body = textOf(payload)
  const own = { 'x-gitea-event': event, 'x-gitea-delivery': id, 'x-gitea-signature': hmac(secret, body) }
  return { headers: { ...fromGitHub(secret, event, body, id).headers, ...own }, body }
}

export const giteaPush = (branch = BRANCH, more: object = {}) => ({
  ref: `refs/heads/${branch}`,
  before: ZERO,
  after: COMMIT,
  compare_url: '',
  commits: [],
  total_commits: 1,
  repository: { id: 1, full_name: 'ada/shop', default_branch: 'main' },
  pusher: { id: 1, login: 'ada' },
  nth: (pushes += 1),
  ...more,
})

/** Without a signing token, GitLab sends the secret itself. */
export function fromGitLab(secret: string, event: string, payload: unknown, id: string = randomUUID()): Delivery {
  return {
    headers: { 'x-gitlab-event': event, 'x-gitlab-event-uuid': id, 'x-gitlab-token': secret },
    body: textOf(payload),
  }
}

export const gitLabPush = (branch = BRANCH, more: object = {}) => ({
  object_kind: 'push',
  event_name: 'push',
  before: ZERO,
  after: COMMIT,
  ref: `refs/heads/${branch}`,
  checkout_sha: COMMIT,
  user_id: 4,
  project_id: 15,
  total_commits_count: 1,
  nth: (pushes += 1),
  ...more,
})

/** The headers of Standard Webhooks, made by its own library. */
export function standard(
  secret: string,
  body: string,
  at: Date,
  id: string = `msg_${randomUUID()}`,
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': new Webhook(secret).sign(id, at, body),
  }
}

/** With a signing token, it sends both. */
export function signedByGitLab(secret: string, payload: unknown, at: Date, token = secret): Delivery {
  const plain = fromGitLab(token, 'Push Hook', payload)
  return { body: plain.body, headers: { ...plain.headers, ...standard(secret, plain.body, at) } }
}

export function fromBitbucket(secret: string, event: string, payload: unknown, id: string = randomUUID()): Delivery {
  const body = textOf(payload)
  const signature = `sha256=${hmac(secret, body)}`
  return { headers: { 'x-event-key': event, 'x-request-uuid': id, 'x-hub-signature': signature }, body }
}

const bitbucketRef = (type: string, name: string) => ({ type, name, target: { type: 'commit', hash: COMMIT } })

export const bitbucketPush = (branch = BRANCH, more: readonly object[] = []) => ({
  actor: { nickname: 'ada', type: 'user' },
  repository: { full_name: 'ada/shop', type: 'repository' },
  push: { changes: [{ new: bitbucketRef('branch', branch), old: null, created: false, closed: false }, ...more] },
  nth: (pushes += 1),
})

export const bitbucketTag = { new: bitbucketRef('tag', BRANCH), old: null, created: true, closed: false }
export const bitbucketGone = { new: null, old: bitbucketRef('branch', BRANCH), created: false, closed: true }

/** A sender of one's own. */
export function fromPlain(secret: string, payload: unknown, at: Date, id?: string): Delivery {
  const body = textOf(payload)
  return { headers: standard(secret, body, at, id), body }
}

export const plainPush = (branch = BRANCH) => ({
  type: 'push',
  data: { ref: `refs/heads/${branch}` },
  nth: (pushes += 1),
})
