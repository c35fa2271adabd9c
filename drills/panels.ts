/** Panels as customers run them: the license client with its own memory and machine, against the drill's service. */
import { licenseClient } from '../src/license-client/client.ts'
import type { LicenseClient } from '../src/license-client/client.ts'
import type { Memory } from '../src/license-client/memory.ts'

export interface Panel {
  readonly client: LicenseClient
  /** Its current memory. */
  memory(): Memory
}

export interface ServiceOfPanels {
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
  now(): Date
  /** Sends a request as a member of staff. */
  ask(method: string, path: string): Promise<any>
}

/** @param licenseKey the key that activates it */
export async function activePanel(service: ServiceOfPanels, name: string, licenseKey: string): Promise<Panel> {
  let kept: Memory | undefined
  const { root } = await service.ask('GET', '/api/admin/settings/signing-keys')
  const client = licenseClient({
    serviceUrl: service.baseUrl,
    root: root.publicJwk,
    store: { load: async () => kept, save: async (memory) => void (kept = memory) },
    host: async () => ({ machine: name, cpu: 'drill x2' }),
    about: { name, hostname: name, version: '1.0.0', os: 'linux', arch: 'x64' },
    fetch: service.fetch,
    now: () => Math.floor(service.now().getTime() / 1_000),
  })
  await client.start()
  await client.activate(licenseKey)
  return { client, memory: () => kept! }
}

/** @returns the number of panels in each state; with `asks`, after each has sent one heartbeat */
export async function statesOf(panels: readonly Panel[], asks: boolean): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {}
  for (const { client } of panels) {
    const { state, reason } = asks ? (await client.revalidate()).standing : client.status()
    const name = reason === null ? state : `${state} (${reason})`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

export const inWords = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ')
