/** Previews of pull requests over HTTP: they come and go with what git providers deliver, and nothing of them is left. */
import { afterAll, expect, test } from 'vitest'
import { applications } from '#panel/applications/decider'
import { hiddenIn } from '#panel/applications/logs/hidden'
import { projectContents } from '#panel/projects/contents/decider'
import { serverLoad } from '#panel/servers/load/decider'
import { deployingHost, failing, gate } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { talkingContainers } from '../../support/panel/talking-containers.ts'
import type { Delivery } from '../../support/panel/webhooks/deliveries.ts'
import { deliveredBy, PULL_REQUEST_SENDERS, REF_OF } from '../../support/panel/webhooks/pull-requests.ts'
import type { Happened, PullRequestSender, Told } from '../../support/panel/webhooks/pull-requests.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const panel = await startPanel({ dataDir: scratchOfFile() })
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const containers = talkingContainers()
const host = await deployingHost(panel, { servers, owner: root, containers })
afterAll(() => host.stop())

let owner = await panel.somebody()
const projectId = await floor.project(owner)
const environmentId = await floor.environment(owner, projectId, 'live')
const send = (method: string, path: string, body?: unknown, who: { readonly as: string } = owner) =>
  panel.call(method, `/api/${path}`, { as: who.as, ...(body === undefined ? {} : { body }) })

const SOURCE = { kind: 'GIT', url: 'https://forge.example/ada/shop.git', branch: 'main', build: 'DOCKERFILE' }
let made = 0
interface Shop {
  readonly id: string
  readonly slug: string
  readonly domain: string
  readonly secret: string
}

/** With previews under a domain of its own. */
async function shop(settings: object = {}, more: object = {}): Promise<Shop> {
  made += 1
  const place = { projectId, environmentId, serverId: host.serverId }
  const values = { name: `App ${made}`, source: SOURCE, port: 8_080, memoryMiB: 16, cpuMillis: 50, ...more }
  const { id, slug } = ok(await send('POST', 'applications', { ...place, ...values }), 201)
  const domain = `p${made}.example.com`
  ok(await configure(id, { enabled: true, baseDomain: domain, ...settings }))
  const { secret } = ok(await send('GET', `applications/${id}/webhook`))
  return { id, slug, domain, secret }
}
let nested = 0
const configure = (id: string, settings: object) => send('PATCH', `applications/${id}/previews`, settings)
const previewsOf = async (id: string) => ok(await send('GET', `applications/${id}/previews`)).previews
const outcome = async (id: string, { headers, body }: Delivery): Promise<string> =>
  ok(await panel.call('POST', `/api/webhooks/applications/${id}`, { headers, raw: body }), 202).outcome

let minute = 0
/** The time of the provider goes on with each. */
const tell = ({ id, secret }: Shop, what: Happened, told: Told = {}, sender: PullRequestSender = 'GITHUB') => {
  const at = new Date(Date.parse('2026-01-01T00:00:00Z') + (minute += 1) * 60_000).toISOString()
  return outcome(id, deliveredBy(sender, secret, what, { at, ...told }))
}

const workOf = (previewId: string) =>
  host.done.filter(({ payload }) => (payload.workload ?? payload.owner)?.id === previewId)
const kindsOf = (previewId: string) => workOf(previewId).map(({ kind }) => kind)

const ended = (id: string): Promise<any> =>
  panel.settledUntil(
    async () => ok(await send('GET', `deployments/${id}`)),
    ({ endedAt }) => endedAt !== null,
  )
/** @returns the preview when it runs */
async function opened(of: Shop, told: Told = {}): Promise<any> {
  expect(await tell(of, 'opened', told)).toBe('QUEUED')
  const [preview] = (await previewsOf(of.id)).filter(({ pullRequest }: any) => pullRequest === (told.number ?? 7))
  await ended(preview.deploymentId)
  return (await previewsOf(of.id)).find(({ id }: any) => id === preview.id)
}

/** What is reserved and counted for it. */
const heldOf = (previewId: string) =>
  panel.run(async (unit) => {
    const { workloads } = await unit.look(serverLoad, host.serverId)
    const contents = await unit.look(projectContents, projectId)
    return [`PREVIEW/${previewId}` in workloads, `PREVIEW/${previewId}` in contents]
  })
