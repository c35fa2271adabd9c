/** Webhooks of applications over HTTP: which deliveries are taken, what they ask for, and who sees and changes secrets. */
import { randomUUID } from 'node:crypto'
import pino from 'pino'
import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { newWebhookSecret } from '#kernel/outbound/standard-webhooks'
import { openPanel } from '../../../src/composition/panel.ts'
import { FORGE_TOKEN, ForgeAnswer } from '../../support/panel/forges/forge-server.ts'
import { giteaDouble } from '../../support/panel/forges/github-like.ts'
import { hooksAt } from '../../support/panel/forges/hooks.ts'
import { REPOSITORY } from '../../support/panel/forges/repository.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import * as sent from '../../support/panel/webhooks/deliveries.ts'
import type { Delivery } from '../../support/panel/webhooks/deliveries.ts'

interface Source {
  readonly providerId: string | null
  readonly url: string
  readonly branch: string
}

const { refuse } = vi.hoisted(() => ({ refuse: { with: undefined as Error | undefined } }))
vi.mock(import('../../../src/panel/workflows/request-deployment.ts'), async (original) => {
  const real = await original()
  return {
    ...real,
    requestDeployment: async (...given) => {
      if (refuse.with) throw refuse.with
      return real.requestDeployment(...given)
    },
  }
})

const panel = await startPanel({ gitAllow: ['127.0.0.1'] })
await panel.licensed()
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const root = await panel.somebody('SUPERADMIN')
const serverId = await servers.running(root)
const double = await giteaDouble()

/** Another process on the same database. */
const other = await openPanel(panel.settings, pino({ enabled: false }))
const { port } = await other.listen(0, '127.0.0.1')
afterAll(() => Promise.all([other.close(), double.close()]))
beforeEach(() => void (refuse.with = undefined))

const owner = await panel.somebody()
const projectId = await floor.project(owner)
const environmentId = await floor.environment(owner, projectId, 'live')
const NOBODY = '01890000-0000-7000-8000-00000000dead'

type Who = { readonly as: string }
let made = 0

const deploysByItself = async (id: string, enabled: boolean) =>
  ok(await panel.call('PATCH', `/api/applications/${id}/auto-deploy`, { as: owner.as, body: { enabled } }))

/** An application whose branch `main` is deployed by pushes. */
async function shop(source: Partial<Source> = {}) {
  const from = { kind: 'GIT', url: 'https://forge.example/ada/shop.git', branch: 'main', ...source }
  const values = { name: `App ${(made += 1)}`, memoryMiB: 16, cpuMillis: 50, source: from }
  const body = { projectId, environmentId, serverId, ...values }
  const { id } = ok(await panel.call('POST', '/api/applications', { as: owner.as, body }), 201)
  await deploysByItself(id, true)
  const { secret } = await webhookOf(id)
  return { id: id as string, secret: secret as string }
}
const at = (id: string, path = '') => `/api/applications/${id}/webhook${path}`
const webhookOf = async (id: string, who: Who = owner) => ok(await panel.call('GET', at(id), who))
const post = (who: Who, id: string, path: string, body: object = {}) =>
  panel.call('POST', at(id, path), { as: who.as, body })

const deliver = (id: string, { headers, body }: Delivery) =>
  panel.call('POST', `/api/webhooks/applications/${id}`, { headers, raw: body })
const outcomeOf = async (id: string, delivery: Delivery) => ok(await deliver(id, delivery), 202).outcome
const push = (secret: string, branch?: string) => sent.fromGitHub(secret, 'push', sent.gitHubPush(branch))

const requestsOf = async (id: string) =>
  (await panel.history()).filter(({ type, data }) => type === 'DeploymentRequested' && data['applicationId'] === id)

test('a push of each provider to the branch asks for one deployment, as the application', async () => {
  const { id, secret } = await shop()
  const now = panel.panel.clock.now()
  const deliveries = [
    push(secret),
    sent.fromGitea(secret, 'push', sent.giteaPush()),
    sent.fromGitLab(secret, 'Push Hook', sent.gitLabPush()),
    sent.signedByGitLab(secret, sent.gitLabPush(), now),
    sent.fromBitbucket(secret, 'repo:push', sent.bitbucketPush()),
    sent.fromPlain(secret, sent.plainPush(), now),
  ]
  for (const delivery of deliveries) expect(await outcomeOf(id, delivery)).toBe('QUEUED')
  const requests = await requestsOf(id)
  expect(requests).toHaveLength(deliveries.length)
  for (const { data, metadata } of requests) {
    expect(data).toMatchObject({ cause: { type: 'WEBHOOK', id: null } })
    expect(metadata).toMatchObject({ actor: { type: 'APPLICATION', id } })
  }
  expect(JSON.stringify(requests), 'no delivery names the commit').not.toContain('a'.repeat(40))
})

