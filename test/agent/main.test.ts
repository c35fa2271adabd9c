/** The program of an agent against a panel of this process: where it keeps what, and what it does when it is replaced. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { newEd25519 } from '#kernel/credentials/jws'
import { stateDirectory } from '../../src/agent/config.ts'
import { runAgentProgram } from '../../src/agent/main.ts'
import { newBoxKeys } from '../../src/tasks/sealed-box.ts'
import { scratchDirectory } from '../support/scratch.ts'

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

/** A panel that refuses this many polls as those of a process that was replaced. */
async function panelDouble(refused: number) {
  const runs: string[] = []
  const server = createServer((request, response) => {
    request.resume()
    if (!request.url!.endsWith('/poll')) return response.writeHead(503).end()
    runs.push(request.headers['daybook-run'] as string)
    if (runs.length <= refused) return response.writeHead(409, { 'error-code': 'RUN_SUPERSEDED' }).end('{}')
    return setTimeout(() => response.writeHead(204).end(), 20)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { runs, panelUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function agentOf(panelUrl: string) {
  const directory = scratchDirectory()
  const { kty, crv, x } = newEd25519()
  const config = {
    panelUrl,
    serverId: randomUUID(),
    token: 'dba_x',
    boxKeys: newBoxKeys(),
    taskKeys: [{ kty, crv, x }],
    directory,
  }
  await writeFile(join(directory, 'agent.json'), JSON.stringify(config))
  const [stopping, said] = [new AbortController(), [] as string[]]
  const program = {
    version: '0.0.0',
    directory,
    panelUrl: undefined,
    installToken: async () => '',
    dockerHost: 'unix:///nowhere/docker.sock',
    proxyHttpPort: 80,
    signal: stopping.signal,
    say: (message: string) => void said.push(message),
  }
  const release = {
    path: join(scratchDirectory(), 'daybook-agent-0.0.0'),
    arch: 'amd64' as const,
    key: generateKeyPairSync('ed25519').publicKey,
    replacedMs: { firstMs: 10, longestMs: 20 },
  }
  return { directory, config, program, release, stopping, said }
}

test('an installed agent that is told to be replaced waits, and works again as the same process', async () => {
  const { runs, panelUrl } = await panelDouble(4)
  const { program, release, stopping, said } = await agentOf(panelUrl)
  const running = runAgentProgram({ ...program, release })
  await expect.poll(() => runs.length).toBeGreaterThan(6)
  expect(new Set(runs).size).toBe(1)
  expect(said.filter((line) => line.endsWith('has started'))).toHaveLength(2)
  stopping.abort()
  expect(await running).toBe(0)
})

test('an agent that waits does no work, and ends when it is told to', async () => {
  const { runs, panelUrl } = await panelDouble(Infinity)
  const { program, release, stopping, said } = await agentOf(panelUrl)
  const running = runAgentProgram({ ...program, release })
  await expect.poll(() => runs.length).toBeGreaterThan(4)
  expect(said.filter((line) => line.endsWith('has started'))).toHaveLength(1)
  stopping.abort()
  expect(await running).toBe(0)
})

test('any other agent that is replaced ends with 75', async () => {
  const { panelUrl } = await panelDouble(Infinity)
  expect(await runAgentProgram((await agentOf(panelUrl)).program)).toBe(75)
})

test('each server has its own state, and so has each panel', async () => {
  const { runs, panelUrl } = await panelDouble(0)
  const { directory, config, program, stopping } = await agentOf(panelUrl)
  const running = runAgentProgram(program)
  await expect.poll(() => runs.length).toBeGreaterThan(0)
  stopping.abort()
  await running
  expect(await readdir(directory)).toEqual(['agent.json', 'servers'])
  expect((await readdir(stateDirectory(config))).toSorted()).toEqual(['journal', 'plans', 'spool'])
  const { kty, crv, x } = newEd25519()
  const others = [{ serverId: randomUUID() }, { taskKeys: [{ kty, crv, x }] }]
  for (const other of others) expect(stateDirectory({ ...config, ...other })).not.toBe(stateDirectory(config))
})