/** Its server was told to remove all of it, and nothing holds or counts it. */
async function isGone(previewId: string): Promise<void> {
  await panel.settledUntil(
    async () => kindsOf(previewId),
    (kinds) => kinds.includes('release.remove'),
  )
  expect(await heldOf(previewId)).toEqual([false, false])
  const last = (kind: string) => workOf(previewId).findLast((each) => each.kind === kind)
  const revisions = workOf(previewId).flatMap(
    ({ payload: { fragment, revision } }) => fragment?.revision ?? revision ?? [],
  )
  // The proxy forgets it in the same task.
  expect(last('release.remove')!.payload.proxyRevision).toBe(revisions.length > 0 ? Math.max(...revisions) + 1 : null)
}

test.each(PULL_REQUEST_SENDERS)('%s: a preview comes, follows its pull request, and goes with it', async (sender) => {
  const of = await shop()
  expect(await tell(of, 'opened', {}, sender)).toBe('QUEUED')
  const [asked] = await previewsOf(of.id)
  const first = await ended(asked.deploymentId)
  expect(first, JSON.stringify(first.failure)).toMatchObject({
    status: 'SUCCEEDED',
    kind: 'DEPLOY',
    applicationId: of.id,
    previewId: asked.id,
    cause: { type: 'WEBHOOK', id: null },
  })
  expect(await previewsOf(of.id)).toEqual([
    {
      id: asked.id,
      pullRequest: 7,
      ref: REF_OF[sender](7),
      url: `http://pr-7--${of.slug}.${of.domain}`,
      deploymentId: first.id,
      status: 'SUCCEEDED',
      createdAt: asked.createdAt,
      updatedAt: asked.updatedAt,
    },
  ])
  expect(kindsOf(asked.id)).toEqual(['git.fetch', 'image.build', 'release.start'])
  const [fetched, built, started] = workOf(asked.id)
  expect(fetched!.payload.ref, 'the repository says which commit is its newest').toBe(REF_OF[sender](7))
  expect(built!.payload.tag).toContain(`preview-${asked.id}`)
  expect(started!.payload).toMatchObject({ environmentId: asked.id, outboundIp: null })
  expect(started!.payload.fragment).toMatchObject({
    owner: { kind: 'PREVIEW', id: asked.id },
    hosts: [{ host: `pr-7--${of.slug}.${of.domain}`, backend: 'http' }],
    listeners: [],
  })
  expect(await heldOf(asked.id)).toEqual([true, true])
  expect(ok(await send('GET', `applications/${of.id}`)).deploymentId, 'the application itself runs nothing').toBeNull()

  host.script('git.fetch', () => ({
    commit: 'd'.repeat(40),
    subject: 'Change it',
    changed: true,
    hostKey: null,
    facts: { entries: [], files: [] },
  }))
  expect(await tell(of, 'pushed', {}, sender)).toBe('QUEUED')
  const [{ deploymentId }] = await previewsOf(of.id)
  expect(await ended(deploymentId)).toMatchObject({ status: 'SUCCEEDED', previewId: asked.id })
  host.usual('git.fetch')
  await panel.settledUntil(
    async () => kindsOf(asked.id),
    (kinds) => kinds.includes('release.retire'),
  )
  const retired = workOf(asked.id).find(({ kind }) => kind === 'release.retire')!
  expect(retired.payload, 'it keeps no earlier image').toMatchObject({
    deploymentId: first.id,
    imageIds: [first.imageId],
  })

  expect(await tell(of, 'closed', {}, sender)).toBe('QUEUED')
  expect(await previewsOf(of.id)).toEqual([])
  await isGone(asked.id)
  const text = JSON.stringify(await panel.history())
  expect(text, 'no delivery names the commit').not.toContain('a'.repeat(40))
})