test('other branches, tags, gone branches, pings and pull requests are ignored, as is all without auto-deploy', async () => {
  const { id, secret } = await shop()
  for (const delivery of [
    push(secret, 'next'),
    push(secret, 'main/next'),
    sent.fromGitHub(secret, 'push', sent.gitHubPush('main', { ref: 'refs/tags/main' })),
    sent.fromGitHub(secret, 'push', sent.gitHubPush('main', { deleted: true })),
    sent.fromGitHub(secret, 'ping', sent.gitHubExamples('ping')[0]),
    sent.fromGitHub(secret, 'pull_request', sent.gitHubExamples('pull_request')[0]),
  ])
    expect(await outcomeOf(id, delivery)).toBe('IGNORED')
  await deploysByItself(id, false)
  expect(await outcomeOf(id, push(secret))).toBe('IGNORED')
  expect(await requestsOf(id)).toEqual([])
})

test('what is wrong with a delivery is not told: one 401 for all, and nothing is written', async () => {
  const [one, two] = [await shop(), await shop()]
  const before = await panel.panel.store.head()
  const wrong = [
    [one.id, push(newWebhookSecret())],
    [one.id, push(two.secret)],
    [one.id, { ...push(one.secret), body: '{}' }],
    [one.id, { headers: {}, body: '{}' }],
    [NOBODY, push(one.secret)],
    ['not-an-id', push(one.secret)],
    [`${one.id}?a=b`, push(one.secret)],
    [one.id, sent.fromPlain(one.secret, sent.plainPush(), new Date(Date.now() - 400_000))],
  ] as const
  const replies = []
  for (const [id, delivery] of wrong) replies.push(await deliver(id, delivery))
  for (const reply of replies) {
    expect(refusalIn(reply)).toEqual([401, 'SIGNATURE_INVALID'])
    expect(reply.text).toBe(replies[0]!.text)
  }
  const twice = new Headers(Object.entries(push(one.secret).headers))
  twice.append('x-hub-signature-256', push(two.secret).headers['x-hub-signature-256']!)
  expect((await deliver(one.id, { headers: Object.fromEntries(twice), body: '{}' })).status).toBe(401)
  expect(await panel.panel.store.head()).toBe(before)
  expect((await webhookOf(one.id)).deliveries).toEqual([])
})

test('an unknown application is refused after the same time as a known one', async () => {
  const { id, secret } = await shop()
  const timed = async (which: string) => {
    const startedMs = performance.now()
    await deliver(which, push(newWebhookSecret()))
    return performance.now() - startedMs
  }
  expect(secret).toMatch(/^whsec_/)
  for (const which of [id, NOBODY]) expect(await timed(which)).toBeGreaterThan(95)
})

test('a thousand replays of a delivery are one request', async () => {
  const { id, secret } = await shop()
  const delivery = push(secret)
  expect(await outcomeOf(id, delivery)).toBe('QUEUED')
  const seen = new Set<unknown>()
  for (let round = 0; round < 20; round += 1) {
    const replies = await Promise.all(Array.from({ length: 50 }, () => deliver(id, delivery)))
    for (const { status, body } of replies) seen.add(status === 202 ? body.outcome : status)
  }
  expect(seen).toEqual(new Set([429, 'DUPLICATE']))
  expect(await requestsOf(id)).toHaveLength(1)
})

test('the same bytes under another id, and other bytes under the same id, are a duplicate for a day', async () => {
  const { id, secret } = await shop()
  const payload = sent.gitHubPush()
  const first = randomUUID()
  expect(await outcomeOf(id, sent.fromGitHub(secret, 'push', payload, first))).toBe('QUEUED')
  expect(await outcomeOf(id, sent.fromGitHub(secret, 'push', payload))).toBe('DUPLICATE')
  expect(await outcomeOf(id, sent.fromGitHub(secret, 'push', sent.gitHubPush(), first))).toBe('DUPLICATE')
  const elsewhere = await shop()
  expect(await outcomeOf(elsewhere.id, sent.fromGitHub(elsewhere.secret, 'push', payload, first))).toBe('QUEUED')
  const forced = sent.gitHubPush('main', { forced: true })
  expect(await outcomeOf(id, sent.fromGitHub(secret, 'push', forced))).toBe('QUEUED')
})

test('of two processes that get the same delivery at once, one takes it', async () => {
  const { id, secret } = await shop()
  for (let round = 0; round < 5; round += 1) {
    const { headers, body } = push(secret)
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body }
    const elsewhere = fetch(`http://127.0.0.1:${port}/api/webhooks/applications/${id}`, init)
    const replies = await Promise.all([deliver(id, { headers, body }), elsewhere.then((reply) => reply.json())])
    const [here, there] = [replies[0].body.outcome, (replies[1] as { outcome: string }).outcome]
    expect(new Set([here, there])).toEqual(new Set(['DUPLICATE', 'QUEUED']))
  }
  expect(await requestsOf(id)).toHaveLength(5)
})

