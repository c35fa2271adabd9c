/** Webhooks of the repositories of a double, in the shapes of the published references. */
import { z } from 'zod'
import { ForgeAnswer, notFound } from './forge-server.ts'
import type { ForgeRequest } from './forge-server.ts'

interface StoredHook {
  readonly id: number
  values: any
}

interface HookForm {
  /** What the API takes. */
  readonly takes: z.ZodType
  readonly changes: 'PATCH' | 'PUT'
  readonly shown: (hook: StoredHook) => { readonly id?: number; readonly uuid?: string }
  readonly list?: (shown: readonly object[]) => object
}

const stored = new Map<string, StoredHook[]>()
/** Of the double at that address. No API shows their secrets. */
export const hooksAt = (url: string): readonly StoredHook[] => stored.get(url) ?? []

const url = z.url()
const secret = z.string().min(1)
const events = z.tuple([z.literal('push'), z.literal('pull_request')])
const config = z.strictObject({ url, content_type: z.literal('json'), secret, insecure_ssl: z.literal('0').optional() })

const configured = ({ id, values }: StoredHook) => {
  const { secret: _secret, ...shown } = values.config
  return {
    id,
    type: 'Repository',
    name: 'web',
    active: true,
    events: values.events,
    config: { ...shown, secret: '********' },
  }
}

export const GITHUB_HOOKS: HookForm = {
  takes: z.strictObject({ name: z.literal('web').optional(), config, events, active: z.literal(true) }),
  changes: 'PATCH',
  shown: configured,
}
export const GITEA_HOOKS: HookForm = {
  takes: z.strictObject({ type: z.literal('gitea').optional(), config, events, active: z.literal(true) }),
  changes: 'PATCH',
  shown: configured,
}
export const GITLAB_HOOKS: HookForm = {
  takes: z.strictObject({
    url,
    token: secret,
    signing_token: z.string().regex(/^whsec_[A-Za-z0-9+/]{43}=$/),
    push_events: z.literal(true),
    merge_requests_events: z.literal(true),
    enable_ssl_verification: z.literal(true),
  }),
  changes: 'PUT',
  shown: ({ id, values }) => ({
    id,
    url: values.url,
    push_events: true,
    merge_requests_events: true,
    token_present: true,
  }),
}
const BITBUCKET_EVENTS = [
  'repo:push',
  'pullrequest:created',
  'pullrequest:updated',
  'pullrequest:fulfilled',
  'pullrequest:rejected',
]
const uuidOf = (id: number): string => `{01890000-0000-4000-8000-${String(id).padStart(12, '0')}}`
export const BITBUCKET_HOOKS: HookForm = {
  takes: z.strictObject({
    description: z.string(),
    url,
    secret,
    active: z.literal(true),
    events: z.tuple(BITBUCKET_EVENTS.map((event) => z.literal(event)) as [z.ZodLiteral]),
  }),
  changes: 'PUT',
  shown: ({ id, values }) => ({ uuid: uuidOf(id), url: values.url, active: true, secret_set: true }),
  list: (values) => ({ values, pagelen: values.length, page: 1 }),
}

/** @param id of the path, undefined for all of them */
export function answerHooks(form: HookForm, request: ForgeRequest, id: string | undefined): unknown {
  const { method, body, url: at } = request
  const all = stored.get(at) ?? []
  const list = form.list ?? ((shown: readonly object[]) => shown)
  if (method === 'GET') return id === undefined ? list(all.map(form.shown)) : notFound('Not Found')
  const values = form.takes.safeParse(body)
  if (!values.success) return new ForgeAnswer(422, { message: 'Validation Failed' })
  if (method === 'POST') {
    const hook = { id: all.length + 1, values: values.data }
    stored.set(at, [...all, hook])
    return new ForgeAnswer(201, form.shown(hook))
  }
  const known = all.find((each) => String(form.shown(each).id ?? form.shown(each).uuid) === id)
  if (!known || method !== form.changes) return notFound('Not Found')
  known.values = values.data
  return form.shown(known)
}
