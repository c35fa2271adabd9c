/** What idle agents cost a panel, beside node:http alone that holds as many requests as long. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { child, freePort, resident } from '../../../scripts/figures/child.ts'
import type { Goal } from '../../goals.ts'
import { processorTimeOf } from '../../processor.ts'
import type { Server } from '../../server.ts'
import { atMost } from '../memory.ts'
import { startPanel } from '../stage.ts'
import { enrolServers } from './enrol.ts'
import type { EnrolledServer } from './enrol.ts'

const LONG_POLL = join(import.meta.dirname, 'long-poll.ts')
const AGENTS = join(import.meta.dirname, 'idle-agents.ts')
const REST_MS = 5_000
/** 10,000 agents tell a beat each 50 s, and 2,000 each 10 s: the same number of polls a second. */
const POLLS_A_SECOND = 200
const KIB = 1_024

/** Of one process. */
export interface HeldPolls {
  readonly agents: number
  /** Of its memory, for each agent. */
  readonly kibEach: number
  /** Resident. */
  readonly mib: number
  /** Of a poll. */
  readonly nodeUs: number
  readonly postgresUs: number
  /** Of one core, Node and Postgres. */
  readonly cores: number
}

export type AgentFigures = Readonly<Record<'panel' | 'floor', HeldPolls>>

interface Count {
  readonly polls: number
  readonly connected: number
}

async function held(
  { pid, port }: { readonly pid: number; readonly port: number },
  agents: readonly EnrolledServer[],
  { postmaster, seconds }: { readonly postmaster: number; readonly seconds: number },
): Promise<HeldPolls> {
  const before = resident(pid)
  const load = fork(AGENTS, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const ended = once(load, 'exit')
  async function count(): Promise<Count> {
    load.send('count')
    const answered = once(load, 'message').then(([message]) => message as Count)
    const failed = ended.then(() => Promise.reject(new Error('The process of the agents has ended')))
    return Promise.race([answered, failed])
  }
  try {
    const waitMs = Math.max(10_000, (agents.length / POLLS_A_SECOND) * 1_000)
    load.send({ port, waitMs, agents })
    // Until each agent has polled twice.
    await pause(2 * waitMs + REST_MS)
    const [first, startedMs, spentBefore] = [await count(), performance.now(), processorTimeOf([pid], postmaster)!]
    if (first.connected < agents.length) throw new Error(`${first.connected} of ${agents.length} agents are connected`)
    await pause(Math.max(seconds * 1_000, waitMs))
    const [last, endedMs, spentAfter] = [await count(), performance.now(), processorTimeOf([pid], postmaster)!]
    const [polls, mib] = [last.polls - first.polls, resident(pid)]
    const [nodeUs, postgresUs] = [
      spentAfter.nodeUs - spentBefore.nodeUs,
      spentAfter.postgresUs - spentBefore.postgresUs,
    ]
    return {
      agents: agents.length,
      kibEach: ((mib - before) * KIB) / agents.length,
      mib,
      nodeUs: nodeUs / polls,
      postgresUs: postgresUs / polls,
      cores: (nodeUs + postgresUs) / 1_000 / (endedMs - startedMs),
    }
  } finally {
    load.kill()
    await ended
  }
}

export async function measureAgents(server: Server, count: number, seconds: number): Promise<AgentFigures> {
  const during = { postmaster: server.pid, seconds }
  let agents: EnrolledServer[] = []
  const { panel } = await startPanel(server, async (databaseUrl, secretKey) => {
    agents = await enrolServers(databaseUrl, secretKey, count)
  })
  await pause(REST_MS)
  const ours = await held(panel, agents, during).finally(() => panel.stop())
  const port = await freePort()
  const floor = await child([LONG_POLL], { PORT: String(port) }, 'the long poll listens')
  const theirs = await held({ pid: floor.pid, port }, agents, during).finally(() => floor.stop())
  return { panel: ours, floor: theirs }
}

export const agentRows = (figures: AgentFigures): string[][] => [
  ['idle agents', 'number', 'KiB each', 'MiB in all', 'Node µs a poll', 'Postgres µs a poll', 'cores'],
  ...Object.entries(figures).map(([name, each]) => [
    name,
    String(each.agents),
    each.kibEach.toFixed(0),
    each.mib.toFixed(0),
    each.nodeUs.toFixed(0),
    each.postgresUs.toFixed(0),
    each.cores.toFixed(2),
  ]),
]

export const agentGoals = ({ panel, floor }: AgentFigures): Goal[] => [
  atMost('memory of an idle agent ≤ 3 × the floor', 3, panel.kibEach / floor.kibEach),
  atMost('Node time of a poll ≤ 3.5 × the floor', 3.5, panel.nodeUs / floor.nodeUs),
  atMost('panel with idle agents ≤ 600 MiB', 600, panel.mib),
  atMost('panel with idle agents ≤ 0.5 of a core', 0.5, panel.cores),
]