test('an application takes 30 deliveries a minute, and strangers use none of them up', async () => {
  const { id, secret } = await shop()
  for (let nth = 0; nth < 5; nth += 1) expect((await deliver(id, push(newWebhookSecret()))).status).toBe(401)
  const replies = await Promise.all(Array.from({ length: 31 }, () => deliver(id, push(secret, 'next'))))
  expect(replies.filter(({ status }) => status === 202)).toHaveLength(30)
  const refused = replies.find(({ status }) => status === 429)!
  expect(refused.headers.get('retry-after')).toBe('60')
})

test('a delivery of 8 MiB is taken, and one with a byte more is refused before it is read', async () => {
  const { id, secret } = await shop()
  const MAX = 8 * 1024 * 1024
  const ofBytes = (bytes: number) => {
    const text = JSON.stringify(sent.gitHubPush('main', { filler: '' }))
    return text.replace('"filler":""', `"filler":"${'x'.repeat(bytes - Buffer.byteLength(text))}"`)
  }
  expect(await outcomeOf(id, sent.fromGitHub(secret, 'push', ofBytes(MAX)))).toBe('QUEUED')
  expect((await deliver(id, sent.fromGitHub(secret, 'push', ofBytes(MAX + 1)))).status).toBe(413)
  expect((await deliver(NOBODY, sent.fromGitHub(secret, 'push', ofBytes(MAX + 1)))).status).toBe(413)
})

test('a signed body that is no JSON is refused, and may be sent again', async () => {
  const { id, secret } = await shop()
  for (const body of ['payload=%7B%7D', '{"ref":', ''])
    expect(refusalIn(await deliver(id, sent.fromGitHub(secret, 'push', body)))).toEqual([400, 'NOT_JSON'])
  expect(await outcomeOf(id, sent.fromGitHub(secret, 'push', '{"ref":"refs/heads/\ud800"}'))).toBe('IGNORED')
})

test('nothing to deploy is UNCHANGED; what is refused may be sent again', async () => {
  const { id, secret } = await shop()
  const { Rejection } = await import('#kernel/lib/rejection')
  refuse.with = new Rejection('conflict', 'nothing', 'NOTHING_TO_DEPLOY')
  expect(await outcomeOf(id, push(secret))).toBe('UNCHANGED')
  const delivery = push(secret)
  refuse.with = new Rejection('unavailable', 'later', 'CONTENTION')
  expect((await deliver(id, delivery)).status).toBe(503)
  refuse.with = undefined
  expect(await outcomeOf(id, delivery)).toBe('QUEUED')
  const { deliveries } = await webhookOf(id)
  expect(deliveries.map(({ outcome, status }: any) => [outcome, status])).toEqual([
    ['QUEUED', 202],
    ['REFUSED', 503],
    ['UNCHANGED', 202],
  ])
})

test('the deliveries of the last day are shown, newest first, and their bodies nowhere', async () => {
  const { id, secret } = await shop()
  const canary = 'canary-of-a-delivery'
  await deliver(id, sent.fromGitHub(secret, 'push', sent.gitHubPush('main', { canary })))
  await deliver(id, sent.fromGitHub(secret, 'ping', sent.gitHubExamples('ping')[0]))
  const { deliveries, url } = await webhookOf(id)
  expect(url).toBe(`http://panel.test/api/webhooks/applications/${id}`)
  expect(deliveries).toEqual([
    { at: expect.any(String), event: 'ping', outcome: 'IGNORED', status: 202 },
    { at: expect.any(String), event: 'push', outcome: 'QUEUED', status: 202 },
  ])
  expect(await panel.dump()).not.toContain(canary)
})

test('a secret is made with the application, stored sealed, and is another one in each', async () => {
  const [one, two] = [await shop(), await shop()]
  expect(one.secret).not.toBe(two.secret)
  expect(await panel.dump()).not.toContain(one.secret)
  const reads = await panel.panel.store.head()
  await webhookOf(one.id)
  expect(await panel.panel.store.head(), 'reading writes nothing').toBe(reads)
})

test('after a rotation both secrets are accepted for its grace, and without one the new secret alone', async () => {
  const { id, secret: first } = await shop()
  const { secret: second, formerUntil } = ok(await post(owner, id, '/rotate', { graceSeconds: 3_600 }))
  expect(Date.parse(formerUntil) - Date.now()).toBeGreaterThan(3_500_000)
  for (const secret of [first, second]) expect(await outcomeOf(id, push(secret))).toBe('QUEUED')
  const { secret: third, formerUntil: none } = ok(await post(owner, id, '/rotate'))
  expect(none).toBeNull()
  expect((await webhookOf(id)).secret).toBe(third)
  for (const secret of [first, second]) expect((await deliver(id, push(secret))).status).toBe(401)
  expect(await outcomeOf(id, push(third))).toBe('QUEUED')
  for (const graceSeconds of [-1, 86_401, 0.5])
    expect((await post(owner, id, '/rotate', { graceSeconds })).status).toBe(400)
})

