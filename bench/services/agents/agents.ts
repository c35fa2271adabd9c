/**
 * What agents cost a panel: idle ones beside node:http alone that holds as many requests as long, the way of a task to its
 * agent with few and with many of them, and a beat beside a read.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { child, freePort, resident } from '../../../scripts/figures/child.ts'
import { REQUEST_LINES } from '../../../src/agent/spool.ts'
import type { Goal } from '../../goals.ts'
import { processorTimeOf } from '../../processor.ts'
import type { Server } from '../../server.ts'
import { atMost } from '../memory.ts'
import { startPanel } from '../stage.ts'
import { costOfOne, measureBeats, measurePieces } from './beats.ts'
import type { BeatFigures, Requests } from './beats.ts'
import { openEnrolment } from './enrol.ts'
import type { EnrolledServer, Enrolment } from './enrol.ts'
import { measureHandOut } from './hand-out.ts'
import type { HandOut } from './hand-out.ts'

const LONG_POLL = join(import.meta.dirname, 'long-poll.ts')
const AGENTS = join(import.meta.dirname, 'idle-agents.ts')
const REST_MS = 5_000
/** 10,000 agents tell a beat each 50 s, and 2,000 each 10 s: the same number of polls a second. */
const POLLS_A_SECOND = 200
const KIB = 1_024
const FEW = 10
const TELLING = 64
const HAND_OUT_SECONDS = 20
const BEAT_SECONDS = 4

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
  /** Of one core, Node alone. */
  readonly nodeCores: number
}

export interface AgentFigures {
  readonly few: HeldPolls
  readonly many: HeldPolls
  /** As many as `many`. */
  readonly floor: HeldPolls
  /** Of tasks to a few agents, alone and beside the many idle ones. */
  readonly handOut: Readonly<Record<'few' | 'many', HandOut>>
  readonly beats: BeatFigures
  /** Each of `REQUEST_LINES` lines. */
  readonly piece: Requests
}

interface Count {
  readonly polls: number
  readonly connected: number
}

interface Holding {
  readonly pid: number
  readonly port: number
  readonly agents: readonly EnrolledServer[]
  readonly postmaster: number
  readonly seconds: number
  /** Resolves when nothing else is under way. */
  readonly settled?: Enrolment['settled']
  /** Runs after the idle time, while they are held. */
  readonly meanwhile?: () => Promise<void>
}

async function held({ pid, port, agents, postmaster, seconds, settled, meanwhile }: Holding): Promise<HeldPolls> {
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
    await settled?.(agents)
    const [first, startedMs, spentBefore] = [await count(), performance.now(), processorTimeOf([pid], postmaster)!]
    if (first.connected < agents.length) throw new Error(`${first.connected} of ${agents.length} agents are connected`)
    await pause(Math.max(seconds * 1_000, waitMs))
    const [last, endedMs, spentAfter] = [await count(), performance.now(), processorTimeOf([pid], postmaster)!]
    const [polls, mib, forMs] = [last.polls - first.polls, resident(pid), endedMs - startedMs]
    const nodeUs = spentAfter.nodeUs - spentBefore.nodeUs
    const postgresUs = spentAfter.postgresUs - spentBefore.postgresUs
    await meanwhile?.()
    return {
      agents: agents.length,
      kibEach: ((mib - before) * KIB) / agents.length,
      mib,
      nodeUs: nodeUs / polls,
      postgresUs: postgresUs / polls,
      cores: (nodeUs + postgresUs) / 1_000 / forMs,
      nodeCores: nodeUs / 1_000 / forMs,
    }
  } finally {
    load.kill()
    await ended
  }
}

/** A panel whose servers are registered by their events. */
async function enrolledPanel(server: Server, name: string) {
  let enrolment: Enrolment | undefined
  const prepare = async (databaseUrl: string, secretKey: string) => {
    enrolment = await openEnrolment(databaseUrl, secretKey)
  }
  const { panel } = await startPanel(server, prepare, name)
  return { panel, ...enrolment! }
}

/** On a panel of its own, because a list of thousands of servers costs more. */
async function beatsOf(server: Server): Promise<BeatFigures> {
  const { panel, enrol, close } = await enrolledPanel(server, 'beats')
  try {
    const { pid, port, accessToken } = panel
    const at = { pid, port, postmaster: server.pid, seconds: BEAT_SECONDS }
    return await measureBeats({ ...at, accessToken, agents: await enrol(FEW) })
  } finally {
    await close()
    await panel.stop()
  }
}