test('what is not of its repository or its branch, or changes no commit, opens nothing; nor while previews are off', async () => {
  const of = await shop()
  for (const sender of PULL_REQUEST_SENDERS) {
    expect(await tell(of, 'opened', { isFork: true }, sender)).toBe('IGNORED')
    expect(await tell(of, 'opened', { into: 'stable' }, sender)).toBe('IGNORED')
    expect(await tell(of, 'labeled', {}, sender)).toBe('IGNORED')
  }
  expect(await previewsOf(of.id)).toEqual([])
  ok(await configure(of.id, { enabled: false }))
  expect(await tell(of, 'opened')).toBe('IGNORED')
  expect(await previewsOf(of.id)).toEqual([])
})

test('one that is closed stays closed, whatever is delivered late or again, and opens when it is open again', async () => {
  const of = await shop()
  const [early, late] = ['2026-02-01T10:00:00Z', '2026-02-01T11:00:00Z']
  expect(await tell(of, 'closed', { at: late })).toBe('IGNORED')
  expect(await tell(of, 'opened', { at: early }), 'later than its end').toBe('IGNORED')
  expect(await tell(of, 'pushed', { at: early })).toBe('IGNORED')
  expect(await previewsOf(of.id)).toEqual([])
  expect(await tell(of, 'reopened', { at: '2026-02-01T12:00:00Z' })).toBe('QUEUED')
  expect(await tell(of, 'closed', { at: late }), 'the end before it was opened again').toBe('IGNORED')
  const [preview] = await previewsOf(of.id)
  await ended(preview.deploymentId)
  const delivery = deliveredBy('GITHUB', of.secret, 'closed', { at: '2026-02-01T13:00:00Z' })
  expect(await outcome(of.id, delivery)).toBe('QUEUED')
  expect(await outcome(of.id, delivery)).toBe('DUPLICATE')
  await isGone(preview.id)
})

test('a provider whose clock is far ahead does not shut out what follows', async () => {
  const of = await shop()
  expect(await tell(of, 'closed', { at: '2999-01-01T00:00:00Z' })).toBe('IGNORED')
  expect(await tell(of, 'reopened', { at: '2999-01-01T00:00:01Z' })).toBe('QUEUED')
})

test('no more are open than the limit, the quota of the project and the server allow', async () => {
  const of = await shop({ limit: 2 })
  const numbers = [1, 2, 3, 4, 5]
  const outcomes = await Promise.all(numbers.map((number) => tell(of, 'opened', { number })))
  expect(outcomes.filter((each) => each === 'QUEUED')).toHaveLength(2)
  expect(outcomes.filter((each) => each === 'IGNORED')).toHaveLength(3)
  const [one, two] = await previewsOf(of.id)
  const [missing] = numbers.filter((number) => ![one.pullRequest, two.pullRequest].includes(number))
  expect(await tell(of, 'closed', { number: one.pullRequest })).toBe('QUEUED')
  expect(await tell(of, 'pushed', { number: missing! }), 'it has a place now').toBe('QUEUED')

  const already = (await previewsOf(of.id)).length
  const present = await panel.run(async (unit) => Object.values(await unit.look(projectContents, projectId)))
  const previews = present.filter(({ kind }) => kind === 'PREVIEW').length
  expect(previews).toBeGreaterThanOrEqual(already)
  ok(await send('PATCH', `projects/${projectId}/quota`, { previews }, root))
  const more = await shop()
  expect(await tell(more, 'opened')).toBe('IGNORED')
  ok(await send('PATCH', `projects/${projectId}/quota`, { previews: null }, root))
  ok(await send('PATCH', `admin/quotas/servers/${host.serverId}`, { workloads: 1 }, root))
  expect(await tell(more, 'opened')).toBe('IGNORED')
  expect(await previewsOf(more.id)).toEqual([])
  ok(await send('PATCH', `admin/quotas/servers/${host.serverId}`, { workloads: null }, root))
  expect(await tell(more, 'pushed')).toBe('QUEUED')
})