test('with its application a webhook is gone', async () => {
  const { id, secret } = await shop()
  ok(await panel.call('DELETE', `/api/applications/${id}`, { as: owner.as }), 204)
  expect((await deliver(id, push(secret))).status).toBe(401)
  expect((await panel.call('GET', at(id), owner)).status).toBe(404)
})

test('members see the secret if they may deploy, and change the webhook if they may change the application', async () => {
  const { id } = await shop()
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  const developer = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const stranger = await panel.somebody()
  for (const [who, status] of [
    [developer, 200],
    [viewer, 403],
    [stranger, 404],
  ] as const) {
    expect((await panel.call('GET', at(id), who)).status).toBe(status)
    expect((await post(who, id, '/rotate')).status).toBe(status)
    expect((await post(who, id, '/install')).status).toBe(status === 200 ? 409 : status)
  }
})

const provider = async (who: Who, more: object = {}) => {
  const values = { kind: 'GITEA', name: 'Ours', baseUrl: double.url, token: FORGE_TOKEN, ...more }
  return ok(await panel.call('POST', '/api/git-providers', { as: who.as, body: values }), 201).id as string
}
const repository = `${double.url}/${REPOSITORY}.git`

test('a webhook is installed at the provider with the present secret, once, and pushes deploy from then on', async () => {
  const providerId = await provider(owner)
  const { id, secret } = await shop({ providerId, url: repository })
  await deploysByItself(id, false)
  expect(await outcomeOf(id, push(secret))).toBe('IGNORED')
  const url = `http://panel.test/api/webhooks/applications/${id}`
  expect(ok(await post(owner, id, '/install'), 201)).toEqual({ url, gitProviderId: providerId, repository: REPOSITORY })
  const installed = () => hooksAt(double.url).filter(({ values }) => values.config.url === url)
  expect(installed().map(({ values }) => values.config.secret)).toEqual([secret])
  expect(await outcomeOf(id, sent.fromGitea(installed()[0]!.values.config.secret, 'push', sent.giteaPush()))).toBe(
    'QUEUED',
  )
  const { secret: next } = ok(await post(owner, id, '/rotate'))
  ok(await post(owner, id, '/install'), 201)
  expect(installed().map(({ values }) => values.config.secret)).toEqual([next])
})

test('a provider is used by its owner, and in its project for the repositories that were shared', async () => {
  const colleague = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const shared = await provider(owner, { projectId, repositories: [REPOSITORY.toUpperCase()] })
  const own = await provider(owner)
  const refusedTo = async (who: Who, source: Partial<Source>) =>
    refusalIn(await post(who, (await shop(source)).id, '/install'))
  expect(await refusedTo(colleague, { providerId: own, url: repository })).toEqual([409, 'NO_PROVIDER'])
  expect(await refusedTo(colleague, { providerId: shared, url: repository })).toEqual([201, null])
  expect(await refusedTo(colleague, { providerId: shared, url: `${double.url}/ada/notes.git` })).toEqual([
    409,
    'NO_PROVIDER',
  ])
  const removed = await provider(owner)
  const { id } = await shop({ providerId: removed, url: repository })
  ok(await panel.call('DELETE', `/api/git-providers/${removed}?detach=true`, { as: owner.as }), 204)
  expect(refusalIn(await post(owner, id, '/install'))).toEqual([409, 'NO_PROVIDER'])
  expect(await refusedTo(owner, {})).toEqual([409, 'NO_PROVIDER'])
  const generic = await provider(owner, { kind: 'GENERIC', baseUrl: 'https://forge.example' })
  expect(await refusedTo(owner, { providerId: generic })).toEqual([409, 'NO_PROVIDER'])
})

test('what the provider refuses is told, and nothing is noted', async () => {
  const providerId = await provider(owner)
  const { id } = await shop({ providerId, url: repository })
  const missing = await shop({ providerId, url: `${double.url}/ada/unknown` })
  const before = await panel.panel.store.head()
  expect(refusalIn(await post(owner, missing.id, '/install'))).toEqual([409, 'PROVIDER_REFUSED'])
  for (const status of [403, 404, 422, 500]) {
    double.fail(new ForgeAnswer(status, { message: 'no' }))
    expect(refusalIn(await post(owner, id, '/install')), String(status)).toEqual([409, 'PROVIDER_REFUSED'])
  }
  double.fail(undefined)
  expect(await panel.panel.store.head()).toBe(before)
})
