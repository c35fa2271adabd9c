/** A push becomes a running application, and what follows loses no request: with a real repository, engine and proxy. */
import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { BUSYBOX, loadBusybox } from '../../support/busybox-image.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { ask, clients, noHaproxy } from '../../support/haproxy.ts'
import { panelOfAgent } from '../../support/panel/agents-panel.ts'
import { agentOnEngine } from '../../support/panel/engine-agent.ts'
import { openLogClient } from '../../support/panel/log-client.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { SHOP_PORT, shopRepository } from '../../support/panel/shop-repository.ts'
import { fromGitHub, gitHubPush } from '../../support/panel/webhooks/deliveries.ts'
import { deliveredBy } from '../../support/panel/webhooks/pull-requests.ts'
import type { Happened } from '../../support/panel/webhooks/pull-requests.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const isSkipped = noEngine !== undefined || noHaproxy !== undefined
const FORGE_TOKEN = 'token-of-the-forge-4d1c'
const BUILD_SECRET = 'secret-of-the-build-93ab\nits-second-line-7c21\nand-the-third-of-it-0f'
const RUN_SECRET = 'red-secret-55e0'
const KEY = '-----BEGIN CANARY-----\nfirst-line-of-the-key-b1\nsecond-line-of-the-key-a7\n-----END CANARY-----'
const HALVES = 'a-secret-in-two-halves-4e9d'
const ROLLBACK_MS = 5_000

const panel = await startPanel({ dataDir: scratchOfFile(), gitAllow: ['127.0.0.1'] })
await panel.licensed()
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const root = await panel.somebody('SUPERADMIN')
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
/** The process that the agent calls. What it does for users is done by the panel of the test file, on the same database. */
const agentsPanel = isSkipped ? undefined : await panelOfAgent(panel)
const agent =
  engine &&
  (await agentOnEngine(
    { ...panel, url: agentsPanel!.url },
    { servers, owner: root, engineId: 'of the story', engine, backOff: { longestMs: 1_000 } },
  ))
const shop = await shopRepository(scratchOfFile(), { secret: 'BUILD_TOKEN', token: FORGE_TOKEN })
afterAll(async () => {
  await agent?.stop()
  await agentsPanel?.kill()
  await engine?.stop()
  shop.close()
})
if (engine) await loadBusybox(engine)
const baseImages = { as: root.as, body: { value: `static=${BUSYBOX}` } }
ok(await panel.call('PATCH', '/api/admin/settings/baseImages', baseImages))

const ada = await panel.somebody()
const projectId = await floor.project(ada)
const environmentId = await floor.environment(ada, projectId, 'live')
const send = (method: string, path: string, body?: unknown, who: { readonly as: string } = ada) =>
  panel.call(method, `/api/${path}`, { as: who.as, ...(body === undefined ? {} : { body }) })

async function createShop() {
  await servers.grant(root, agent!.serverId, { userId: ada.id })
  const forge = { kind: 'GENERIC', name: 'Forge', baseUrl: shop.baseUrl, username: 'ada', token: FORGE_TOKEN }
  const { id: providerId } = ok(await send('POST', 'git-providers', forge), 201)
  const { id } = ok(
    await send('POST', 'applications', {
      projectId,
      environmentId,
      serverId: agent!.serverId,
      name: 'Shop',
      source: { kind: 'GIT', providerId, url: shop.url, branch: 'main' },
      port: SHOP_PORT,
      memoryMiB: 128,
      cpuMillis: 1_000,
      stopSeconds: 1,
      drainSeconds: 10,
      healthCheck: { kind: 'HTTP', path: '/?ms=1', intervalSeconds: 1, startSeconds: 3 },
    }),
    201,
  )
  const set = [
    { name: 'BUILD_TOKEN', value: BUILD_SECRET, secret: true, when: 'BUILD' },
    { name: 'COLOR', value: 'red', when: 'RUN' },
    { name: 'PASSWORD', value: RUN_SECRET, secret: true, when: 'RUN' },
    { name: 'KEY', value: KEY, secret: true, when: 'RUN' },
    { name: 'HALVES', value: HALVES, secret: true, when: 'RUN' },
  ]
  ok(await send('PATCH', `applications/${id}/env`, { set }))
  ok(await send('PATCH', `applications/${id}/auto-deploy`, { enabled: true }))
  const { secret } = ok(await send('GET', `applications/${id}/webhook`))
  // Other tests of this machine have the first one.
  const port = randomInt(20_100, 29_999)
  ok(await send('PATCH', `applications/${id}/ports`, { ports: [{ id: null, hostPort: port }] }))
  return { id: id as string, secret: secret as string, port }
}
const app = isSkipped ? { id: '', secret: '', port: 0 } : await createShop()

