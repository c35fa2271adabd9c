/** A server of a panel with a real agent in this process, on a real container engine. */
import { vi } from 'vitest'
import { runAgentProgram } from '../../../src/agent/main.ts'
import { startEngine } from '../docker-engine.ts'
import type { TestEngine } from '../docker-engine.ts'
import { freePort } from '../free-port.ts'
import { endProxy } from '../haproxy.ts'
import { serverFixture } from './server-fixture.ts'
import type { TestPanel, TestUser } from './service.ts'

const ONLINE_MS = 10_000

export interface RealHost {
  readonly serverId: string
  readonly engine: TestEngine
  stop(): Promise<void>
}

/** @param directory of the agent */
export async function realHost(panel: TestPanel, root: TestUser, directory: string): Promise<RealHost> {
  const engine = await startEngine()
  const { id: serverId, installToken } = await serverFixture(panel).add(root, { name: 'real host' })
  const stopping = new AbortController()
  const running = runAgentProgram({
    version: '0.0.0',
    directory,
    panelUrl: panel.url,
    installToken: async () => installToken,
    dockerHost: `unix://${engine.socketPath}`,
    proxyHttpPort: await freePort(),
    signal: stopping.signal,
    say: () => {},
  })
  running.catch(() => {})
  const status = async () => (await panel.call('GET', `/api/servers/${serverId}`, { as: root.as })).body.status
  await vi.waitUntil(async () => (await status()) === 'ONLINE', { timeout: ONLINE_MS })
  return {
    serverId,
    engine,
    async stop() {
      stopping.abort()
      await running
      endProxy(directory)
      await engine.stop()
    },
  }
}
