/** Deployments over HTTP: their steps, their turn, what they keep, and who may do what. */
import { afterAll, expect, test } from 'vitest'
import { tasks } from '#panel/agent/decider'
import { textOfFile } from '#panel/agent/long-results'
import { taskOf } from '#panel/deployments/tasks'
import { noteImage } from '#panel/workflows/deployment-steps'
import { gitFetch, imagePull } from '../../../src/tasks/builds.ts'
import { apiKeyFixture } from '../../support/panel/api-key-fixture.ts'
import { deployingHost, failing, gate } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const panel = await startPanel({ dataDir: scratchOfFile() })
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers, keys] = [projectFixture(panel), serverFixture(panel), apiKeyFixture(panel)]
const host = await deployingHost(panel, { servers, owner: root })
afterAll(() => host.stop())

const owner = await panel.somebody()
const projectId = await floor.project(owner)
const environmentId = await floor.environment(owner, projectId, 'live')
const send = (method: string, path: string, body?: unknown, who: { readonly as: string } = owner) =>
  panel.call(method, `/api/${path}`, { as: who.as, ...(body === undefined ? {} : { body }) })

let made = 0
async function application(more: object = {}): Promise<string> {
  const source = { kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }
  const size = { memoryMiB: 16, cpuMillis: 50 }
  const place = { projectId, environmentId, serverId: host.serverId }
  const body = { ...place, name: `App ${(made += 1)}`, source, ...size, ...more }
  return ok(await send('POST', 'applications', body), 201).id
}
const deployment = async (id: string) => ok(await send('GET', `deployments/${id}`))
const ask = async (applicationId: string, what: string, body?: unknown): Promise<string> =>
  ok(await send('POST', `applications/${applicationId}/${what}`, body), 202).id

const until = (id: string, ...statuses: string[]): Promise<any> =>
  panel.settledUntil(
    () => deployment(id),
    ({ status }) => statuses.includes(status),
  )
const succeeds = (id: string) => until(id, 'SUCCEEDED', 'FAILED', 'CANCELLED')
const workOf = (id: string) => host.done.filter(({ payload }) => payload.deploymentId === id)
const kindsOf = (id: string) => workOf(id).map(({ kind }) => kind)
const putsOf = (id: string) => host.done.filter(({ kind, payload }) => kind === 'proxy.put' && payload.owner.id === id)

test('an image is pulled, started and released, and the one before it goes', async () => {
  const id = await application({ command: ['serve'] })
  const first = await ask(id, 'redeploy')
  expect(await deployment(first)).toMatchObject({ kind: 'DEPLOY', cause: { type: 'USER', id: owner.id } })
  const done = await succeeds(first)
  expect(done).toMatchObject({ status: 'SUCCEEDED', failure: null, requestedBy: owner.id, waitingFor: null })
  expect(done.imageId).toMatch(/^sha256:/)
  expect([done.pullingAt, done.startingAt, done.switchingAt, done.endedAt].every(Boolean)).toBe(true)
  expect(kindsOf(first)).toEqual(['image.pull', 'release.start'])
  const [pulled, started] = workOf(first)
  expect(pulled!.payload).toMatchObject({ reference: 'ghcr.io/team/shop:1.2', workload: { kind: 'APPLICATION', id } })
  expect(started!.payload.services).toMatchObject([{ name: 'app', imageId: done.imageId, command: ['serve'] }])
  const second = await ask(id, 'redeploy', { imageTag: '2.0' })
  await succeeds(second)
  expect(workOf(second)[0]!.payload.reference).toBe('ghcr.io/team/shop:2.0')
  await panel.settle()
  await expect.poll(() => kindsOf(first)).toContain('release.retire')
})

