/** What a deployed application says and uses, across a redeployment: a real agent, a real engine and HAProxy. */
import { afterAll, expect, test } from 'vitest'
import { makeAppImage } from '../../support/agent/release-host.ts'
import { noEngine, startEngine } from '../../support/docker-engine.ts'
import { noHaproxy } from '../../support/haproxy.ts'
import { agentOnEngine } from '../../support/panel/engine-agent.ts'
import { openLogClient } from '../../support/panel/log-client.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const isSkipped = (noEngine ?? noHaproxy) !== undefined
const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const engine = isSkipped ? undefined : await startEngine({ publishes: true })
if (engine) await makeAppImage(engine, 'app')
const servers = serverFixture(panel)
const agent = engine && (await agentOnEngine(panel, { servers, owner: root, engine, engineId: 'reads' }))
afterAll(async () => {
  await agent?.stop()
  await engine?.stop()
})

const floor = projectFixture(panel)
const send = (method: string, path: string, body?: object) =>
  panel.call(method, `/api/applications${path}`, { as: root.as, ...(body && { body }) })
// The operator has it on the host, and in no registry.
if (engine)
  ok(await panel.call('PATCH', '/api/admin/settings/baseImages', { as: root.as, body: { value: 'static=app:latest' } }))
const saying = (words: string) => ['sh', '-c', `${words}; exec httpd -f -p 8080 -h /www`]

/** Several deployments. */
const LONG = { timeout: 180_000 }

let made = 0
async function application(): Promise<string> {
  const projectId = await floor.project(root)
  const environmentId = await floor.environment(root, projectId, 'live')
  const source = { kind: 'DOCKERFILE' }
  const size = { port: 8_080, memoryMiB: 32, cpuMillis: 500, drainSeconds: 0, stopSeconds: 1 }
  const body = { projectId, environmentId, serverId: agent!.serverId, name: `App ${(made += 1)}`, source, ...size }
  const path = `/${ok(await send('POST', '', body), 201).id}`
  ok(await send('PATCH', `${path}/files/dockerfile`, { content: 'FROM app:latest\n' }))
  return path
}

async function deploy(path: string, command: readonly string[], token: string): Promise<string> {
  ok(await send('PATCH', path, { command }))
  ok(await send('PATCH', `${path}/env`, { set: [{ name: 'TOKEN', value: token, secret: true }] }))
  const { id } = ok(await send('POST', `${path}/redeploy`, {}), 202)
  const state = async () => {
    await panel.settle()
    const { status, failure } = ok(await send('GET', `${path}/deployments/${id}`))
    return failure ? JSON.stringify(failure) : status
  }
  await expect.poll(state, { timeout: 60_000 }).toBe('SUCCEEDED')
  return id
}

const textsOf = async (path: string, query: string): Promise<string[]> =>
  ok(await send('GET', `${path}/logs?${query}`)).lines.map(({ text }: { text: string }) => text)

test.skipIf(isSkipped)(
  'its logs are followed from one release to the next, and those of the first one stay',
  LONG,
  async () => {
    const path = await application()
    const first = await deploy(path, saying('echo "one $TOKEN"; echo canary-of-later'), 'canary-of-then')
    await expect.poll(() => textsOf(path, '')).toEqual(['one ***', 'canary-of-later'])
    const client = await openLogClient(panel.url, { path: `/api/applications${path}/logs/stream`, as: root.as })
    await client.until(() => client.lines.length === 2)

    expect(ok(await send('GET', `${path}/stats/live`))).toMatchObject([
      { service: 'app', replica: 1, deploymentId: first, limitBytes: 32 * 1_024 ** 2 },
    ])
    const run = async (command: readonly string[]) => ok(await send('POST', `${path}/exec`, { command }))
    expect(await run(['sh', '-c', 'echo "$DAYBOOK_DEPLOYMENT_ID $TOKEN"'])).toMatchObject({
      exitCode: 0,
      stdout: `${first} ***\n`,
    })

    const second = await deploy(path, saying('echo "two $TOKEN"'), 'canary-of-later')
    await client.until(() => client.lines.length === 3)
    expect(client.lines.map(({ data }) => data)).toMatchObject([
      { text: 'one ***', deploymentId: first },
      { text: 'canary-of-later', deploymentId: first },
      { text: 'two ***', deploymentId: second },
    ])
    client.close()
    expect([client.gaps, await client.over]).toEqual([0, 'cut'])

    // What was kept of it has lost what is secret since then, too.
    const kept = () => textsOf(path, `deploymentId=${first}`)
    await expect.poll(kept, { timeout: 60_000 }).toContain('The last of what app 1 has said:')
    expect((await kept()).slice(-2)).toEqual(['one ***', '***'])
    const again = await openLogClient(panel.url, {
      path: `/api/applications${path}/logs/stream`,
      query: `?deploymentId=${first}`,
      as: root.as,
    })
    await again.until(() => again.lines.at(-1)?.data.text === '***')
    again.close()
    expect(await textsOf(path, `deploymentId=${second}`)).toEqual(['two ***'])
    expect((await run(['sh', '-c', 'echo $DAYBOOK_DEPLOYMENT_ID'])).stdout).toBe(`${second}\n`)
  },
)

test.skipIf(isSkipped)('of a deployment that fails, the log of its start is read and streamed', LONG, async () => {
  const path = await application()
  ok(await send('PATCH', path, { command: ['sh', '-c', 'echo "wrong $TOKEN"; exit 3'] }))
  ok(await send('PATCH', `${path}/env`, { set: [{ name: 'TOKEN', value: 'canary-of-then', secret: true }] }))
  const { id } = ok(await send('POST', `${path}/redeploy`, {}), 202)
  const client = await openLogClient(panel.url, {
    path: `/api/applications${path}/logs/stream`,
    query: `?deploymentId=${id}`,
    as: root.as,
  })
  const shown = async () => {
    await panel.settle()
    return ok(await send('GET', `${path}/deployments/${id}`))
  }
  await expect.poll(async () => (await shown()).status, { timeout: 60_000 }).toBe('FAILED')
  await client.until(() => client.lines.some(({ data }) => data.text === 'wrong ***'))
  client.close()
  // Its retirement keeps nothing more, and hides nothing.
  const retired = async () => {
    const sql = `SELECT state FROM read.tasks WHERE kind = 'release.retire' AND cause_id = $1`
    return (await panel.superuser.query(sql, [id])).rows
  }
  await expect.poll(retired, { timeout: 60_000 }).toEqual([{ state: 'SUCCEEDED' }])
  const texts = await textsOf(path, `deploymentId=${id}`)
  expect(texts.slice(-2)).toEqual(['The last lines of app 1:', 'wrong ***'])
  expect((await shown()).log.lines.map(({ text }: { text: string }) => text)).toEqual(texts)
})
