/**
 * Webhooks of repositories, which deliver pushes and pull requests.
 * Sources: the REST APIs of GitHub (2022-11-28), Gitea 1.23, GitLab v4 and Bitbucket Cloud 2.0: repository webhooks.
 */
import { z } from 'zod'
import { allPages, encoded } from './forge-calls.ts'
import type { ForgeCalls } from './forge-calls.ts'
import type { PushHook } from './git-reader.ts'

const PAGE = 50
const HOOKS_MAX = 500

interface KnownHook {
  readonly id: string | number
  readonly url: string | undefined
}

interface HookApi {
  /** One page of those that are there. */
  list(page: number): Promise<readonly KnownHook[]>
  create(): Promise<void>
  change(id: string | number): Promise<void>
}

async function putHook({ url }: PushHook, { list, create, change }: HookApi): Promise<void> {
  const known = await allPages(list, { size: PAGE, most: HOOKS_MAX })
  const same = known.find((each) => each.url === url)
  await (same ? change(same.id) : create())
}

const Configured = z.array(z.object({ id: z.int(), config: z.object({ url: z.string().optional() }) }))

/** What GitHub and Gitea have in common. */
const putConfigured = (
  calls: ForgeCalls,
  repo: string,
  hook: PushHook,
  { sizeName, name, more }: { sizeName: string; name: object; more: object },
): Promise<void> => {
  const path = `/repos/${encoded(repo)}/hooks`
  const config = { url: hook.url, content_type: 'json', secret: hook.secret, ...more }
  const values = { config, events: ['push', 'pull_request'], active: true }
  return putHook(hook, {
    list: async (page) =>
      (await calls.json(path, Configured, { page, [sizeName]: PAGE })).map(({ id, config: { url } }) => ({ id, url })),
    create: () => calls.send('POST', path, { ...name, ...values }),
    change: (id) => calls.send('PATCH', `${path}/${id}`, values),
  })
}

export const gitHubHook = (calls: ForgeCalls, repo: string, hook: PushHook): Promise<void> =>
  putConfigured(calls, repo, hook, { sizeName: 'per_page', name: { name: 'web' }, more: { insecure_ssl: '0' } })

export const giteaHook = (calls: ForgeCalls, repo: string, hook: PushHook): Promise<void> =>
  putConfigured(calls, repo, hook, { sizeName: 'limit', name: { type: 'gitea' }, more: {} })

const GitLabHooks = z.array(z.object({ id: z.int(), url: z.string() }))

/** A GitLab without signing tokens ignores that field, and sends the secret itself. */
export function gitLabHook(calls: ForgeCalls, path: string, hook: PushHook): Promise<void> {
  const { url, secret } = hook
  const events = { push_events: true, merge_requests_events: true }
  const values = { url, token: secret, signing_token: secret, ...events, enable_ssl_verification: true }
  return putHook(hook, {
    list: (page) => calls.json(path, GitLabHooks, { page, per_page: PAGE }),
    create: () => calls.send('POST', path, values),
    change: (id) => calls.send('PUT', `${path}/${id}`, values),
  })
}

const BITBUCKET_EVENTS = [
  'repo:push',
  'pullrequest:created',
  'pullrequest:updated',
  'pullrequest:fulfilled',
  'pullrequest:rejected',
]
const BitbucketHooks = z.object({ values: z.array(z.object({ uuid: z.string(), url: z.string() })) })

export function bitbucketHook(calls: ForgeCalls, path: string, hook: PushHook): Promise<void> {
  const { url, secret } = hook
  const values = { description: 'Daybook', url, secret, active: true, events: BITBUCKET_EVENTS }
  return putHook(hook, {
    list: async (page) =>
      (await calls.json(path, BitbucketHooks, { page, pagelen: PAGE })).values.map((each) => ({
        id: each.uuid,
        url: each.url,
      })),
    create: () => calls.send('POST', path, values),
    change: (uid) => calls.send('PUT', `${path}/${encodeURIComponent(uid)}`, values),
  })
}