test('restart, stop and start keep the image and take the configuration of now, a rollback that of then', async () => {
  const id = await application({ command: ['one'] })
  expect(refusalIn(await send('POST', `applications/${id}/restart`))).toEqual([409, 'NEVER_DEPLOYED'])
  expect(refusalIn(await send('POST', `applications/${id}/rollback`))).toEqual([409, 'NOT_SUCCESSFUL'])
  const variable = (value: string) =>
    send('PATCH', `applications/${id}/env`, { set: [{ name: 'COLOR', value, secret: true }], remove: [] })
  ok(await variable('red'))
  const first = await succeeds(await ask(id, 'redeploy'))
  ok(await variable('blue'))
  ok(await send('PATCH', `applications/${id}`, { command: ['two'] }))
  const started = (deploymentId: string) => {
    const [work] = workOf(deploymentId).filter(({ kind }) => kind === 'release.start')
    const color = work!.secrets.env.find(({ name }: any) => name === 'COLOR').value
    const [{ imageId, command }] = work!.payload.services
    return { imageId, command, color }
  }
  expect(started(first.id)).toEqual({ imageId: first.imageId, command: ['one'], color: 'red' })
  const restart = await succeeds(await ask(id, 'restart'))
  expect(kindsOf(restart.id)).not.toContain('image.pull')
  expect(started(restart.id)).toEqual({ imageId: first.imageId, command: ['two'], color: 'blue' })
  const newer = await succeeds(await ask(id, 'redeploy'))
  const back = await succeeds(await ask(id, 'rollback'))
  expect(back.imageId).toBe(first.imageId)
  expect(started(back.id)).toEqual({ imageId: first.imageId, command: ['two'], color: 'blue' })
  const old = await succeeds(await ask(id, 'rollback', { deploymentId: first.id }))
  expect(started(old.id)).toEqual({ imageId: first.imageId, command: ['one'], color: 'red' })
  const now = await succeeds(await ask(id, 'rollback', { deploymentId: first.id, env: 'NOW' }))
  expect(started(now.id)).toMatchObject({ command: ['one'], color: 'blue' })
  const stop = await succeeds(await ask(id, 'stop'))
  expect(stop).toMatchObject({ kind: 'STOP', status: 'SUCCEEDED', fromId: now.id })
  expect(kindsOf(now.id)).toContain('release.retire')
  const start = await succeeds(await ask(id, 'start'))
  expect(started(start.id)).toMatchObject({ imageId: first.imageId, command: ['two'], color: 'blue' })
  expect(newer.imageId).not.toBe(first.imageId)
  const text = JSON.stringify(await panel.history()) + JSON.stringify(host.done.map(({ payload }) => payload))
  expect(text).not.toContain('"blue"')
})

test('a stop ends when the containers that run are gone, however long those before them take, and at once without any', async () => {
  const id = await application()
  const first = await succeeds(await ask(id, 'redeploy'))
  const [former, last] = [gate(), gate()]
  host.script('release.retire', async (work) => {
    await (work.payload.deploymentId === first.id ? former : last).wait(work)
    return { drainedMs: 0, cut: 0, freedBytes: 0 }
  })
  const second = await succeeds(await ask(id, 'restart'))
  const stop = await ask(id, 'stop')
  const isAsked = () => kindsOf(second.id).includes('release.retire')
  await until(stop, 'STOPPING')
  await expect.poll(isAsked).toBe(true)
  const ends = async () => (await panel.history()).filter(({ type }) => type === 'TaskSucceeded').length
  const before = await ends()
  former.open()
  await expect.poll(ends).toBeGreaterThan(before)
  await panel.settle()
  expect((await deployment(stop)).status).toBe('STOPPING')
  last.open()
  expect((await succeeds(stop)).status).toBe('SUCCEEDED')
  host.usual('release.retire')
  expect((await succeeds(await ask(id, 'stop'))).status).toBe('SUCCEEDED')
})

