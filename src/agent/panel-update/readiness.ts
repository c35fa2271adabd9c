/** Whether a container of the panel serves: by its own health check, or else by an answer to GET /api/health. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AskEngine } from '../engine/ask-engine.ts'
import { SeenContainer } from './configuration.ts'

const READY_EVERY_MS = 250
const ANSWER_MS = 3_000
const HEALTH = '/api/health'
const ENDED = ['exited', 'dead']

/** @returns false if it does not serve in time, or has ended */
export async function becomesReady(ask: AskEngine, containerId: string, withinMs: number): Promise<boolean> {
  const untilMs = performance.now() + withinMs
  for (;;) {
    const seen = SeenContainer.parse((await ask('GET', `/containers/${containerId}/json`)).body)
    const health = seen.State.Health?.Status ?? 'none'
    if (health === 'healthy' || (health === 'none' && (await answers(seen)))) return true
    if (ENDED.includes(seen.State.Status) || health === 'unhealthy' || performance.now() > untilMs) return false
    await pause(READY_EVERY_MS)
  }
}

async function answers(seen: SeenContainer): Promise<boolean> {
  for (const address of addressesOf(seen)) {
    // Another program may have the address, and lead elsewhere.
    const asked = fetch(address + HEALTH, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) })
    const isOk = await asked.then(
      async (response) => {
        await response.body?.cancel()
        return response.ok
      },
      () => false,
    )
    if (isOk) return true
  }
  return false
}

const ANY = ['0.0.0.0', '::', '']

/** Where a port is published, and in its networks. */
function addressesOf({ Config, HostConfig, NetworkSettings: { Ports, Networks } }: SeenContainer): string[] {
  const bound = Object.values(Ports ?? {}).flatMap((each) => each ?? [])
  const published = bound.map(({ HostIp, HostPort }) => [ANY.includes(HostIp) ? '127.0.0.1' : HostIp, HostPort])
  const own = Object.values(Networks).flatMap(({ IPAddress }) => IPAddress || [])
  const hosts = HostConfig.NetworkMode === 'host' ? ['127.0.0.1'] : own
  const inner = Object.keys(Config.ExposedPorts ?? {}).map((port) => port.split('/')[0]!)
  return [...published, ...hosts.flatMap((host) => inner.map((port) => [host, port]))].map(
    ([host, port]) => `http://${host!.includes(':') ? `[${host}]` : host}:${port}`,
  )
}