test('they have the variables of the set that is named, and without one no secret', async () => {
  const of = await shop()
  const set = [
    { name: 'COLOR', value: 'red' },
    { name: 'PASSWORD', value: 'secret-of-live', secret: true, when: 'BOTH' },
  ]
  ok(await send('PATCH', `applications/${of.id}/env`, { set }))
  const variables = [{ name: 'DATABASE', value: 'database-of-previews', secret: true }]
  const { id: setId } = ok(await send('POST', `applications/${of.id}/env-sets`, { name: 'previews', variables }), 201)
  const environmentOf = (previewId: string) => {
    const started = workOf(previewId).filter(({ kind }) => kind === 'release.start')
    const all = started.at(-1)!.secrets.env.map(({ name, value }: any) => [name, value])
    return Object.fromEntries(all.filter(([name]: any) => !name.startsWith('DAYBOOK_') || name.includes('PULL')))
  }
  const plain = await opened(of)
  expect(environmentOf(plain.id)).toEqual({ PORT: '8080', COLOR: 'red', DAYBOOK_PULL_REQUEST: '7' })
  const [built] = workOf(plain.id).filter(({ kind }) => kind === 'image.build')
  expect(built!.secrets).toMatchObject({ args: [], secrets: [] })
  ok(await configure(of.id, { setId }))
  const again = await previewsOf(of.id)
  expect(again[0].deploymentId, 'what runs gets the other variables').not.toBe(plain.deploymentId)
  await ended(again[0].deploymentId)
  expect(environmentOf(plain.id)).toMatchObject({ DATABASE: 'database-of-previews' })
  const retired = await panel.settledUntil(
    async () => workOf(plain.id).find(({ kind }) => kind === 'release.retire'),
    Boolean,
  )
  expect(retired!.secrets.values).toEqual(expect.arrayContaining(['secret-of-live', 'database-of-previews']))
  const named = await opened(of, { number: 8 })
  expect(environmentOf(named.id)).toEqual({ PORT: '8080', DATABASE: 'database-of-previews', DAYBOOK_PULL_REQUEST: '8' })
  const removal = () => send('DELETE', `applications/${of.id}/env-sets/${setId}`)
  expect(refusalIn(await removal())).toEqual([409, 'SET_OF_PREVIEWS'])
  ok(await configure(of.id, { setId: null }))
  ok(await removal(), 204)
  expect(refusalIn(await configure(of.id, { setId }))).toEqual([400, 'UNKNOWN_SET'])
})

test('commands and live use reach a preview, and what it has of secrets is hidden', async () => {
  const of = await shop()
  const variables = [{ name: 'TOKEN', value: 'a-secret-of-previews', secret: true }]
  const { id: setId } = ok(await send('POST', `applications/${of.id}/env-sets`, { name: 'previews', variables }), 201)
  ok(await configure(of.id, { setId }))
  const preview = await opened(of)
  ok(await send('PATCH', `applications/${of.id}/env-sets/${setId}`, { remove: ['TOKEN'] }))
  const ran: any[] = []
  containers.answer((secrets, { payload }) => {
    ran.push({ secrets, payload })
    return { exitCode: 0, timedOut: false, truncated: false, ms: 1 }
  })
  const run = (id: string, previewId: string) =>
    send('POST', `applications/${id}/exec`, { command: ['true'], previewId })
  const measure = (id: string, previewId: string) => send('GET', `applications/${id}/stats/live?previewId=${previewId}`)
  ok(await run(of.id, preview.id))
  const workload = { kind: 'PREVIEW', id: preview.id }
  expect(ran[0].payload.target.workload).toEqual(workload)
  expect(ran[0].secrets).toMatchObject({ names: ['TOKEN'], values: ['a-secret-of-previews'] })
  ok(await measure(of.id, preview.id))
  expect(containers.measured.at(-1)!.workload).toEqual(workload)
  const other = await shop()
  for (const ask of [run, measure]) expect((await ask(other.id, preview.id)).status).toBe(404)
  ok(await send('DELETE', `applications/previews/${preview.id}`), 204)
  for (const ask of [run, measure]) expect((await ask(of.id, preview.id)).status).toBe(404)
  expect(ran).toHaveLength(1)
})