/** At the end, because Postgres tidies up after so many lines for minutes. */
async function piecesOf(server: Server): Promise<Requests> {
  const { panel, enrol, queue, close } = await enrolledPanel(server, 'pieces')
  try {
    const at = { pid: panel.pid, port: panel.port, postmaster: server.pid, seconds: BEAT_SECONDS }
    return await measurePieces({ ...at, agents: await enrol(TELLING), queue })
  } finally {
    await close()
    await panel.stop()
  }
}

/** @param count of the many idle agents */
export async function measureAgents(server: Server, count: number, seconds: number): Promise<AgentFigures> {
  const beats = await beatsOf(server)
  const { panel, enrol, queue, settled, close } = await enrolledPanel(server, 'agents')
  try {
    const [working, few] = [await enrol(FEW), await enrol(FEW)]
    const of = { pid: panel.pid, port: panel.port, postmaster: server.pid, seconds }
    const handOut = () => measureHandOut({ port: panel.port, agents: working, queue, seconds: HAND_OUT_SECONDS })
    await pause(REST_MS)
    const withFew = await held({ ...of, agents: few, settled })
    // Before other work makes the heap larger.
    const many = await enrol(count)
    let besideMany: HandOut | undefined
    const meanwhile = async () => void (besideMany = await handOut())
    const withMany = await held({ ...of, agents: many, settled, meanwhile })
    await pause(REST_MS)
    const alone = await handOut()
    await panel.stop()
    const port = await freePort()
    const floor = await child([LONG_POLL], { PORT: String(port) }, 'the long poll listens')
    const bare = await held({ ...of, pid: floor.pid, port, agents: many }).finally(() => floor.stop())
    const piece = await piecesOf(server)
    return { few: withFew, many: withMany, floor: bare, handOut: { few: alone, many: besideMany! }, beats, piece }
  } finally {
    await close()
    await panel.stop()
  }
}

const heldRow = (name: string, { agents, kibEach, mib, nodeUs, postgresUs, cores }: HeldPolls): string[] => [
  `${agents} idle agents, ${name}`,
  `${nodeUs.toFixed(0)} + ${postgresUs.toFixed(0)} µs a poll`,
  `${mib.toFixed(0)} MiB, ${kibEach.toFixed(0)} KiB each, ${cores.toFixed(3)} cores`,
]

const requestRow = (name: string, { nodeUs, postgresUs, perSecond }: Requests): string[] => [
  name,
  `${nodeUs.toFixed(0)} + ${postgresUs.toFixed(0)} µs`,
  `${perSecond.toFixed(0)} /s`,
]

const handOutRow = (name: string, { tasks, p50Ms, p99Ms }: HandOut): string[] => [
  `hand-out, ${name}`,
  `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  `${tasks} tasks`,
]

export const agentRows = ({ few, many, floor, handOut, beats, piece }: AgentFigures): string[][] => [
  ['', 'Node + Postgres', ''],
  heldRow('panel', few),
  heldRow('panel', many),
  heldRow('bare long poll', floor),
  handOutRow(`${FEW} agents`, handOut.few),
  handOutRow(`beside ${many.agents} idle agents`, handOut.many),
  requestRow('a beat', beats.beat),
  requestRow(`a piece of ${REQUEST_LINES} log lines`, piece),
  requestRow('GET servers/mine', beats.mine),
]

export const agentGoals = ({ few, many, floor, handOut, beats }: AgentFigures): Goal[] => [
  atMost('memory of an idle agent ≤ 3 × the floor', 3, many.kibEach / floor.kibEach),
  atMost('Node time of a poll ≤ 3.5 × the floor', 3.5, many.nodeUs / floor.nodeUs),
  atMost('panel with many idle agents ≤ 600 MiB', 600, many.mib),
  atMost('panel with many idle agents ≤ 0.5 of a core', 0.5, many.cores),
  atMost(`Node with ${FEW} idle agents ≤ 1 % of a core`, 1, few.nodeCores * 100),
  atMost('hand-out p50 ≤ 20 ms', 20, handOut.few.p50Ms),
  atMost('hand-out p99 ≤ 100 ms', 100, handOut.few.p99Ms),
  atMost('hand-out p50 with many ≤ 2 × with few', 2, handOut.many.p50Ms / handOut.few.p50Ms),
  atMost('a beat ≤ 1.5 × GET servers/mine', 1.5, costOfOne(beats.beat) / costOfOne(beats.mine)),
]
