/** What an agent says of a host that is to run containers. */
import { afterAll, expect, test } from 'vitest'
import { hostEngine } from '../../src/agent/host/engine.ts'
import { clockCheck, roomCheck, setupPerformer } from '../../src/agent/host/setup.ts'
import { hostSetup } from '../../src/tasks/host.ts'
import { noEngine, startEngine } from '../support/docker-engine.ts'

const signal = AbortSignal.timeout(60_000)
const engine = noEngine === undefined ? await startEngine() : undefined
afterAll(() => engine?.stop())

async function checked(socketPath: string, panelNow = () => new Date()) {
  const said: string[] = []
  const performer = setupPerformer({ ...hostEngine(`unix://${socketPath}`), directory: '/' })
  const work = { payload: {}, signal, panelNow, say: async (text: string) => void said.push(text) }
  const { checks } = hostSetup.result.parse(await performer.perform(work as never))
  return { said, by: Object.fromEntries(checks.map(({ name, ...check }) => [name, check])) }
}

test.skipIf(noEngine)('a host with a container engine is checked, and each check is a line of the log', async () => {
  const { said, by } = await checked(engine!.socketPath)
  expect(by).toMatchObject({
    ENGINE: { ok: true, detail: expect.stringMatching(/^Docker \d+\.\d+.*, API 1\.\d+$/) },
    DISK: { detail: expect.stringMatching(/^[\d.]+ of [\d.]+ GiB are free in \/$/) },
    DATA_ROOT: { detail: expect.stringMatching(/ GiB are free in \/.*\/engine-/) },
    CLOCK: { ok: true },
  })
  expect(said).toHaveLength(4)
  expect(said[0]).toMatch(/^ENGINE: ok: Docker /)
})

test('without an engine it says what to do', async () => {
  const { by } = await checked('/nowhere/docker.sock')
  expect(by).toMatchObject({
    ENGINE: {
      ok: false,
      detail: expect.stringMatching(/was found at \/nowhere\/docker\.sock\. Install and start Docker/),
    },
    DATA_ROOT: { ok: false },
  })
})

test('a disk without room, one that cannot be seen, and a clock that is off', async () => {
  expect(await roomCheck('DISK', '/', Infinity)).toMatchObject({ ok: false })
  expect(await roomCheck('DISK', '/nowhere', 0)).toEqual({
    name: 'DISK',
    ok: false,
    detail: 'The agent cannot see /nowhere',
  })
  expect(clockCheck(5_000).ok).toBe(true)
  expect(clockCheck(-86_400_000)).toEqual({
    name: 'CLOCK',
    ok: false,
    detail: "The clock is 86400.0 s behind the panel's. Set it by NTP.",
  })
})
