/** What an agent tells of its host beside its polls. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { afterAll, expect, test } from 'vitest'
import { tellFacts } from '../../src/agent/heartbeat.ts'
import type { Beat } from '../../src/tasks/protocol.ts'
import { newBoxKeys } from '../../src/tasks/sealed-box.ts'
import { BEAT, FACTS } from '../support/panel/server-examples.ts'

const heard: Beat['facts'][] = []
/** The panel notes the second facts when it hears them for the third time. */
const panel = createServer(async (request, response) => {
  heard.push(((await json(request)) as Beat).facts)
  const factsAgain = heard.length >= 2 && heard.length <= 3
  response.end(JSON.stringify({ now: new Date().toISOString(), nextMs: 10_000, factsAgain }))
})
afterAll(() => {
  panel.closeAllConnections()
  panel.close()
})

test('facts that the panel has not noted are told again until it has', async () => {
  await once(panel.listen(0, '127.0.0.1'), 'listening')
  const panelUrl = `http://127.0.0.1:${(panel.address() as AddressInfo).port}`
  const config = { panelUrl, serverId: 'x', token: 'x', boxKeys: newBoxKeys(), taskKeys: [], directory: '' }
  const stop = new AbortController()
  let looks = 0
  const told = tellFacts(
    {
      config,
      run: 'run',
      async facts() {
        looks += 1
        return { ...FACTS, engineId: null, version: heard.length === 0 ? '0.1.0' : '0.2.0' }
      },
      beat: async () => BEAT as never,
      plans: () => ({}),
      lookMs: 5,
      log: (_message, error) => expect.fail(String(error)),
    },
    stop.signal,
  )
  await expect.poll(() => heard.length).toBe(4)
  const before = looks
  await expect.poll(() => looks).toBeGreaterThan(before + 5)
  stop.abort()
  await told
  expect(heard.map((facts) => facts?.version)).toEqual(['0.1.0', '0.2.0', '0.2.0', '0.2.0'])
})
