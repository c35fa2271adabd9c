/** An engine or a panel whose answer does not end takes no more memory of the agent than is said. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { engineCall, engineStream } from '../../src/agent/engine-call.ts'
import { sendHeartbeat } from '../../src/agent/heartbeat.ts'
import { register } from '../../src/agent/register.ts'
import { newBoxKeys } from '../../src/tasks/sealed-box.ts'
import { BEAT, FACTS } from '../support/panel/server-examples.ts'
import { scratchOfFile, scratchPath } from '../support/scratch.ts'

const MIB = 1_048_576
const signal = AbortSignal.timeout(30_000)
let sent = 0

/** Ends after 64 MiB, so that a caller without a limit fails another way. */
const endless = (): Server =>
  createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const more = (): void => {
      for (; sent < 64 * MIB; sent += MIB) if (!response.write(Buffer.alloc(MIB, ' '))) return
      response.end('{}')
    }
    response.on('drain', () => {
      sent += MIB
      more()
    })
    more()
  })

const [engine, panel] = [endless(), endless()]
afterAll(() => {
  for (const server of [engine, panel]) {
    server.closeAllConnections()
    server.close()
  }
})

test('an engine that answers with more than 32 MiB, or with a line of more than 1 MiB, fails the task', async () => {
  const socketPath = scratchPath()
  await once(engine.listen(socketPath), 'listening')
  sent = 0
  await expect(engineCall(socketPath)('GET', '/info', signal)).rejects.toMatchObject({
    code: 'ENGINE_ANSWER_TOO_LONG',
  })
  sent = 0
  const lines: unknown[] = []
  const told = engineStream(socketPath)('/images/create', signal, async (line) => void lines.push(line))
  await expect(told, 'one line of its work').rejects.toMatchObject({ code: 'ENGINE_ANSWER_TOO_LONG' })
  expect([lines, sent < 32 * MIB]).toEqual([[], true])
})

test('of a panel, an agent reads at most 1 MiB at its registration and at each beat', async () => {
  await once(panel.listen(0, '127.0.0.1'), 'listening')
  const panelUrl = `http://127.0.0.1:${(panel.address() as AddressInfo).port}`
  const directory = scratchOfFile()
  sent = 0
  const facts = { ...FACTS, engineId: null }
  await expect(register({ panelUrl, installToken: 'x', facts, directory })).rejects.toThrow(/more than 1048576/)
  sent = 0
  const config = { panelUrl, serverId: 'x', token: 'x', boxKeys: newBoxKeys(), taskKeys: [], directory }
  await expect(sendHeartbeat(config, 'run', BEAT as never, signal)).rejects.toThrow(/more than 1048576/)
})