test('images beyond those that are kept go with the release before', async () => {
  const id = await application({ keepImages: 1 })
  const all = []
  for (let nth = 0; nth < 3; nth += 1) all.push(await succeeds(await ask(id, 'redeploy')))
  const [first, second] = all
  await panel.settle()
  const removed = () => workOf(second.id).flatMap(({ payload }) => payload.imageIds ?? [])
  await expect.poll(removed).toEqual([first.imageId])
  const gone = await send('POST', `applications/${id}/rollback`, { deploymentId: first.id })
  expect(refusalIn(gone)).toEqual([409, 'IMAGE_GONE'])
  expect((await succeeds(await ask(id, 'rollback'))).imageId).toBe(second.imageId)
})

test('a failed step leaves what runs as it is, and says why', async () => {
  const id = await application()
  const first = await succeeds(await ask(id, 'redeploy'))
  host.script('release.start', failing('UNHEALTHY'))
  const failed = await succeeds(await ask(id, 'redeploy'))
  host.usual('release.start')
  const failure = { step: 'STARTING', code: 'UNHEALTHY', message: 'It failed with UNHEALTHY' }
  expect(failed).toMatchObject({ status: 'FAILED', failure })
  expect(kindsOf(first.id)).not.toContain('release.retire')
  const cleared = () => workOf(failed.id).filter(({ kind }) => kind === 'release.retire')
  await expect.poll(cleared).toMatchObject([{ payload: { drainSeconds: 0, imageIds: [failed.imageId] } }])
  expect(refusalIn(await send('POST', `applications/${id}/rollback`, { deploymentId: failed.id }))).toEqual([
    409,
    'NOT_SUCCESSFUL',
  ])
})

test('deployments of an application wait for each other, and a cancelled one is over at once or with its task', async () => {
  const id = await application()
  const pull = gate()
  host.script('image.pull', async (work) => {
    await pull.wait(work)
    return { imageId: `sha256:${'f'.repeat(64)}`, repoDigest: null, ports: [] }
  })
  const running = await ask(id, 'redeploy')
  await until(running, 'PULLING')
  const waiting = await ask(id, 'redeploy')
  expect(await deployment(waiting)).toMatchObject({ status: 'QUEUED', waitingFor: 'LANE' })
  const cancel = (deploymentId: string) => send('POST', `applications/${id}/deployments/${deploymentId}/cancel`)
  ok(await cancel(waiting), 202)
  expect((await deployment(waiting)).status).toBe('CANCELLED')
  ok(await cancel(waiting), 202)
  const other = await ask(id, 'redeploy')
  ok(await cancel(running), 202)
  expect((await succeeds(running)).status).toBe('CANCELLED')
  pull.open()
  host.usual('image.pull')
  expect((await succeeds(other)).status).toBe('SUCCEEDED')
  expect(refusalIn(await cancel(other))).toEqual([409, 'TOO_LATE'])
  const foreign = await application()
  expect((await send('POST', `applications/${foreign}/deployments/${other}/cancel`)).status).toBe(404)
})

test('containers that were started before their cancel reached the agent go', async () => {
  const id = await application()
  const start = Promise.withResolvers<void>()
  host.script('release.start', async () => {
    await start.promise
    return { containers: [] }
  })
  const cancelled = await ask(id, 'redeploy')
  await until(cancelled, 'STARTING')
  await expect.poll(() => kindsOf(cancelled)).toContain('release.start')
  ok(await send('POST', `applications/${id}/deployments/${cancelled}/cancel`), 202)
  start.resolve()
  host.usual('release.start')
  expect((await succeeds(cancelled)).status).toBe('CANCELLED')
  await expect.poll(() => kindsOf(cancelled)).toContain('release.retire')
})