test('what starts, and what ran before, is hidden as what runs, and for a read of one place only what it has', async () => {
  const of = await shop()
  const setTo = (value: string) =>
    send('PATCH', `applications/${of.id}/env`, { set: [{ name: 'TOKEN', value, secret: true }] })
  const hidden = (workloadId?: string) =>
    panel.run(async (unit) => {
      const workload = workloadId === undefined ? undefined : { id: workloadId }
      return (await hiddenIn(unit, (await unit.look(applications, of.id))!, { workload })).values
    })
  ok(await setTo('the-first-one'))
  await ended(ok(await send('POST', `applications/${of.id}/redeploy`), 202).id)
  ok(await setTo('the-second-one'))
  const held = gate()
  host.script('release.start', async (work) => {
    await held.wait(work)
    return { containers: [] }
  })
  const { id: secondId } = ok(await send('POST', `applications/${of.id}/redeploy`), 202)
  await panel.settledUntil(
    async () => ok(await send('GET', `deployments/${secondId}`)),
    ({ status }) => status === 'STARTING',
  )
  ok(await send('PATCH', `applications/${of.id}/env`, { remove: ['TOKEN'] }))
  expect(await hidden()).toEqual(['the-first-one', 'the-second-one'])
  expect(await hidden(of.id)).toEqual(['the-first-one', 'the-second-one'])
  expect(await hidden('01890000-0000-7000-8000-000000000001')).toEqual([])
  held.open()
  host.usual('release.start')
  await ended(secondId)
  expect(await hidden(), 'what ran before may be about to stop').toEqual(['the-first-one', 'the-second-one'])
})

