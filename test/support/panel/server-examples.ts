/** Servers and agents of tests. */
import type { ServerFacts } from '#panel/servers/events'

export const FACTS: ServerFacts = {
  version: '0.2.0',
  os: 'linux',
  arch: 'amd64',
  hostname: 'east',
  kernel: '6.1.0',
  kinds: { 'host.setup': 1 },
  capacity: { cpuMillis: 4_000, memoryMiB: 8_192, diskMiB: 100_000 },
  engine: { version: '20.10.24', api: '1.41' },
}

export const SERVER_VALUES = {
  name: 'East',
  description: null,
  publicAddress: null,
  allowedIps: [],
  labels: [],
  meshPort: null,
  cordoned: false,
}

export const BEAT = {
  cpuPercent: 1,
  memoryBytes: 2,
  memoryUsedBytes: 1,
  diskBytes: 2,
  diskUsedBytes: 1,
  load: 0,
  containers: null,
  engine: 'NONE',
  plans: {},
}