test('the log is that of all its tasks, goes on where a reader was, and is for those who may read logs', async () => {
  const id = await application()
  host.script('image.pull', async ({ say }) => {
    await say('layer 1')
    return { imageId: `sha256:${'e'.repeat(64)}`, repoDigest: null, ports: [] }
  })
  const { id: depId } = await succeeds(await ask(id, 'redeploy'))
  host.usual('image.pull')
  const read = (query = '', who: { readonly as: string } = owner) =>
    send('GET', `applications/${id}/deployments/${depId}${query}`, undefined, who)
  const texts = async (query = '') => ok(await read(query)).log.lines.map(({ text }: any) => text)
  await expect.poll(() => texts()).toEqual(['image.pull begins', 'layer 1', 'release.start begins'])
  const { lines } = ok(await read()).log
  expect(await texts(`?after=${lines[0].seq}`)).toEqual(['layer 1', 'release.start begins'])
  expect(await texts(`?after=${lines[1].seq}`)).toEqual(['release.start begins'])
  expect(ok(await read(`?after=${lines[2].seq}&waitMs=25000`)).log).toEqual({ lines: [], next: lines[2].seq, cut: 0 })
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  expect(ok(await read('', viewer)).log).toBeNull()
  const stranger = await panel.somebody()
  expect((await read('', stranger)).status).toBe(404)
})

test('lists show what the caller may see, by page within an application', async () => {
  const id = await application()
  const all = []
  for (let nth = 0; nth < 3; nth += 1) all.push((await succeeds(await ask(id, 'redeploy'))).id)
  const page = ok(await send('GET', `applications/${id}/deployments?page=2&pageSize=2`))
  expect(page).toMatchObject({ total: 3, page: 2, pageSize: 2, items: [{ id: all[0] }] })
  expect(ok(await send('GET', `applications/${id}/deployments`)).items).toHaveLength(3)
  const listed = ok(await send('GET', `deployments?applicationId=${id}&status=SUCCEEDED`))
  expect(listed.map((each: any) => each.id)).toEqual(all.toReversed())
  expect(ok(await send('GET', 'deployments', undefined, await panel.somebody()))).toEqual([])
})

test('a deleted application ends its deployments and clears its server', async () => {
  const id = await application()
  await succeeds(await ask(id, 'redeploy'))
  const pull = gate()
  host.script('image.pull', (work) => pull.wait(work))
  const running = await ask(id, 'redeploy')
  await until(running, 'PULLING')
  const waiting = await ask(id, 'redeploy')
  ok(await send('DELETE', `applications/${id}?deleteVolumes=true`), 204)
  host.usual('image.pull')
  for (const depId of [running, waiting]) expect((await send('GET', `deployments/${depId}`)).status).toBe(404)
  const cleared = () => host.done.filter(({ kind, payload }) => kind === 'release.remove' && payload.workload.id === id)
  await expect.poll(cleared).toMatchObject([{ payload: { deleteVolumes: true } }])
  expect(cleared()[0]!.payload.imageIds).toHaveLength(1)
  const next = await application()
  expect((await succeeds(await ask(next, 'redeploy'))).status).toBe('SUCCEEDED')
})

test('bad input is refused by the field', async () => {
  const id = await application()
  for (const body of [{ imageTag: '-x' }, { commit: 'abc' }, { branch: '../x' }, { build: 'NEVER' }, { x: 1 }])
    expect((await send('POST', `applications/${id}/redeploy`, body)).status, JSON.stringify(body)).toBe(400)
  const branch = await send('POST', `applications/${id}/redeploy`, { branch: 'main' })
  expect(refusalIn(branch)).toEqual([409, 'NOTHING_TO_DEPLOY'])
  const both = { branch: 'main', commit: 'a'.repeat(40) }
  expect((await send('POST', `applications/${id}/redeploy`, both)).status).toBe(400)
})