test('they need a repository and a domain that no other application has for its own', async () => {
  const first = await shop()
  const image = { source: { kind: 'IMAGE', image: 'shop:1' } }
  const place = { projectId, environmentId, serverId: host.serverId, memoryMiB: 16, cpuMillis: 50 }
  const { id } = ok(await send('POST', 'applications', { ...place, name: 'Image', ...image }), 201)
  const domain = { baseDomain: 'x.example.com' }
  expect(refusalIn(await configure(id, { enabled: true, ...domain }))).toEqual([409, 'NO_REPOSITORY'])
  ok(await send('PATCH', `applications/${id}`, { source: SOURCE }))
  expect(refusalIn(await configure(id, { enabled: true }))).toEqual([409, 'NO_BASE_DOMAIN'])
  const taken = { enabled: true, baseDomain: first.domain }
  expect(refusalIn(await configure(id, taken))).toEqual([409, 'BASE_DOMAIN_TAKEN'])
  const told = await send('PATCH', `applications/${id}/previews`, taken, root)
  expect([refusalIn(told), told.body.message]).toEqual([[409, 'BASE_DOMAIN_TAKEN'], expect.stringContaining(first.id)])
  for (const baseDomain of ['co.uk', 'panel.test'])
    expect(refusalIn(await configure(id, { baseDomain })), baseDomain).toEqual([403, 'BASE_DOMAIN_TOO_WIDE'])
  ok(await send('PATCH', `applications/${id}/previews`, { baseDomain: 'company.example' }, root))
  for (const body of [
    { baseDomain: '*.example.com' },
    { baseDomain: 'UPPER.example.com' },
    { baseDomain: 'localhost' },
    { limit: 21 },
    { limit: 0 },
    { idleDays: 31 },
    {},
  ])
    expect((await configure(id, body)).status, JSON.stringify(body)).toBe(400)
  for (const value of [first.domain, 'example.com', `apps.${first.domain}`])
    expect(refusalIn(await send('PATCH', 'admin/settings/appsDomain', { value }, root)), value).toEqual([
      409,
      'BASE_DOMAIN_TAKEN',
    ])
  ok(await send('PATCH', 'admin/settings/appsDomain', { value: 'apps.example.com' }, root))
  expect(refusalIn(await configure(id, { baseDomain: 'apps.example.com' }))).toEqual([409, 'BASE_DOMAIN_TAKEN'])
  for (const domain of ['a.race.test', 'b.race.test', 'c.race.test', 'd.race.test']) {
    const racing = await Promise.all([
      send('PATCH', 'admin/settings/appsDomain', { value: domain }, root),
      configure(id, { enabled: true, baseDomain: `x.${domain}` }),
    ])
    expect(racing.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(racing.filter(({ status }) => status === 409)).toHaveLength(1)
    ok(await send('PATCH', 'admin/settings/appsDomain', { value: '' }, root))
  }
  ok(await send('DELETE', `applications/${first.id}`), 204)
  expect(ok(await configure(id, { enabled: true, baseDomain: first.domain }))).toEqual({
    enabled: true,
    baseDomain: first.domain,
    limit: 5,
    idleDays: 7,
    setId: null,
    previews: [],
  })
})

test('no project has a domain above or below that of another one, whoever asks first', async () => {
  const place = { projectId, environmentId, serverId: host.serverId, memoryMiB: 16, cpuMillis: 50 }
  const added = async (more: object = {}) =>
    ok(await send('POST', 'applications', { ...place, name: `Nested ${(nested += 1)}`, source: SOURCE, ...more }), 201)
      .id
  const elsewhere = await floor.project(owner)
  const there = { projectId: elsewhere, environmentId: await floor.environment(owner, elsewhere, 'live') }
  const [own, child, other] = [await added(), await added(), await added(there)]
  const domains = ['nest.example.org', 'b.nest.example.org', 'c.b.nest.example.org']
  const take = (id: string, baseDomain?: string) => configure(id, { enabled: true, baseDomain })
  ok(await take(own, domains[1]))
  for (const baseDomain of domains)
    expect(refusalIn(await take(other, baseDomain)), baseDomain).toEqual([409, 'BASE_DOMAIN_TAKEN'])
  ok(await take(other, 'a-b.nest.example.org'))
  ok(await take(child, domains[2]))
  expect(refusalIn(await send('POST', `applications/${child}/transfer-project`, there))).toEqual([
    409,
    'BASE_DOMAIN_TAKEN',
  ])
  ok(await send('DELETE', `applications/${own}`), 204)
  ok(await send('POST', `applications/${child}/transfer-project`, there))
  ok(await take(other, domains[1]))
  const [one, two] = [await added(), await added(there)]
  const racing = await Promise.all([take(one, 'race.example.org'), take(two, 'x.race.example.org')])
  expect(racing.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(racing.filter(({ status }) => status === 409)).toHaveLength(1)
})

test('a domain is free again when the previews that have it are turned off, and when their source has no repository', async () => {
  const [first, second] = [await shop(), await shop()]
  const take = (of: Shop) => configure(of.id, { enabled: true, baseDomain: first.domain })
  ok(await configure(first.id, { enabled: false }))
  ok(await take(second))
  expect(refusalIn(await take(first)), 'one that kept its name').toEqual([409, 'BASE_DOMAIN_TAKEN'])
  ok(await send('PATCH', `applications/${second.id}`, { source: { kind: 'IMAGE', image: 'shop:1' } }))
  ok(await take(first))
})

test('another domain leads to them at once', async () => {
  const of = await shop()
  const preview = await opened(of)
  ok(await configure(of.id, { baseDomain: 'moved.example.com' }))
  const moved = { host: `pr-7--${of.slug}.moved.example.com`, backend: 'http' }
  await panel.settledUntil(
    async () => workOf(preview.id).findLast(({ kind }) => kind === 'proxy.put')?.payload.hosts,
    (hosts) => hosts?.[0]?.host === moved.host,
  )
  expect((await previewsOf(of.id))[0].url).toBe(`http://${moved.host}`)
})

test.each([
  ['it is removed', (_of: Shop, id: string) => send('DELETE', `applications/previews/${id}`)],
  ['previews are turned off', ({ id }: Shop) => configure(id, { enabled: false })],
  ['its application is deleted', ({ id }: Shop) => send('DELETE', `applications/${id}`)],
  [
    'its application comes from another repository',
    ({ id }: Shop) =>
      send('PATCH', `applications/${id}`, { source: { ...SOURCE, url: 'https://forge.example/b.git' } }),
  ],
  [
    'its application comes from no repository',
    ({ id }: Shop) => send('PATCH', `applications/${id}`, { source: { kind: 'IMAGE', image: 'shop:1' } }),
  ],
])('nothing of a preview is left when %s', async (_when, change) => {
  const of = await shop()
  const preview = await opened(of)
  expect([200, 204]).toContain((await change(of, preview.id)).status)
  await isGone(preview.id)
  expect((await send('DELETE', `applications/previews/${preview.id}`)).status).toBe(404)
})

test('what a preview has made is removed, too, if it never ran', async () => {
  const of = await shop()
  host.script('release.start', failing('UNHEALTHY'))
  const preview = await opened(of)
  expect(preview.status).toBe('FAILED')
  host.usual('release.start')
  expect(await tell(of, 'closed')).toBe('QUEUED')
  await panel.settledUntil(
    async () => kindsOf(preview.id),
    (kinds) => kinds.includes('release.remove'),
  )
  expect(await heldOf(preview.id)).toEqual([false, false])
})

test('a preview that was removed comes back with new commits', async () => {
  const of = await shop()
  const preview = await opened(of)
  ok(await send('DELETE', `applications/previews/${preview.id}`), 204)
  await isGone(preview.id)
  const again = await opened(of)
  expect(again.id).not.toBe(preview.id)
})

test('a preview that nobody works on goes after its days, and each deployment begins them anew', async () => {
  const of = await shop({ idleDays: 2 })
  const preview = await opened(of)
  const DAY_MS = 86_400_000
  const pass = async (days: number) => {
    panel.passTime(days * DAY_MS)
    owner = { ...owner, as: await panel.signIn(owner.email) }
    await panel.settle()
  }
  await pass(1.5)
  expect(await tell(of, 'pushed')).toBe('QUEUED')
  await pass(1.5)
  expect(await previewsOf(of.id)).toHaveLength(1)
  await pass(1)
  expect(await previewsOf(of.id)).toEqual([])
  await isGone(preview.id)
})

test('a preview and its application are deployed at the same time, each one after the other', async () => {
  const of = await shop()
  const held = gate()
  host.script('image.build', async (work) => {
    await held.wait(work)
    return { imageId: `sha256:${'e'.repeat(64)}`, bytes: 1, ports: [], builder: 'BUILDKIT', cachedSteps: 0 }
  })
  const live = ok(await send('POST', `applications/${of.id}/redeploy`), 202).id
  await tell(of, 'opened')
  const [preview] = await previewsOf(of.id)
  const statusOf = async (id: string) => ok(await send('GET', `deployments/${id}`)).status
  await panel.settledUntil(
    async () => [await statusOf(live), await statusOf(preview.deploymentId)],
    (all) => all.every((status) => status === 'BUILDING'),
  )
  await tell(of, 'pushed')
  const second = (await previewsOf(of.id))[0].deploymentId
  await tell(of, 'pushed')
  const third = (await previewsOf(of.id))[0].deploymentId
  await panel.settle()
  expect(await Promise.all([statusOf(second), statusOf(third)])).toEqual(['SUPERSEDED', 'QUEUED'])
  ok(await send('DELETE', `applications/${of.id}`), 204)
  expect((await send('GET', `deployments/${third}`)).status).toBe(404)
  await isCancelled(preview.id)
  host.usual('image.build')
})

/** One that was deleted while it was built. */
async function isCancelled(previewId: string): Promise<void> {
  await panel.settledUntil(
    async () => kindsOf(previewId),
    (kinds) => kinds.includes('release.remove'),
  )
  expect(kindsOf(previewId)).not.toContain('release.start')
  expect(await heldOf(previewId)).toEqual([false, false])
  const lane = await panel.history()
  const joined = lane.filter(({ type, data }) => type === 'LaneJoined' && data['workloadId'] === previewId)
  const left = lane.filter(({ type }) => type === 'LaneLeft').map(({ data }) => data['deploymentId'])
  expect(joined.length).toBe(3)
  for (const { data } of joined) expect(left).toContain(data['deploymentId'])
}

test('the application does not roll back to what a preview ran, and its size is that of its previews', async () => {
  const of = await shop()
  const preview = await opened(of)
  const commit = ok(await send('GET', `deployments/${preview.deploymentId}`)).commit.sha
  for (const body of [{ deploymentId: preview.deploymentId }, { commit }, {}])
    expect(refusalIn(await send('POST', `applications/${of.id}/rollback`, body))).toEqual([409, 'NOT_SUCCESSFUL'])
  ok(await send('PATCH', `applications/${of.id}`, { memoryMiB: 32 }))
  const reserved = await panel.run(async (unit) => {
    const { workloads } = await unit.look(serverLoad, host.serverId)
    return workloads[`PREVIEW/${preview.id}`]!.memoryMiB
  })
  expect(reserved).toBe(32)
})
