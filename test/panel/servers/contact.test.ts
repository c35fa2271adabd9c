/** What is noted of the calls of agents: silence, a copy of the host, new facts, a new token. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { servers } from '#panel/servers/decider'
import { serverWatch } from '#panel/servers/watch'
import { POOL_SIZES } from '../../../src/tasks/pools.ts'
import { newBoxKeys, openBox, tokenSubject } from '../../../src/tasks/sealed-box.ts'
import { agentHeaders } from '../../support/panel/credentials.ts'
import { ok } from '../../support/panel/project-fixture.ts'
import { BEAT, FACTS } from '../../support/panel/server-examples.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { add, get, register } = serverFixture(panel)
const account = await panel.somebody('SUPERADMIN')
/** Sessions end while time passes. */
const root = async () => ({ as: await panel.signIn(account.email) })
const watch = panel.panel.services(serverWatch)
const DAY_MS = 86_400_000
const SILENCE_MS = 30_000

async function agent() {
  const boxKeys = newBoxKeys()
  const { installToken } = await add(await root())
  const { serverId, token } = await register(installToken, { publicKey: boxKeys.publicKey })
  await panel.panel.projector.catchUp()
  const beatOf = async (run: string, { by = token, ...more }: { by?: string; facts?: object } = {}) => {
    const { as, headers } = agentHeaders({ serverId, token: by })
    const reply = await panel.call('POST', '/api/agent/heartbeat', {
      as: as!,
      headers: { ...headers, 'daybook-run': run },
      body: { ...BEAT, ...more },
    })
    await panel.panel.projector.catchUp()
    return reply
  }
  const own = randomUUID()
  return {
    serverId,
    token,
    boxKeys,
    beatOf,
    beat: (more: { by?: string; facts?: object } = {}) => beatOf(own, more),
    status: async () => ok(await get(await root(), `/${serverId}`)).status as string,
  }
}

/** A process of the panel listens all that time. */
async function listensFor(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += SILENCE_MS) {
    await watch.look()
    panel.passTime(SILENCE_MS)
  }
  await watch.look()
  await panel.panel.projector.catchUp()
}

const offlineIn = async (from: number) =>
  (await panel.history(from)).filter(({ type }) => /Offline|CameBack/.test(type)).map(({ type }) => type)

test('a silent server is stale, then offline by one event, and online with the next beat', async () => {
  const own = await agent()
  expect(await own.status()).toBe('OFFLINE')
  ok(await own.beat())
  expect(await own.status()).toBe('ONLINE')
  const from = await panel.panel.store.head()
  await listensFor(SILENCE_MS)
  expect(await own.status()).toBe('STALE')
  await listensFor(4 * SILENCE_MS)
  expect(await own.status()).toBe('OFFLINE')
  await listensFor(2 * SILENCE_MS)
  ok(await own.beat())
  expect(await own.status()).toBe('ONLINE')
  expect(await offlineIn(from)).toEqual(['ServerWentOffline', 'ServerCameBack'])
})

test('a panel that was down for an hour says of no server that it went offline', async () => {
  const [own, from] = [await agent(), await panel.panel.store.head()]
  ok(await own.beat())
  await watch.look()
  panel.passTime(3_600_000)
  await listensFor(2 * SILENCE_MS)
  expect(await offlineIn(from)).toEqual([])
  expect(await own.status()).toBe('STALE')
  await listensFor(3 * SILENCE_MS)
  expect(await offlineIn(from)).toContain('ServerWentOffline')
})

test('a new process takes the place of the old one; two that replace each other are a copy of the host', async () => {
  const own = await agent()
  const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()]
  const codeOf = async (run: string) => (await own.beatOf(run)).headers.get('error-code')
  ok(await own.beatOf(first))
  ok(await own.beatOf(second))
  expect(await codeOf(first)).toBe('RUN_SUPERSEDED')
  expect(await codeOf(first)).toBe('RUN_SUPERSEDED')
  ok(await own.beatOf(second))
  ok(await own.beatOf(third))
  expect(await codeOf(second)).toBe('RUN_SUPERSEDED')
  expect(await codeOf(third)).toBe('AGENT_CONFLICTED')
  expect(await codeOf(randomUUID())).toBe('AGENT_CONFLICTED')
  expect(ok(await get(await root(), `/${own.serverId}`)).problem).toMatchObject({ code: 'AGENT_CONFLICTED' })
})

test('of the contacts that arrive together, each is judged by its own server', async () => {
  const [own, other] = [await agent(), await agent()]
  const [first, second] = [randomUUID(), randomUUID()]
  ok(await own.beatOf(first))
  ok(await own.beatOf(second))
  const replies = await Promise.all([other.beat(), own.beatOf(first), own.beatOf(second), other.beat()])
  expect(replies.map(({ status }) => status)).toEqual([200, 409, 200, 200])
  expect(await own.status()).toBe('ONLINE')
  expect(await other.status()).toBe('ONLINE')
})

test('facts are an event when they have changed', async () => {
  const [own, other] = [await agent(), await agent()]
  const told = { ...FACTS, engineId: randomUUID(), version: '0.3.0' }
  const from = await panel.panel.store.head()
  ok(await own.beat({ facts: told }))
  ok(await own.beat({ facts: told }))
  expect((await panel.history(from)).map(({ type }) => type)).toEqual(['ServerFactsChanged'])
  expect(ok(await get(await root(), `/${own.serverId}`)).agent).toMatchObject({ version: '0.3.0' })
  expect((await other.beat({ facts: told })).headers.get('error-code')).toBe('ENGINE_MANAGED')
})

test('facts change once a minute, and an agent is asked to tell a change again that came too soon', async () => {
  const own = await agent()
  const told = (version: string) => own.beat({ facts: { ...FACTS, engineId: null, version } })
  const from = await panel.panel.store.head()
  const poll = async (version: string) => {
    const { as, headers } = agentHeaders(own)
    const beat = { ...BEAT, facts: { ...FACTS, engineId: null, version } }
    const body = { free: POOL_SIZES, holding: [], beat }
    return ok(
      await panel.call('POST', '/api/agent/poll', { as: as!, headers: { ...headers, 'daybook-run': run }, body }),
    )
  }
  expect(ok(await told('0.3.0')).factsAgain).toBeUndefined()
  for (let nth = 4; nth < 10; nth += 1) expect(ok(await told(`0.${nth}.0`)).factsAgain).toBe(true)
  panel.passTime(60_001)
  expect(ok(await told('0.9.0')).factsAgain).toBeUndefined()
  const run = randomUUID()
  expect((await poll('0.10.0')).factsAgain).toBe(true)
  expect((await poll('0.9.0')).factsAgain).toBeUndefined()
  const noted = (await panel.history(from)).map(({ data }) => (data['facts'] as { version: string }).version)
  expect(noted).toEqual(['0.3.0', '0.9.0'])
})

test('after thirty days an agent is offered its next token, which replaces the former one when it is used', async () => {
  const own = await agent()
  expect(ok(await own.beat()).token).toBeUndefined()
  panel.passTime(30 * DAY_MS + 1)
  const offered = ok(await own.beat()).token
  const next = openBox(offered, own.boxKeys, tokenSubject(own.serverId))!.toString()
  expect(next).toMatch(/^dba_/)
  expect(ok(await own.beat()).token).toBeDefined()
  ok(await own.beat({ by: next }))
  expect((await own.beat()).status).toBe(401)
  expect(ok(await own.beat({ by: next })).token).toBeUndefined()
  const { agent: state } = (await panel.run((unit) => unit.look(servers, own.serverId)))!
  expect(state?.tokenNth).toBe(1)
})