test('services of a Compose file each get their image, also when the end of a task is heard of twice', async () => {
  const id = await application({
    source: { kind: 'COMPOSE', service: 'web' },
    port: 8_080,
    memoryMiB: 64,
    cpuMillis: 200,
  })
  const content = 'services: {web: {image: "shop:1"}, cache: {image: "cache:2"}}\n'
  ok(await send('PATCH', `applications/${id}/files/compose`, { content }))
  const second = gate()
  const imageOf = (reference: string) => `sha256:${Buffer.from(reference.padEnd(32)).toString('hex')}`
  let pulls = 0
  host.script('image.pull', async (work) => {
    if ((pulls += 1) === 2) await second.wait(work)
    return { imageId: imageOf(work.payload.reference), repoDigest: null, ports: [] }
  })
  const depId = await ask(id, 'redeploy')
  await expect.poll(() => panel.settle().then(() => pulls)).toBe(2)
  const heardAgain = (nth: number) =>
    panel.run(async (unit) => {
      const ended = await unit.look(tasks, taskOf({ id: depId }, imagePull, nth))
      await noteImage({ unit, installation: 'a panel', appsDomain: '', baseImages: '', imageMarks: '' }, ended!)
    })
  await heardAgain(0)
  const healthy = gate()
  host.script('release.start', async (work) => {
    await healthy.wait(work)
    return { containers: [], switched: await work.mayCommit() }
  })
  second.open()
  await until(depId, 'STARTING')
  await heardAgain(1)
  healthy.open()
  expect(await succeeds(depId)).toMatchObject({ status: 'SUCCEEDED' })
  host.usual('image.pull')
  host.usual('release.start')
  expect(kindsOf(depId), 'nothing was asked for anew').toEqual(['image.pull', 'image.pull', 'release.start'])
  expect(putsOf(id), 'the start has switched').toEqual([])
  const started = workOf(depId).find(({ kind }) => kind === 'release.start')!
  const images = started.payload.services.map(({ name, imageId }: any) => [name, imageId])
  expect(Object.fromEntries(images)).toEqual({ web: imageOf('shop:1'), cache: imageOf('cache:2') })
})

test('what no task can say fails a deployment, and the next one has its turn', async () => {
  const id = await application({ source: { kind: 'COMPOSE', service: null }, memoryMiB: 320, cpuMillis: 1_000 })
  const write = (content: string) => send('PATCH', `applications/${id}/files/compose`, { content })
  const [nine, long] = [Array.from({ length: 9 }, (_, nth) => `v${nth}`), 'x'.repeat(280)]
  const mounts = nine.map((name) => `'${name}:/${name}/${long}'`).join(', ')
  const services = Array.from({ length: 20 }, (_, nth) => `  s${nth}: {image: x, volumes: [${mounts}]}`).join('\n')
  ok(await write(`services:\n${services}\nvolumes: {${nine.map((name) => `${name}: {}`).join(', ')}}\n`))
  const failed = await succeeds(await ask(id, 'redeploy'))
  expect(failed).toMatchObject({ status: 'FAILED', failure: { step: 'STARTING', code: 'CONFIGURATION_TOO_LARGE' } })
  ok(await write('services: {web: {image: x}}\n'))
  expect((await succeeds(await ask(id, 'redeploy'))).status).toBe('SUCCEEDED')
})

test('a restart that waited for a deployment is one of what that has released', async () => {
  const id = await application()
  await succeeds(await ask(id, 'redeploy'))
  const pull = gate()
  host.script('image.pull', async (work) => {
    await pull.wait(work)
    return { imageId: `sha256:${'d'.repeat(64)}`, repoDigest: null, ports: [] }
  })
  const second = await ask(id, 'redeploy')
  await until(second, 'PULLING')
  const restart = await ask(id, 'restart')
  pull.open()
  expect((await succeeds(restart)).imageId).toBe(`sha256:${'d'.repeat(64)}`)
  host.usual('image.pull')
})

test('a key that is limited to other projects deploys nothing here', async () => {
  const applicationId = await application()
  const elsewhere = await floor.project(owner)
  const scopes = ['project:apps:deploy']
  const keyFor = async (projectIds: string[]) => (await keys.minted(owner, { scopes, projectIds })).secret
  const deploy = async (as: string) => send('POST', 'deployments', { applicationId }, { as })
  expect((await deploy(await keyFor([elsewhere]))).status).toBe(404)
  const asked = ok(await deploy(await keyFor([projectId])), 202)
  expect(asked.cause.type).toBe('KEY')
  await succeeds(asked.id)
})

