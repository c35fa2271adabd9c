/**
 * A panel beside the service of a test: the license client over real HTTP, with a memory, a machine and a
 * clock of the test.
 */
import { licenseClient } from '../../../src/license-client/client.ts'
import type { HostValues } from '../../../src/license-client/fingerprint.ts'
import type { Memory } from '../../../src/license-client/memory.ts'
import type { PanelLicenseStatus } from '../../../src/license-client/status.ts'
import type { TestService } from './service.ts'

export interface PanelOptions {
  readonly host?: HostValues
  readonly memory?: Memory
  readonly name?: string
  readonly version?: string
}

export async function panel(service: TestService, options: PanelOptions = {}) {
  const { name = 'panel', version = '1.0.0' } = options
  const kept = { memory: options.memory }
  const network = { isUp: true }
  const { body } = await service.call('GET', '/api/admin/settings/signing-keys', { as: await service.staff() })
  const standings: PanelLicenseStatus[] = []
  const errors: unknown[] = []
  const client = licenseClient({
    serviceUrl: service.settings.baseUrl,
    root: body.root.publicJwk,
    store: { load: async () => kept.memory, save: async (memory) => void (kept.memory = memory) },
    host: async () => options.host ?? { machine: name, cpu: 'test x2' },
    about: { name, hostname: `${name}.local`, version, os: 'linux', arch: 'x64' },
    usage: async () => ({ users: 3 }),
    now: () => Math.floor(service.licensing.clock.now().getTime() / 1_000),
    onStatus: (standing) => standings.push(standing),
    onError: (error) => errors.push(error),
    // The client requests the public address; the test redirects it to its own port.
    fetch: async (url, init) => {
      if (!network.isUp) throw new TypeError('fetch failed')
      const { pathname, search } = new URL(url instanceof Request ? url.url : url)
      return fetch(service.url + pathname + search, init)
    },
  })
  return { client, network, errors, states: () => standings.map(({ state }) => state), memory: () => kept.memory! }
}
