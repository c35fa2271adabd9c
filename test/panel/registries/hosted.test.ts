/** Registries that a server of the panel runs, from the request to a login, on a real engine. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { tasks } from '#panel/agent/decider'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { agentOnEngine } from '../../support/panel/engine-agent.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { loadRegistryImage, noRegistryPackage } from '../../support/registry-image.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const imagesDir = scratchOfFile()
const panel = await startPanel({ imagesDir })
await panel.licensed()
const root = { ...(await panel.somebody('SUPERADMIN')) }
const floor = projectFixture(panel)
const servers = serverFixture(panel)
const { add: addServer, running, grant, remove: removeServer, patch } = servers
const send = (method: string, who: { as: string }, path: string, body?: unknown) =>
  panel.call(method, `/api/registries${path}`, { as: who.as, ...(body === undefined ? {} : { body }) })
let made = 0
const values = (serverId: string, more: object = {}) => ({
  kind: 'SELF_HOSTED',
  name: `own ${(made += 1)}`,
  serverId,
  diskMiB: 1_000,
  ...more,
})
const listed = async (id: string) => ok(await send('GET', root, '')).find((each: any) => each.id === id)
const eventsOf = async (type: string) =>
  (await panel.history()).filter((event) => event.type === type).map(({ data }) => data as any)

test('it is placed where it fits, in the append that adds it, and its place is free after its removal', async () => {
  const serverId = await running(root)
  const added = ok(await send('POST', root, '', values(serverId)), 201)
  expect(added).toMatchObject({ kind: 'SELF_HOSTED', address: null, serverId, problem: null, username: 'daybook' })
  const workload = { kind: 'REGISTRY', id: added.id }
  const reserved = { cpuMillis: 250, memoryMiB: 256, diskMiB: 1_000 }
  expect((await eventsOf('WorkloadPlaced')).at(-1)).toEqual({ serverId, workload, projectId: null, ...reserved })
  expect(refusalIn(await removeServer(root, `/${serverId}`))).toEqual([409, 'IN_USE'])
  const head = await panel.panel.store.head()
  const much = { memoryMiB: 1_000_000 }
  expect(refusalIn(await send('POST', root, '', values(serverId, much)))).toEqual([409, 'CAPACITY'])
  expect(await panel.panel.store.head()).toBe(head)
  ok(await send('DELETE', root, `/${added.id}?deleteData=true`), 204)
  expect((await eventsOf('RegistryRemoved')).at(-1)).toMatchObject({ registryId: added.id, serverId, deleteData: true })
  expect((await eventsOf('WorkloadLifted')).at(-1)).toEqual({ serverId, workload, projectId: null })
  ok(await removeServer(root, `/${serverId}`), 204)
})

test('a server that the caller may not use, or that takes nothing, is refused', async () => {
  const [closed, cordoned] = [await running(root), await running(root)]
  await grant(root, closed, { userId: root.id })
  ok(await patch(root, `/${cordoned}`, { cordoned: true }))
  const admin = await panel.somebody('ADMIN', ['registries:manage'])
  expect(refusalIn(await send('POST', admin, '', values(closed)))).toEqual([403, 'SERVER_NOT_YOURS'])
  expect(refusalIn(await send('POST', root, '', values(cordoned)))).toEqual([409, 'CORDONED'])
  const { id: waiting } = await addServer(root)
  expect(refusalIn(await send('POST', root, '', values(waiting)))).toEqual([503, 'SERVER_OFFLINE'])
})

test('each kind has its own fields', async () => {
  const serverId = await running(root)
  const login = { address: 'ghcr.io', username: 'ada', password: 'a password' }
  for (const body of [
    values(serverId, login),
    values(serverId, { diskMiB: undefined }),
    values(serverId, { diskMiB: 1 }),
    { ...values(serverId), serverId: undefined },
    { ...login, kind: 'EXTERNAL', name: 'x', serverId },
    { kind: 'EXTERNAL', name: 'x', address: 'ghcr.io', username: 'ada' },
  ])
    expect((await send('POST', root, '', body)).status, JSON.stringify(body)).toBe(400)
  const { id } = ok(await send('POST', root, '', values(serverId)), 201)
  const long = await send('PATCH', root, `/${id}`, { password: 'x'.repeat(73) })
  expect(refusalIn(long)).toEqual([400, 'PASSWORD_TOO_LONG'])
  const other = await running(root)
  expect(refusalIn(await send('POST', root, `/${id}/test`, { serverId: other }))).toEqual([400, 'OTHER_SERVER'])
  expect(ok(await send('POST', root, `/${id}/test`))).toMatchObject({ ok: false, step: 'CONNECT' })
})

test('the registries of a project end with it, and lift what they reserved', async () => {
  const owner = await panel.somebody()
  const [projectId, serverId] = [await floor.project(owner), await running(root)]
  const { id } = ok(await send('POST', owner, '', values(serverId, { projectId })), 201)
  ok(await floor.remove(owner, `/${projectId}`), 204)
  await panel.settle()
  expect((await eventsOf('WorkloadLifted')).at(-1)).toEqual({ serverId, workload: { kind: 'REGISTRY', id }, projectId })
  expect((await eventsOf('RegistryRemoved')).at(-1)).toMatchObject({ registryId: id, deleteData: false })
})

/** Ends tasks in the place of an agent. */
const endTask = (taskId: string, end: object) =>
  panel.run(async (unit) => {
    await unit.decide(tasks, taskId, 'HandOut', { run: uuidv7(), isKnown: true })
    const retry = { attempts: 1, retryOn: [] }
    await unit.decide(tasks, taskId, 'End', { attempt: 1, outcome: 'SUCCEEDED', result: '{}', retry, ...end } as never)
  })