test('the same commit of a repository is built once, each service of its Compose file', async () => {
  const content = 'services:\n  web: {build: web}\n  work: {build: work}\n  cache: {image: "cache:2"}\n'
  const commit = 'c'.repeat(40)
  const facts = { entries: ['compose.yaml'], files: [{ path: 'compose.yaml', text: content }] }
  host.script('git.fetch', () => ({ commit, subject: 'Add it', changed: true, hostKey: null, facts }))
  const source = {
    kind: 'GIT',
    url: 'https://forge.example/ada/shop.git',
    branch: 'main',
    build: 'COMPOSE',
    service: 'web',
  }
  const id = await application({ source, port: 8_080, memoryMiB: 256, cpuMillis: 400 })
  const first = await succeeds(await ask(id, 'redeploy'))
  expect(kindsOf(first.id).filter((kind) => kind === 'image.build')).toHaveLength(2)
  const again = await succeeds(await ask(id, 'redeploy'))
  expect(again).toMatchObject({ status: 'SUCCEEDED', commit: { sha: commit, subject: 'Add it' } })
  expect(kindsOf(again.id)).toEqual(['git.fetch', 'image.pull', 'release.start'])
  const always = await succeeds(await ask(id, 'redeploy', { build: 'ALWAYS' }))
  expect(kindsOf(always.id).filter((kind) => kind === 'image.build')).toHaveLength(2)

  // What is started again is still of its commit, and no proof that it was built with the variables of now.
  const restarted = await succeeds(await ask(id, 'restart'))
  expect(restarted.commit).toEqual({ sha: commit, subject: 'Add it' })
  const { secrets } = workOf(restarted.id).find(({ kind }) => kind === 'release.start')!
  expect(secrets.env).toContainEqual({ service: 'web', name: 'DAYBOOK_COMMIT', value: commit })
  const back = await succeeds(await ask(id, 'rollback', { deploymentId: first.id }))
  expect(back.commit).toEqual({ sha: commit, subject: 'Add it' })
  const built = await succeeds(await ask(id, 'redeploy'))
  expect(kindsOf(built.id).filter((kind) => kind === 'image.build')).toHaveLength(2)
  host.usual('git.fetch')
})

test('a server that is offline for days is cleared of a deleted application when it is back', async () => {
  const id = await application()
  host.script('release.start', failing('UNHEALTHY'))
  expect((await succeeds(await ask(id, 'redeploy'))).status).toBe('FAILED')
  host.usual('release.start')
  ok(await send('DELETE', `applications/${id}?deleteVolumes=true`), 204)
  const sql = `SELECT expires_at FROM read.tasks WHERE kind = 'release.remove' AND cause_id = $1`
  const days = async () => {
    const { rows } = await panel.superuser.query(sql, [id])
    return rows.map((row) => Math.round((Date.parse(row.expires_at) - Date.now()) / 86_400_000))
  }
  // Its volumes may be there though it never ran.
  await expect.poll(days).toEqual([365])
  const none = await application()
  ok(await send('DELETE', `applications/${none}`), 204)
  expect((await panel.superuser.query(sql, [none])).rows).toEqual([])
})