const deployment = async (id: string) => ok(await send('GET', `deployments/${id}`))
const order = async (what: string, body?: unknown): Promise<string> =>
  ok(await send('POST', `applications/${app.id}/${what}`, body), 202).id
const newestSucceeded = async () => {
  const { items } = ok(await send('GET', `applications/${app.id}/deployments`))
  return items.find(({ status, previewId }: any) => status === 'SUCCEEDED' && previewId === null)
}
const newest = async (): Promise<string> => ok(await send('GET', `applications/${app.id}/deployments`)).items[0].id

/** What a forge sends after a push. @returns the deployment */
async function deliver(): Promise<string> {
  const { headers, body } = fromGitHub(app.secret, 'push', gitHubPush())
  const reply = await panel.call('POST', `/api/webhooks/applications/${app.id}`, { headers, raw: body })
  expect(ok(reply, 202)).toEqual({ outcome: 'QUEUED' })
  await panel.settle()
  return newest()
}

const logOf = async (id: string): Promise<string> =>
  ok(await send('GET', `applications/${app.id}/deployments/${id}`))
    .log.lines.map(({ text }: any) => text)
    .join('\n')
const over = (id: string): Promise<any> =>
  panel
    .settledUntil(
      () => deployment(id),
      ({ endedAt }) => endedAt !== null,
    )
    .catch(async (cause: Error) => {
      throw new Error(`${cause.message}: ${await logOf(id)}`, { cause })
    })
const answers = async () => (await ask(app.port, { path: '/?ms=1' })).body.from
const images = async (): Promise<string[]> =>
  (await engine!.api('GET', '/images/json')).flatMap(({ RepoTags }: any) => RepoTags ?? ['none'])
const containers = async () =>
  (await engine!.api('GET', '/containers/json?all=true')).map(({ Labels }: any) => Labels['daybook.deployment'])

/** Requests that take two seconds, one after the other. @returns what ends them, and says their answers */
function slowClient() {
  const statuses: number[] = []
  let isOver = false
  const all = (async () => {
    while (!isOver)
      statuses.push(
        await ask(app.port, { path: '/?ms=700' }).then(
          ({ status }) => status,
          () => 0,
        ),
      )
  })()
  return async () => {
    isOver = true
    await all
    return statuses
  }
}

/** Under clients that keep their connections and others that do not. @returns the versions that have answered */
async function underLoad<Result>(work: () => Promise<Result>) {
  const [load, endSlow] = [clients(app.port), slowClient()]
  await expect.poll(() => load.tally.answered, { timeout: 20_000 }).toBeGreaterThan(20)
  const result = await work()
  const { answered } = load.tally
  await expect.poll(() => load.tally.answered, { timeout: 20_000 }).toBeGreaterThan(answered + 20)
  const [{ lost, from }, statuses] = await Promise.all([load.stop(), endSlow()])
  expect([lost, statuses.filter((status) => status !== 200)]).toEqual([[], []])
  return { result, from: [...from] }
}

/** Of all processes, looked at again and again. @returns what ends it, and says all that were seen */
function commandLines() {
  const seen = new Set<string>()
  const looking = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      } catch {
        // It has ended.
      }
  }, 25)
  return () => {
    clearInterval(looking)
    return [...seen].join('\n')
  }
}
let seenCommands = ''

test.skipIf(isSkipped)('a push is built with a secret, runs and answers', async () => {
  const commit = shop.push('v1')
  const endLooking = commandLines()
  const id = await deliver()
  const done = await over(id)
  seenCommands = endLooking()
  expect(done, JSON.stringify([done.failure, await logOf(id)])).toMatchObject({
    status: 'SUCCEEDED',
    cause: { type: 'WEBHOOK' },
    commit: { sha: commit, subject: 'v1' },
  })
  expect(await answers()).toBe('v1 red')
  expect(await logOf(id)).toContain('token ***')
})