const lacking = (registryId: string, revision: number) => ({
  result: JSON.stringify({
    revision,
    applied: { ports: [], problems: [{ registryId, code: 'IMAGE_MISSING', message: 'none' }] },
  }),
})

test('an image is asked for once for each plan that lacks it, and a plan that follows from it asks for none', async () => {
  const serverId = await running(root)
  await panel.settle()
  const { id: registryId } = ok(await send('POST', root, '', values(serverId)), 201)
  const open = async (): Promise<string[]> => {
    await panel.settle()
    const lanes = ['plan/registries', 'image/registry:2.8.3']
    const all = (await eventsOf('TaskQueued')).filter((each) => each.serverId === serverId)
    const asked = all.filter(({ lane }) => lanes.includes(lane))
    return asked.map(({ taskId, kind }) => `${kind} ${taskId}`)
  }
  const last = async () => (await open()).at(-1)!.split(' ')
  const problem = async () => {
    await panel.settle()
    return (await listed(registryId)).problem
  }
  const [first, plan] = await last()
  expect([first, await problem()]).toEqual(['plan.apply', null])
  await endTask(plan!, lacking(registryId, 1))
  const [second, image] = await last()
  expect([second, (await problem()).code]).toEqual(['images.ensure', 'IMAGE_COMING'])

  ok(await send('PATCH', root, `/${registryId}`, { username: 'ada' }))
  const [third, changed] = await last()
  expect(third).toBe('plan.apply')
  await endTask(changed!, lacking(registryId, 2))
  expect(await open(), 'the image is on its way').toHaveLength(3)

  await endTask(image!, { result: JSON.stringify({ imageId: `sha256:${'0'.repeat(64)}` }) })
  const [fourth, again] = await last()
  expect([fourth, (await problem()).code]).toEqual(['plan.apply', 'IMAGE_COMING'])
  await endTask(again!, lacking(registryId, 3))
  expect(await open(), 'what lacks the image again waits').toHaveLength(4)
  expect(await problem()).toEqual({ code: 'IMAGE_MISSING', message: expect.stringContaining('it was removed again') })

  panel.passTime(1_200_000)
  root.as = await panel.signIn(root.email)
  const [fifth, retried] = await last()
  expect(fifth).toBe('plan.apply')
  await endTask(retried!, lacking(registryId, 4))
  const [sixth, late] = await last()
  expect(sixth).toBe('images.ensure')
  await endTask(late!, { outcome: 'FAILED', code: 'PULL_FAILED', message: 'It cannot be pulled' })
  expect((await problem()).message).toMatch(/registry:2\.8\.3: It cannot be pulled\. It is tried again/)
  ok(await send('DELETE', root, `/${registryId}`), 204)
})

test('a panel that has the file of an image, and no place for files on their way, says so', async () => {
  const serverId = await running(root)
  await panel.settle()
  const { id: registryId } = ok(await send('POST', root, '', values(serverId)), 201)
  await panel.settle()
  const manifest = { name: 'registry:2.8.3', id: `sha256:${'0'.repeat(64)}`, sha256: '0'.repeat(64) }
  writeFileSync(join(imagesDir, 'registry-2.8.3.json'), JSON.stringify(manifest))
  writeFileSync(join(imagesDir, 'registry-2.8.3.tar'), 'an archive')
  const { taskId } = (await eventsOf('TaskQueued')).findLast(({ lane }) => lane === 'plan/registries')
  await endTask(taskId, lacking(registryId, 1))
  await panel.settle()
  expect((await listed(registryId)).problem).toEqual({
    code: 'IMAGE_MISSING',
    message: expect.stringMatching(/set PANEL_DATA_DIR\. It is tried again/),
  })
  for (const end of ['json', 'tar']) rmSync(join(imagesDir, `registry-2.8.3.${end}`))
  ok(await send('DELETE', root, `/${registryId}`), 204)
})

