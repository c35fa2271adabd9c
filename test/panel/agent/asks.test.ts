/** Live reads of a host: a real agent answers two panels, of which one has its poll. */
import { afterAll, expect, test } from 'vitest'
import { uuidv7 } from '#kernel/lib/uuid'
import { logger } from '#kernel/logging/log'
import { publicTaskKeyOf, taskJwkIn } from '#panel/agent/keys/task-keys'
import { startAgent } from '../../../src/agent/agent.ts'
import { testAskers, testBeat, testPerformers } from '../../support/agent/performers.ts'
import { agentDouble } from '../../support/panel/agent-double.ts'
import { startPanel } from '../../support/panel/service.ts'
import { handServers, openTaskPanel, testServer } from '../../support/panel/task-panel.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const servers = handServers()
const panel = await startPanel({ open: openTaskPanel(servers) })
const person = await panel.somebody()
const taskKey = () => panel.run(async (unit) => publicTaskKeyOf(await taskJwkIn(unit)))
const other = await openTaskPanel(servers)(panel.settings, logger({ level: 'silent' }))
const { port } = await other.listen(0, '127.0.0.1')
const [own, silent] = [testServer(uuidv7()), testServer(uuidv7())]
for (const each of [own, silent]) servers.known.set(each.serverId, each)
const directory = scratchOfFile()
const agent = await startAgent({
  panelUrl: panel.url,
  serverId: own.serverId,
  token: own.token,
  boxKeys: own.boxKeys,
  taskKeys: [await taskKey()],
  directory,
  performers: testPerformers(directory),
  askers: testAskers,
  planners: [],
  beat: testBeat,
  isReady: async () => true,
  log: () => {},
})
afterAll(async () => {
  await agent.stop()
  await other.close(0)
})

const look = (query: string, serverId = own.serverId) =>
  panel.call('GET', `/api/test/look/${serverId}?${query}`, { as: person.as })
const codeOf = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get('error-code')]

test('an ask is answered by the agent, with secrets that stand nowhere', async () => {
  const reply = await look('at=here')
  expect([reply.status, reply.body]).toEqual([200, { seen: 'here', secrets: { password: 'canary-of-an-ask' } }])
  expect((await look('at=much')).body.seen).toHaveLength(900_000)
  expect(await panel.dump()).not.toContain('canary-of-an-ask')
  expect((await panel.superuser.query('SELECT count(*)::int AS open FROM telemetry.ask')).rows).toEqual([{ open: 0 }])
})

test('a process without the poll of the agent is answered too', async () => {
  const startedMs = performance.now()
  const response = await fetch(`http://127.0.0.1:${port}/api/test/look/${own.serverId}?at=there`, {
    headers: { authorization: `Bearer ${person.as}` },
  })
  expect([response.status, await response.json()]).toMatchObject([200, { seen: 'there' }])
  expect(performance.now() - startedMs).toBeLessThan(1_900)
})

test('an unknown server is offline, a silent one is waited for, and the agent says what it cannot see', async () => {
  expect(codeOf(await look('at=here', uuidv7()))).toEqual([503, 'SERVER_OFFLINE'])
  expect(codeOf(await look('at=here', silent.serverId))).toEqual([503, 'SERVER_SILENT'])
  expect(codeOf(await look('at=too-much')), 'more secrets than a read takes').toEqual([503, 'TOO_LARGE'])
  expect(codeOf(await look('at=nothing'))).toEqual([503, 'NOT_THERE'])
  expect(codeOf(await look('at=here&afterMs=5000'))[0]).toBe(503)
})

test('twenty reads of a server are open at once, and one more is refused', async () => {
  const replies = await Promise.all(Array.from({ length: 21 }, () => look('at=here', silent.serverId)))
  const codes = replies.map((reply) => codeOf(reply)[1])
  expect(codes.filter((code) => code === 'SERVER_SILENT')).toHaveLength(20)
  expect(codes.filter((code) => code === 'BUSY')).toHaveLength(1)
})

test('nothing is answered that was not asked of this agent', async () => {
  const asking = look('at=here', silent.serverId)
  const { rows } = await expect
    .poll(() => panel.superuser.query('SELECT ask_id AS id FROM telemetry.ask'))
    .toMatchObject({ rows: [{}] })
    .then(() => panel.superuser.query('SELECT ask_id AS id FROM telemetry.ask'))
  const answer = { seen: 'forged', secrets: null }
  const forger = agentDouble(panel.call, own, taskKey)
  expect((await forger.succeed(rows[0].id, answer)).status).toBe(404)
  const early = agentDouble(panel.call, silent, taskKey)
  expect((await early.succeed(rows[0].id, answer)).status).toBe(404)
  expect(codeOf(await asking)).toEqual([503, 'SERVER_SILENT'])
})