test.skipIf(isSkipped)('a second push takes over without a lost request', async () => {
  const { result, from } = await underLoad(async () => {
    shop.push('v2')
    return over(await deliver())
  })
  expect(result).toMatchObject({ status: 'SUCCEEDED', commit: { subject: 'v2' } })
  expect(from.toSorted()).toEqual(['v1 red', 'v2 red'])
  expect(await answers()).toBe('v2 red')
  await expect.poll(async () => (await panel.settle(), await containers()), { timeout: 20_000 }).toEqual([result.id])
})

test.skipIf(isSkipped)('a version that never gets healthy fails, and the one before goes on', async () => {
  const before = [await containers(), await images()]
  const { result, from } = await underLoad(async () => {
    shop.pushFailing('v3', 'v3 has no database')
    return over(await deliver())
  })
  expect(result).toMatchObject({ status: 'FAILED', failure: { step: 'STARTING', code: 'UNHEALTHY' } })
  expect(await logOf(result.id)).toContain('v3 has no database')
  expect(from).toEqual(['v2 red'])
  const now = async () => (await panel.settle(), [await containers(), await images()])
  await expect.poll(now).toEqual(before)
})

test.skipIf(isSkipped)(
  'a rollback takes less than five seconds, builds nothing and has the variables of then',
  async () => {
    ok(await send('PATCH', `applications/${app.id}/env`, { set: [{ name: 'COLOR', value: 'blue' }] }))
    const had = await images()
    const rollBack = async () => {
      const begunMs = performance.now()
      const done = await over(await order('rollback', { env: 'THEN' }))
      return { ...done, tookMs: performance.now() - begunMs }
    }
    const { result, from } = await underLoad(rollBack)
    expect(result).toMatchObject({ status: 'SUCCEEDED', kind: 'ROLLBACK', buildingAt: null, fetchingAt: null })
    let { tookMs } = result
    // A machine with other work gets two more tries: there, and back again.
    for (let tries = 0; tries < 2 && tookMs >= ROLLBACK_MS; tries += 1) {
      await rollBack()
      ;({ tookMs } = await rollBack())
    }
    expect(tookMs).toBeLessThan(ROLLBACK_MS)
    expect(from.toSorted()).toEqual(['v1 red', 'v2 red'])
    expect(await images()).toEqual(had)
    expect(await answers()).toBe('v1 red')
  },
)

test.skipIf(isSkipped)('a restart takes a changed variable without a lost request', async () => {
  const { result, from } = await underLoad(async () => over(await order('restart')))
  expect(result).toMatchObject({ status: 'SUCCEEDED', kind: 'RESTART' })
  expect(from.toSorted()).toEqual(['v1 blue', 'v1 red'])
})

test.skipIf(isSkipped)(
  'a build goes on while the panel is dead, and its deployment ends when the panel is back',
  async () => {
    const { result } = await underLoad(async () => {
      shop.push('v4', 2)
      const id = await deliver()
      await expect.poll(async () => (await panel.settle(), logOf(id)), { timeout: 20_000 }).toContain('sleep 2')
      await agentsPanel!.kill()
      await expect.poll(images, { timeout: 20_000 }).toContainEqual(expect.stringContaining(id))
      expect((await deployment(id)).status).toBe('BUILDING')
      await agentsPanel!.start()
      return over(id)
    })
    expect(result).toMatchObject({ status: 'SUCCEEDED', commit: { subject: 'v4' } })
    expect(await answers()).toBe('v4 blue')
    const all: { type: string; data: any }[] = await panel.history()
    const queued = all.filter(({ type, data }) => type === 'TaskQueued' && data.causeId === result.id)
    const kinds = new Map(queued.map(({ data }) => [data.taskId, data.kind]))
    const begun = all.filter(({ type, data }) => type === 'TaskStarted' && kinds.has(data.taskId))
    const once = ['git.fetch', 'image.build', 'release.start']
    expect(begun.map(({ data }) => kinds.get(data.taskId))).toEqual(once)
  },
)

test.skipIf(isSkipped)('it stops, is stopped again, and starts', async () => {
  expect(await over(await order('stop'))).toMatchObject({ status: 'SUCCEEDED', kind: 'STOP' })
  expect(await containers()).toEqual([])
  expect((await ask(app.port)).status).toBe(503)
  expect(await over(await order('stop'))).toMatchObject({ status: 'SUCCEEDED' })
  expect(await over(await order('start'))).toMatchObject({ status: 'SUCCEEDED', kind: 'START' })
  expect(await answers()).toBe('v4 blue')
})