test('neither the files of a repository nor the commands of its services stand in an event', async () => {
  const [inFile, inCommand, inCheck] = ['canary-of-a-file', 'canary-of-a-command', 'canary-of-a-check']
  const web = `{image: x, command: [serve, ${inCommand}], healthcheck: {test: [CMD, check, ${inCheck}]}}`
  const files = [{ path: 'compose.yaml', text: `# ${inFile}\nservices:\n  web: ${web}\n` }]
  const found = { commit: 'd'.repeat(40), subject: 'Add', changed: true, hostKey: null }
  host.script('git.fetch', () => ({ ...found, facts: { entries: ['compose.yaml'], files } }))
  const url = 'https://forge.example/ada/shop.git'
  const id = await application({ source: { kind: 'GIT', url, branch: 'main', build: 'COMPOSE' } })
  for (const kind of ['release.start', 'release.replace']) {
    const done = await succeeds(await ask(id, 'redeploy', { build: 'ALWAYS' }))
    expect(done, JSON.stringify(done.failure)).toMatchObject({ status: 'SUCCEEDED', commit: { sha: found.commit } })
    const [service] = workOf(done.id).find((work) => work.kind === kind)!.payload.services
    expect([service.command.at(-1), service.health.command.at(-1)]).toEqual([inCommand, inCheck])
    if (kind === 'release.start') ok(await send('PATCH', `applications/${id}`, { rollover: 'STOP_FIRST' }))
  }
  const dump = await panel.dump()
  for (const canary of [inFile, inCommand, inCheck]) expect(dump.includes(canary), canary).toBe(false)
  host.usual('git.fetch')
})

test('facts that an earlier version has put into the event count, and those that are gone fail a deployment', async () => {
  const source = { kind: 'GIT', url: 'https://forge.example/ada/shop.git', branch: 'main' }
  const fetching = gate()
  host.script('git.fetch', (work) => fetching.wait(work))
  const endedWith = async (result: string) => {
    const depId = await ask(await application({ source }), 'redeploy')
    await until(depId, 'FETCHING')
    const taskId = taskOf({ id: depId }, gitFetch)
    await expect.poll(() => panel.run(async (unit) => (await unit.look(tasks, taskId))!.state)).toBe('RUNNING')
    const end = { outcome: 'SUCCEEDED', attempt: 1, result, retry: gitFetch } as const
    await panel.run((unit) => unit.decide(tasks, taskId, 'End', end))
    return succeeds(depId)
  }
  const facts = { entries: ['Dockerfile'], files: [{ path: 'Dockerfile', text: 'FROM x' }] }
  const found = { commit: 'f'.repeat(40), subject: 'Then', changed: true, hostKey: null, facts }
  expect(await endedWith(JSON.stringify(found))).toMatchObject({ status: 'SUCCEEDED', commit: { subject: 'Then' } })
  expect(await endedWith(textOfFile({ bytes: 1, sha256: '0'.repeat(64) }))).toMatchObject({
    status: 'FAILED',
    failure: { step: 'FETCHING', code: 'FACTS_GONE' },
  })
  fetching.open()
  host.usual('git.fetch')
})

test('secrets reach a build beside its arguments, and variables of a running container do not', async () => {
  const id = await application({ source: { kind: 'DOCKERFILE' } })
  ok(await send('PATCH', `applications/${id}/files/dockerfile`, { content: 'FROM x\nARG PLAIN\n' }))
  const set = [
    { name: 'PLAIN', value: 'seen', when: 'BUILD' },
    { name: 'HIDDEN', value: 'canary-of-a-build', secret: true, when: 'BUILD' },
    { name: 'BOTH', value: 'canary-of-both', secret: true, when: 'BOTH' },
    { name: 'RUN', value: 'canary-of-a-run', secret: true, when: 'RUN' },
  ]
  ok(await send('PATCH', `applications/${id}/env`, { set }))
  const done = await succeeds(await ask(id, 'redeploy'))
  const { secrets, payload } = workOf(done.id).find(({ kind }) => kind === 'image.build')!
  expect(secrets.args).toEqual([{ name: 'PLAIN', value: 'seen' }])
  expect(secrets.secrets.toSorted((one: any, other: any) => (one.name < other.name ? -1 : 1))).toEqual([
    { name: 'BOTH', value: 'canary-of-both' },
    { name: 'HIDDEN', value: 'canary-of-a-build' },
  ])
  expect(JSON.stringify(payload)).not.toContain('canary')
})
