/** Every round measures every path once, the contestants of a path one right after the other in a new order. */
import { createHmac, createSecretKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto'
import type { Latencies } from '../contestant.ts'
import type { Lane } from '../lane.ts'
import { processorTimeOf, spentEach } from '../processor.ts'
import { shuffled } from '../rounds.ts'
import type { Server } from '../server.ts'
import { MORE } from '../tests.ts'
import { fire } from './load.ts'
import { VISIBLE } from './paths.ts'
import type { Path, PathSample } from './paths.ts'
import type { Target, Targets } from './targets.ts'

/** Before the first round, so that code is compiled and connections are open. */
export const WARM_UP_ROUNDS = 5
const CRYPTOGRAPHY_SECONDS = 0.5

export interface PathPlan {
  readonly paths: readonly Path[]
  readonly rounds: number
  readonly seconds: number
}

export async function measurePaths(
  server: Server,
  targets: Targets,
  { paths, rounds, seconds }: PathPlan,
  tell: (words: string) => void,
): Promise<PathSample[]> {
  const samples: PathSample[] = []
  for (let round = 1 - WARM_UP_ROUNDS; round <= rounds; round += 1) {
    for (const path of paths)
      for (const contestant of shuffled(path.contestants)) {
        await targets.settle()
        await server.settle()
        const latencies =
          contestant === 'cryptography'
            ? cryptography(Math.min(seconds, CRYPTOGRAPHY_SECONDS))
            : await measured(server, await targets.target(path, contestant))
        samples.push({ round, test: path.name, contestant, ...latencies })
      }
    tell(round > 0 ? `round ${round} of ${rounds}` : `warm-up ${round + WARM_UP_ROUNDS} of ${WARM_UP_ROUNDS}`)
  }
  return samples.filter(({ round }) => round > 0)
}

async function measured({ pid }: Server, { processes, load }: Target): Promise<Latencies> {
  const made = load()
  const pids = processes.map((each) => each.pid)
  const before = processorTimeOf(pids, pid)
  const { requests, ...latencies } = await fire(made)
  return { ...latencies, spent: spentEach(before, processorTimeOf(pids, pid), requests) }
}

/** The least that a heartbeat costs: HMAC and Ed25519 verified, a lease signed, over as many bytes as a request has. */
function cryptography(seconds: number): Latencies {
  const secret = createSecretKey(randomBytes(32))
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const [base, lease] = [randomBytes(600), randomBytes(700)]
  const signature = sign(null, base, privateKey)
  const began = performance.now()
  const before = process.cpuUsage()
  let done = 0
  for (; performance.now() - began < seconds * 1_000; done += 1) {
    createHmac('sha256', secret).update(base).digest()
    verify(null, base, publicKey, signature)
    sign(null, lease, privateKey)
  }
  const { user, system } = process.cpuUsage(before)
  const each = (performance.now() - began) / done
  const spent = { nodeUs: (user + system) / done, postgresUs: 0 }
  return { opsPerSecond: 1_000 / each, p50Ms: each, p99Ms: each, spent }
}

const visibleTest = MORE.find(({ name }) => name === VISIBLE)!

/** From the call of append, which is stricter than from its answer. */
export async function measureVisible(
  server: Server,
  lane: Lane,
  { rounds, seconds }: Omit<PathPlan, 'paths'>,
): Promise<PathSample[]> {
  const [empty, database] = ['visible_empty', 'visible']
  await server.create(empty)
  await lane.setup(server.url(empty))
  const samples: PathSample[] = []
  for (let round = 1; round <= rounds; round += 1) {
    await server.create(database, empty)
    await server.settle()
    const latencies = await lane.measure({ test: visibleTest, url: server.url(database), seconds, events: 0 })
    samples.push({ round, test: VISIBLE, contestant: 'daybook', ...latencies })
  }
  return samples
}