test.skipIf(isSkipped)('a viewer sees neither log lines nor variables', async () => {
  const bob = await floor.member(ada, projectId, { role: 'VIEWER' })
  const all = ok(await send('GET', `applications/${app.id}/deployments`, undefined, bob)).items
  expect(all.length).toBeGreaterThan(8)
  for (const { id } of all) {
    const shown = await send('GET', `applications/${app.id}/deployments/${id}`, undefined, bob)
    expect(ok(shown).log).toBeNull()
    expect(shown.text).not.toMatch(/has no database|begins|red-secret/)
  }
  expect((await send('GET', `applications/${app.id}/env`, undefined, bob)).status).toBe(403)
})

/** Line by line, and as programs encode it. */
const formsOf = (secret: string): string[] => [
  ...secret.split('\n'),
  encodeURIComponent(secret),
  // The last characters change with what follows.
  ...Buffer.from(secret)
    .toString('base64')
    .match(/.{1,76}/g)!
    .map((line) => line.slice(0, -4))
    .filter(({ length }) => length >= 8),
]

const filesBelow = (directory: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]),
  )

test.skipIf(isSkipped)('no secret is in an event, a log, a stream, a command, an image or a file', async () => {
  const places: Record<string, string> = {
    database: await panel.dump(),
    logs: panel.logs(),
    commands: seenCommands,
    ...filesBelow(agent!.directory),
  }
  const stream = await openLogClient(panel.url, { path: `/api/applications/${app.id}/logs/stream`, as: ada.as })
  const saidBy = (lines: readonly any[]) => lines.map(({ text }) => text).join('\n')
  const streamed = () => saidBy(stream.lines.map(({ data }) => data))
  await stream.until(() => /^halves \*\*\*$/m.test(streamed()))
  stream.close()
  places['stream'] = streamed()
  places['application'] = saidBy(ok(await send('GET', `applications/${app.id}/logs`)).lines)
  for (const { id } of ok(await send('GET', `applications/${app.id}/deployments`)).items)
    places[`deployment ${id}`] = await logOf(id)
  for (const { Id, RepoTags } of await engine!.api('GET', '/images/json')) {
    const about = [await engine!.api('GET', `/images/${Id}/history`), await engine!.api('GET', `/images/${Id}/json`)]
    places[`${RepoTags}`] = JSON.stringify(about)
    places[`layers of ${RepoTags}`] = await engine!.api('GET', `/images/${Id}/get`)
  }
  // They are looked at, and hold what is no secret.
  expect(places['application']).toMatch(/^key \*\*\*$/m)
  expect(seenCommands).toContain(`httpd\0-f\0-p\0${SHOP_PORT}`)
  expect(places[join(agent!.directory, 'proxy', 'haproxy.cfg')]).toContain('backend')
  expect(Object.entries(places).some(([place, text]) => place.startsWith('layers') && text.includes('cgi-bin'))).toBe(
    true,
  )
  for (const [place, text] of Object.entries(places))
    for (const secret of [FORGE_TOKEN, BUILD_SECRET, RUN_SECRET, KEY, HALVES, app.secret])
      for (const form of formsOf(secret)) expect(text.includes(form), `${place} has ${form}`).toBe(false)
})

/** What a forge sends of a pull request. @returns the preview, if there is one */
async function tell(what: Happened, minute: number) {
  const at = `2026-06-01T12:0${minute}:00Z`
  const { headers, body: raw } = deliveredBy('GITEA', app.secret, what, { at })
  expect(ok(await panel.call('POST', `/api/webhooks/applications/${app.id}`, { headers, raw }), 202).outcome).toBe(
    'QUEUED',
  )
  await panel.settle()
  return ok(await send('GET', `applications/${app.id}/previews`)).previews[0]
}

