/** A provider that applications use is removed only by who says so, whatever is being fetched with it. */
import { afterAll, expect, test } from 'vitest'
import type { Task } from '#panel/agent/decider'
import { fetchSecrets } from '#panel/deployments/secrets'
import { gitProviders } from '#panel/git-providers/decider'
import { deployingHost, gate } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const panel = await startPanel({ dataDir: scratchOfFile() })
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const host = await deployingHost(panel, { servers, owner: root })
afterAll(() => host.stop())
const owner = await panel.somebody()
const projectId = await floor.project(owner)
const environmentId = await floor.environment(owner, projectId, 'live')

const send = (method: string, path: string, body?: unknown, who: { readonly as: string } = owner) =>
  panel.call(method, `/api/${path}`, { as: who.as, ...(body === undefined ? {} : { body }) })
const FORGE = 'https://forge.example'
const TOKEN = 'canary-token-of-the-provider'
const SHARED = { projectId, repositories: ['ada/shop'] }
let made = 0

async function provider(more: object = {}, who = owner): Promise<string> {
  const body = { kind: 'GENERIC', name: 'Ours', baseUrl: FORGE, token: TOKEN, ...more }
  return ok(await send('POST', 'git-providers', body, who), 201).id
}

async function application(providerId: string | null): Promise<string> {
  const source = { kind: 'GIT', url: `${FORGE}/ada/shop.git`, branch: 'main', providerId }
  const place = { projectId, environmentId, serverId: host.serverId, memoryMiB: 16, cpuMillis: 50 }
  return ok(await send('POST', 'applications', { ...place, name: `App ${(made += 1)}`, source }), 201).id
}

const remove = (id: string, query = '', who: { readonly as: string } = owner) =>
  send('DELETE', `git-providers/${id}${query}`, undefined, who)
const deploy = async (id: string): Promise<string> => ok(await send('POST', `applications/${id}/redeploy`, {}), 202).id
const fetches = () => host.done.filter(({ kind }) => kind === 'git.fetch').length
const fetchesSoon = async () => {
  await panel.settle()
  return fetches()
}

async function ended(id: string): Promise<any> {
  await expect
    .poll(
      async () => {
        await panel.settle()
        return ok(await send('GET', `deployments/${id}`)).endedAt
      },
      { timeout: 10_000 },
    )
    .not.toBeNull()
  return ok(await send('GET', `deployments/${id}`))
}

test('while an application uses it, it is removed only with detach', async () => {
  const [used, unused] = [await provider(), await provider()]
  const [first, second] = [await application(used), await application(used)]
  ok(await remove(unused), 204)
  expect(refusalIn(await remove(used))).toEqual([409, 'IN_USE'])
  expect(refusalIn(await remove(used, '?detach=false'))).toEqual([409, 'IN_USE'])
  expect((await remove(used, '?detach=perhaps')).status).toBe(400)
  ok(await send('DELETE', `applications/${first}`), 204)
  expect(refusalIn(await remove(used)), 'the other one uses it').toEqual([409, 'IN_USE'])
  const elsewhere = { kind: 'GIT', url: `${FORGE}/ada/shop.git`, branch: 'main', providerId: null }
  ok(await send('PATCH', `applications/${second}`, { source: elsewhere }))
  ok(await remove(used), 204)

  const another = await provider()
  const third = await application(another)
  ok(await remove(another, '?detach=true'), 204)
  expect(ok(await send('GET', `applications/${third}`)).source.providerId).toBe(another)
  const done = await ended(await deploy(third))
  expect(done).toMatchObject({ status: 'FAILED', failure: { code: 'NO_PROVIDER' } })
})

test('who may not remove it does not learn whether it is used', async () => {
  const [member, stranger] = [await floor.member(owner, projectId, { role: 'DEVELOPER' }), await panel.somebody()]
  const [shared, own] = [await provider(SHARED), await provider()]
  const before = [await remove(shared, '', member), await remove(own, '', stranger)]
  await application(shared)
  await application(own)
  const after = [await remove(shared, '', member), await remove(own, '', stranger)]
  expect(after.map(({ status }) => status)).toEqual([403, 404])
  expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text))
})

