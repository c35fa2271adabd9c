/**
 * What an agent of 0.2.0 says, as it was written down then. A panel serves agents of the version before, which could not even be told
 * to update themselves otherwise. Add to it what later versions say; change nothing.
 */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { agentUpdate } from '../../src/tasks/agent-update.ts'
import { Beat, PollBody, ProgressBody, RegisterBody, ResultBody } from '../../src/tasks/protocol.ts'

const taskId = '01890000-0000-7000-8000-000000000001'
const facts = {
  engineId: 'ABCD:EFGH',
  version: '0.2.0',
  hostname: 'host',
  os: 'linux',
  arch: 'amd64',
  kernel: '6.1.0',
  kinds: { 'host.setup': 1, 'agent.update': 1, 'plan.apply': 1 },
  capacity: { cpuMillis: 2_000, memoryMiB: 24_000, diskMiB: 100_000 },
  engine: { version: '20.10.24', api: '1.41' },
}
const beat = {
  cpuPercent: 1.5,
  memoryBytes: 25_000_000_000,
  memoryUsedBytes: 2_000_000_000,
  diskBytes: 100_000_000_000,
  diskUsedBytes: 10_000_000_000,
  load: 0.1,
  containers: 1,
  engine: 'UP',
  plans: { registries: 7, mesh: 0 },
}
const line = { seq: 1, at: '2026-11-28T00:00:00.000Z', of: 'OUT', text: 'a line' }
const told = { attempt: 1, lastSeq: 1 }

const SAID: readonly (readonly [what: string, schema: z.ZodType, body: object])[] = [
  ['registers', RegisterBody, { ...facts, publicKey: 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo' }],
  ['polls', PollBody, { waitMs: 0, free: { build: 8, io: 4, quick: 8, exec: 10 }, holding: [] }],
  [
    'polls with a beat',
    PollBody,
    {
      waitMs: 50_000,
      free: { build: 8, io: 3, quick: 8, exec: 10 },
      holding: [{ id: taskId, attempt: 1, ended: false }],
      beat: { ...beat, facts },
    },
  ],
  ['beats', Beat, { ...beat, meshPortClosed: 4_500, links: [] }],
  ['tells lines', ProgressBody, { attempt: 1, lines: [line], percent: 50 }],
  ['tells a result', ResultBody, { ...told, outcome: 'SUCCEEDED', result: { version: '0.2.1' } }],
  ['tells a failure', ResultBody, { ...told, outcome: 'FAILED', error: { code: 'TIMEOUT', message: 'Too long' } }],
  ['tells that it was cancelled', ResultBody, { ...told, outcome: 'CANCELLED' }],
]

test.each(SAID)('an agent of 0.2.0 %s', (_what, schema, body) => {
  expect(schema.safeParse(body).error).toBeUndefined()
})

test('an agent of 0.2.0 understands the task that updates it', () => {
  expect([agentUpdate.name, agentUpdate.version]).toEqual(['agent.update', 1])
  // It refuses a task with any other field.
  const { properties } = z.toJSONSchema(agentUpdate.payload)
  expect(Object.keys(properties!).toSorted()).toEqual(['sha256', 'signature', 'version'])
})
