/** What a delivery says: only which branch or pull request has moved. It never says which commit is deployed. */
import { z } from 'zod'
import type { SignedDelivery } from '#kernel/http/signed-delivery'
import { reject } from '#kernel/lib/rejection'
import { PULL_REQUESTS } from './pull-requests.ts'
import type { PullRequestHint } from './pull-requests.ts'
import type { DeliverySender } from './signatures.ts'

/** PUSH: branches have new commits. OTHER: a ping, a tag, a branch that is gone, a pull request of a fork, or anything else. */
export type DeliveryHint =
  | { readonly kind: 'PUSH'; readonly branches: readonly string[] }
  | PullRequestHint
  | { readonly kind: 'OTHER' }

const OTHER: DeliveryHint = { kind: 'OTHER' }
const HEADS = 'refs/heads/'
/** The commit that git writes for nothing, in both of its hashes. */
const NO_COMMIT = /^0{40}(?:0{24})?$/

const Push = z.object({ ref: z.string(), after: z.string().optional(), deleted: z.boolean().optional() })
const PlainPush = z.object({ type: z.literal('push'), data: z.object({ ref: z.string() }) })
/** `new` is null for what is gone. One push may move many branches and tags. */
const BitbucketChange = z.object({ new: z.object({ type: z.string(), name: z.string() }).nullish() })
const BitbucketPush = z.object({ push: z.object({ changes: z.array(BitbucketChange) }) })

const pushOf = (branches: readonly string[]): DeliveryHint =>
  branches.length === 0 ? OTHER : { kind: 'PUSH', branches }
const branchIn = (ref: string): string[] => (ref.startsWith(HEADS) ? [ref.slice(HEADS.length)] : [])

/** The shape that GitHub, Gitea and GitLab share. */
function ofRef(body: unknown): DeliveryHint {
  const { data } = Push.safeParse(body)
  if (!data || data.deleted === true || (data.after !== undefined && NO_COMMIT.test(data.after))) return OTHER
  return pushOf(branchIn(data.ref))
}

function ofBitbucket(body: unknown): DeliveryHint {
  const changes = BitbucketPush.safeParse(body).data?.push.changes ?? []
  return pushOf(changes.flatMap(({ new: now }) => (now?.type === 'branch' ? [now.name] : [])))
}

function ofPlain(body: unknown): DeliveryHint {
  const { data } = PlainPush.safeParse(body)
  return data ? pushOf(branchIn(data.data.ref)) : OTHER
}

interface PushForm {
  /** The header that names the event. Undefined: the body does. */
  readonly header: string | undefined
  readonly push: string
  readonly read: (body: unknown) => DeliveryHint
}

const FORMS: Readonly<Record<DeliverySender, PushForm>> = {
  GITHUB: { header: 'x-github-event', push: 'push', read: ofRef },
  GITEA: { header: 'x-gitea-event', push: 'push', read: ofRef },
  GITLAB: { header: 'x-gitlab-event', push: 'Push Hook', read: ofRef },
  BITBUCKET: { header: 'x-event-key', push: 'repo:push', read: ofBitbucket },
  PLAIN: { header: undefined, push: 'push', read: ofPlain },
}

const EVENT = /^[\w:. -]{1,60}$/

/** The event as its sender names it, for the list of deliveries. */
export function eventOf(sender: DeliverySender, header: SignedDelivery['header']): string {
  const { header: name, push } = FORMS[sender]
  const event = name === undefined ? push : header(name)
  return event !== undefined && EVENT.test(event) ? event : 'unknown'
}

/** @throws Rejection 400 NOT_JSON */
export function hintOf(sender: DeliverySender, event: string, body: Buffer): DeliveryHint {
  const parsed = parseJson(body)
  const { push, read } = FORMS[sender]
  if (event === push) return read(parsed)
  const pullRequests = PULL_REQUESTS[sender]
  return pullRequests.events.some((each) => each === event) ? (pullRequests.read(parsed) ?? OTHER) : OTHER
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return reject('invalid', 'The delivery must be JSON: choose application/json at the provider', 'NOT_JSON')
  }
}