test('an administrator of its project learns of uses elsewhere that there are some, and not which', async () => {
  const admin = await floor.member(owner, projectId, { role: 'ADMIN' })
  const shared = await provider(SHARED)
  const place = { projectId: await floor.project(owner, 'Secret'), serverId: host.serverId }
  const environment = await floor.environment(owner, place.projectId, 'live')
  const source = { kind: 'GIT', url: `${FORGE}/ada/other.git`, branch: 'main', providerId: shared }
  const size = { memoryMiB: 16, cpuMillis: 50 }
  const body = { ...place, ...size, environmentId: environment, name: 'Hidden', source }
  const { id } = ok(await send('POST', 'applications', body), 201)
  const refused = await remove(shared, '', admin)
  expect(refusalIn(refused)).toEqual([409, 'IN_USE'])
  for (const secret of [id, 'Hidden', place.projectId]) expect(refused.text).not.toContain(secret)
})

test('a fetch that runs goes on with what it was given; one that has not begun ends at once', async () => {
  const id = await provider()
  const [running, waiting] = [await application(id), await application(id)]
  const held = gate()
  const before = fetches()
  host.script('git.fetch', async (work) => {
    await held.wait(work)
    return { commit: 'c'.repeat(40), subject: 'Add it', changed: true, hostKey: 'ssh-ed25519 AAAA', facts: FACTS }
  })
  const one = await deploy(running)
  await expect.poll(fetchesSoon, { timeout: 10_000 }).toBe(before + 1)
  expect(refusalIn(await remove(id))).toEqual([409, 'IN_USE'])
  ok(await remove(id, '?detach=true'), 204)
  const other = await ended(await deploy(waiting))
  expect(other).toMatchObject({ status: 'FAILED', failure: { code: 'NO_PROVIDER' } })
  held.open()
  expect(await ended(one)).toMatchObject({ status: 'SUCCEEDED', commit: { subject: 'Add it' } })
  host.usual('git.fetch')
  const again = await ended(await deploy(running))
  expect(again).toMatchObject({ status: 'FAILED', failure: { code: 'NO_PROVIDER' } })
  expect(await panel.dump()).not.toContain(TOKEN)
})

test('a task that was asked for one address gets no credentials of another, and pins no key of its server', async () => {
  const elsewhere = { kind: 'GIT', url: 'https://attacker.example/ada/shop.git', branch: 'main', providerId: null }
  const shared = await provider(SHARED)
  const own = { kind: 'GIT', url: `${FORGE}/ada/shop.git`, branch: 'main', providerId: shared }
  const id = await application(null)
  ok(await send('PATCH', `applications/${id}`, { source: elsewhere }))
  const before = fetches()
  const asked = await panel.run(async (unit) => unit.load(gitProviders, shared))
  expect(asked!.hostKey).toBeNull()
  const held = gate()
  host.script('git.fetch', async (work) => {
    await held.wait(work)
    return { commit: 'd'.repeat(40), subject: 'Add it', changed: true, hostKey: 'ssh-ed25519 EVIL', facts: FACTS }
  })
  const first = await deploy(id)
  await expect.poll(fetchesSoon, { timeout: 10_000 }).toBe(before + 1)
  ok(await send('PATCH', `applications/${id}`, { source: own }))
  held.open()
  await ended(first)
  expect((await panel.run(async (unit) => unit.load(gitProviders, shared)))!.hostKey).toBeNull()

  ok(await send('PATCH', `applications/${id}`, { source: elsewhere }))
  const task = {
    taskId: id,
    causeId: first,
    payload: JSON.stringify({ ...host.done.findLast(({ kind }) => kind === 'git.fetch')!.payload, url: elsewhere.url }),
  } as Task
  const call = { run: panel.run, service: panel.panel.services } as Parameters<typeof fetchSecrets>[1]
  expect((await fetchSecrets(task, call)).login).toEqual({ kind: 'NONE' })
  ok(await send('PATCH', `applications/${id}`, { source: own }))
  await expect(fetchSecrets(task, call)).rejects.toMatchObject({ statusCode: 409, code: 'SOURCE_CHANGED' })
  const right = { ...task, payload: JSON.stringify({ ...JSON.parse(task.payload), url: own.url }) }
  expect((await fetchSecrets(right, call)).login).toMatchObject({ kind: 'PASSWORD', password: TOKEN })
})

test('at a server without an API, another case is another repository', async () => {
  const member = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const shared = await provider(SHARED)
  const place = { projectId, environmentId, serverId: host.serverId, memoryMiB: 16, cpuMillis: 50 }
  const source = { kind: 'GIT', url: `${FORGE}/ada/SHOP.git`, branch: 'main', providerId: shared }
  const refused = await send('POST', 'applications', { ...place, name: 'Case', source }, member)
  expect(refusalIn(refused)[0]).toBeGreaterThanOrEqual(400)
})

const FACTS = { entries: ['Dockerfile'], files: [{ path: 'Dockerfile', text: 'FROM scratch\n' }] }
