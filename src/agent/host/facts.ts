/** What an agent says of its host. */
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { arch, availableParallelism, hostname, networkInterfaces, platform, release, totalmem } from 'node:os'
import { kindsByName } from '../../tasks/kind.ts'
import type { TaskKind } from '../../tasks/kind.ts'
import type { AgentFacts } from '../../tasks/protocol.ts'
import { proxyVersion } from '../proxy/program.ts'
import type { FoundEngine } from './engine.ts'

const MIB = 1_048_576
const MILLIS = 1_000
const ARCHITECTURES: Readonly<Record<string, string>> = { x64: 'amd64' }

export interface FactsAsked {
  readonly version: string
  readonly kinds: readonly Pick<TaskKind, 'name' | 'version'>[]
  /** On the disk that holds what the server runs. */
  readonly directory: string
  readonly found: FoundEngine
}

export async function factsOfHost({ version, kinds, directory, found }: FactsAsked): Promise<AgentFacts> {
  const { blocks, bsize } = await statfs(directory)
  const engine = 'info' in found ? found.info : undefined
  return {
    engineId: engine?.id ?? null,
    version,
    hostname: hostname(),
    os: platform(),
    arch: ARCHITECTURES[arch()] ?? arch(),
    kernel: release(),
    kinds: Object.fromEntries([...kindsByName(kinds)].map(([name, kind]) => [name, kind.version])),
    capacity: {
      cpuMillis: availableParallelism() * MILLIS,
      memoryMiB: Math.floor(totalmem() / MIB),
      diskMiB: Math.floor((blocks * bsize) / MIB),
    },
    engine: engine ? { version: engine.version, api: engine.api, driver: engine.driver } : null,
    addresses: addresses(),
    systemd: existsSync('/run/systemd/system'),
    cgroup: existsSync('/sys/fs/cgroup/cgroup.controllers') ? 2 : 1,
    programs: { haproxy: await proxyVersion() },
  }
}

const addresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ internal, scopeid = 0 }) => !internal && scopeid === 0)
    .map(({ address }) => address)
    .slice(0, 64)