const isSkipped = noEngine !== undefined || noRegistryPackage !== undefined
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
const containers = async (): Promise<any[]> => engine!.api('GET', '/containers/json?all=true')
afterAll(async () => {
  if (!engine) return
  for (const { Id } of await containers()) await engine.api('DELETE', `/containers/${Id}?force=true`)
  await engine.api('DELETE', '/networks/daybook-registries').catch(() => {})
  await engine.stop()
})

const startHost = (engineId: string) =>
  agentOnEngine(panel, { servers, owner: root, engine: engine!, engineId, kinds: {} })

test.skipIf(isSkipped)(
  'a server whose agent brings no images runs it once its image is there, and it is reached with its login alone',
  async () => {
    const agent = await startHost('an engine')
    try {
      const { id } = ok(await send('POST', root, '', values(agent.serverId)), 201)
      const settled = async () => {
        await panel.settle()
        return listed(id)
      }
      const byHand = expect.stringMatching(/update the agent.*docker pull registry:2\.8\.3/)
      await expect
        .poll(settled, { timeout: 10_000 })
        .toMatchObject({ address: null, problem: { code: 'IMAGE_MISSING', message: byHand } })
      await loadRegistryImage(engine!)
      ok(await send('PATCH', root, `/${id}`, { username: 'ada', password: 'canary-of-an-own-registry' }))
      const address = expect.stringMatching(/^127\.0\.0\.1:\d+$/)
      await expect.poll(settled, { timeout: 20_000 }).toMatchObject({ address, problem: null })
      expect(ok(await send('POST', root, `/${id}/test`))).toEqual({ ok: true, step: null, reason: null })
      const { address: own } = await listed(id)
      const statusFor = async (login: string) =>
        (
          await fetch(`http://${own}/v2/`, {
            headers: { authorization: `Basic ${Buffer.from(login).toString('base64')}` },
          })
        ).status
      expect([await statusFor('ada:canary-of-an-own-registry'), await statusFor('ada:x')]).toEqual([200, 401])
      expect(await panel.dump()).not.toContain('canary-of-an-own-registry')
      ok(await send('DELETE', root, `/${id}?deleteData=true`), 204)
      const left = async () => {
        await panel.settle()
        return [(await containers()).length, ((await engine!.api('GET', '/volumes')).Volumes ?? []).length]
      }
      await expect.poll(left, { timeout: 10_000 }).toEqual([0, 0])
    } finally {
      await agent.stop()
    }
  },
  60_000,
)

test.skipIf(isSkipped)(
  'what could not run is tried again, without a request',
  async () => {
    const agent = await startHost('what is tried again')
    try {
      const image = (await engine!.api('GET', '/images/registry:2.8.3/json')).Id
      await engine!.api('DELETE', `/images/${image}?force=true`)
      const { id } = ok(await send('POST', root, '', values(agent.serverId)), 201)
      const problemAt = async (as: string) => {
        await panel.settle()
        return ok(await send('GET', { as }, '')).find((each: any) => each.id === id).problem?.code
      }
      const openTasks = async () => {
        const ofServer = (await panel.history()).filter(({ data }) => (data as any).serverId === agent.serverId)
        const count = (types: RegExp) => ofServer.filter(({ type }) => types.test(type)).length
        return count(/^TaskQueued$/) - count(/^Task(?:Succeeded|Failed|Cancelled|Expired)$/)
      }
      // The coming of the server and the registry may lead to a plan each, and each plan asks for the image.
      const atRest = async () => [await openTasks(), await problemAt(root.as), await openTasks()]
      await expect.poll(atRest, { timeout: 10_000 }).toEqual([0, 'IMAGE_MISSING', 0])
      await loadRegistryImage(engine!)
      expect(await problemAt(root.as)).toBe('IMAGE_MISSING')
      panel.passTime(1_200_000)
      const as = await panel.signIn(root.email)
      await expect.poll(() => problemAt(as), { timeout: 20_000 }).toBeUndefined()
    } finally {
      await agent.stop()
    }
  },
  60_000,
)