test.skipIf(isSkipped)('a pull request is deployed beside it, follows its commits, and leaves nothing', async () => {
  const variables = [
    { name: 'BUILD_TOKEN', value: 'token-of-previews-7f2e', secret: true, when: 'BUILD' },
    { name: 'COLOR', value: 'green' },
  ]
  const { id: setId } = ok(await send('POST', `applications/${app.id}/env-sets`, { name: 'previews', variables }), 201)
  const settings = { enabled: true, baseDomain: 'previews.example.com', setId }
  ok(await send('PATCH', `applications/${app.id}/previews`, settings))
  const before = [await containers(), await images()]
  const [host, answered] = ['pr-7--shop.previews.example.com', await answers()]
  const fromPreview = async () => (await ask(agent!.httpPort, { path: '/?ms=1', host })).body?.from

  const commit = shop.propose(7, 'p1')
  const first = await over((await tell('opened', 1)).deploymentId)
  expect(first, JSON.stringify([first.failure, await logOf(first.id)])).toMatchObject({
    status: 'SUCCEEDED',
    commit: { sha: commit },
  })
  expect(await fromPreview()).toBe('p1 green')
  expect(await answers(), 'the application itself goes on').toBe(answered)

  shop.propose(7, 'p2')
  const second = await over((await tell('pushed', 2)).deploymentId)
  expect(second).toMatchObject({ status: 'SUCCEEDED', commit: { subject: 'p2' }, previewId: first.previewId })
  expect(await fromPreview()).toBe('p2 green')
  const said = async (query = '') =>
    ok(await send('GET', `applications/${app.id}/logs${query}`)).lines.map(({ text }: any) => text)
  expect(await said(`?deploymentId=${second.id}`), 'its containers are asked for it').toEqual(['p2 begins'])
  expect(await said(), 'and for no others').not.toContain('p2 begins')
  const own = async () => (await panel.settle(), (await containers()).filter((id: string) => !before[0].includes(id)))
  await expect.poll(own, { timeout: 20_000 }).toEqual([second.id])

  expect(await tell('closed', 3)).toBeUndefined()
  const networks = async () => (await engine!.api('GET', '/networks')).map(({ Name }: any) => Name)
  const left = async () => {
    await panel.settle()
    const isIts = (await networks()).some((name: string) => name.includes(first.previewId))
    // Nothing else has a name there, so that the proxy serves none any more.
    const name = await ask(agent!.httpPort, { host }).catch(({ code }) => code)
    return [[await containers(), await images()], name, isIts]
  }
  await expect.poll(left, { timeout: 20_000 }).toEqual([before, 'ECONNREFUSED', false])
  expect(await answers()).toBe(answered)
})

test.skipIf(isSkipped)('what was tested runs in another environment, as the very same image', async () => {
  const tested = await newestSucceeded()
  const production = await floor.environment(ada, projectId, 'production')
  const had = new Set((await engine!.api('GET', '/images/json')).map(({ Id }: any) => Id))
  const line = `projects/${projectId}/environments/${environmentId}/promote-to/${production}`
  const [one, ...others] = ok(await send('POST', line, { applicationIds: [app.id], create: true }), 202)
  expect([one.from, one.reason, others]).toEqual([app.id, null, []])
  const done = await over(one.deploymentId)
  expect(done, JSON.stringify(done.failure)).toMatchObject({ status: 'SUCCEEDED', kind: 'PROMOTE', buildingAt: null })
  expect([done.imageId, done.commit]).toEqual([tested.imageId, tested.commit])
  expect(new Set((await engine!.api('GET', '/images/json')).map(({ Id }: any) => Id))).toEqual(had)
  const { url } = ok(await send('GET', `applications/${one.to}`))
  const { from } = (await ask(Number(new URL(url).port), { path: '/?ms=1' })).body
  expect(from.split(' ')[0]).toBe((await answers()).split(' ')[0])
  ok(await send('DELETE', `applications/${one.to}?deleteVolumes=true`), 204)
})

test.skipIf(isSkipped)('nothing of it is left on its server after it was deleted', async () => {
  ok(await send('DELETE', `applications/${app.id}?deleteVolumes=true`), 204)
  const left = async () => {
    await panel.settle()
    const networks = (await engine!.api('GET', '/networks')).map(({ Name }: any) => Name)
    const own = networks.filter((name: string) => name.startsWith('daybook-'))
    return {
      images: await images(),
      own,
      containers: await containers(),
      answers: await ask(app.port).catch(({ code }) => code),
    }
  }
  await expect
    .poll(left, { timeout: 20_000 })
    .toEqual({ images: [BUSYBOX], own: [], containers: [], answers: 'ECONNREFUSED' })
})
