/** What brings the agent to a host, over HTTP: who gets it, whole or in part, and how many at once. */
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newSecret } from '#kernel/credentials/secret-token'
import { servers } from '#panel/servers/decider'
import { agentTokenOf } from '#panel/workflows/servers'
import { refusalIn } from '../../support/panel/project-fixture.ts'
import { RUN, serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const BYTES = 40 * 1_024 * 1_024
const agentDir = scratchOfFile()
const content = randomBytes(BYTES)
const sha256 = createHash('sha256').update(content).digest('hex')
const file = `daybook-agent-amd64-${sha256.slice(0, 16)}.gz`
const signature = randomBytes(64).toString('base64url')
const panel = await startPanel({ agentDir, baseUrl: 'https://panel.test' })
await panel.licensed()
const { add, running } = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')

function build(): void {
  mkdirSync(agentDir, { recursive: true })
  writeFileSync(join(agentDir, file), content)
  const executables = { amd64: { file, bytes: BYTES, sha256, signature } }
  writeFileSync(join(agentDir, 'release.json'), JSON.stringify({ version: '9.0.0', executables }))
}

async function agentHeaders(): Promise<Record<string, string>> {
  const id = await running(root)
  const agent = (await panel.run((unit) => unit.look(servers, id)))!.agent!
  const token = await agentTokenOf(panel.panel.vault, agent)
  return { authorization: `Bearer ${token}`, 'daybook-server': id, 'daybook-run': RUN }
}

const binary = (headers: Record<string, string>, arch = 'amd64') =>
  fetch(`${panel.url}/api/agent/binary?arch=${arch}`, { headers })

test('without a release, the answer is 503 AGENT_NOT_BUILT, also for an architecture that it lacks', async () => {
  const as = (await add(root)).installToken
  const ask = (arch: string) => panel.call('GET', `/api/agent/binary?arch=${arch}`, { as })
  rmSync(agentDir, { recursive: true, force: true })
  expect(refusalIn(await ask('amd64'))).toEqual([503, 'AGENT_NOT_BUILT'])
  build()
  expect(refusalIn(await ask('arm64'))).toEqual([503, 'AGENT_NOT_BUILT'])
  expect((await ask('sparc')).status).toBe(400)
  expect((await panel.call('GET', '/api/agent/binary', { as })).status).toBe(400)
})

test('an install token and an agent get the bytes, whole or from a byte on', async () => {
  build()
  const { installToken } = await add(root)
  for (const headers of [{ authorization: `Bearer ${installToken}` }, await agentHeaders()]) {
    const whole = await binary(headers)
    expect([whole.status, whole.headers.get('etag'), whole.headers.get('content-type')]).toEqual([
      200,
      `"${sha256}"`,
      'application/gzip',
    ])
    const got = createHash('sha256').update(Buffer.from(await whole.arrayBuffer()))
    expect(got.digest('hex')).toBe(sha256)
    const part = await binary({ ...headers, range: `bytes=${BYTES - 9}-`, 'if-range': `"${sha256}"` })
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, content.subarray(-9)])
  }
})

test('no other credential gets them', async () => {
  const path = '/api/agent/binary?arch=amd64'
  expect((await panel.call('GET', path)).status).toBe(401)
  expect((await panel.call('GET', path, { as: root.as })).status).toBe(403)
  for (const as of [newSecret('i'), newSecret('a'), newSecret('k'), (await agentHeaders())['authorization']!.slice(7)])
    expect((await panel.call('GET', path, { as })).status, as.slice(0, 4)).toBe(401)
})

/** Reads nothing of its answer. */
async function begin(token: string): Promise<IncomingMessage> {
  const asked = request(`${panel.url}/api/agent/binary?arch=amd64`, {
    headers: { authorization: `Bearer ${token}` },
    agent: false,
  }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return answer
}

test('the ninth download at once is refused with BUSY, and gets its turn after another has ended', async () => {
  build()
  const { installToken } = await add(root)
  const open = []
  for (let nth = 1; nth <= 8; nth += 1) open.push(await begin(installToken))
  expect(open.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200))
  const busy = await panel.call('GET', '/api/agent/binary?arch=amd64', { as: installToken })
  expect([...refusalIn(busy), busy.headers.get('retry-after')]).toEqual([503, 'BUSY', '10'])
  open.pop()!.destroy()
  await expect.poll(async () => (await begin(installToken)).destroy().statusCode).toBe(200)
  for (const each of open) each.destroy()
})
