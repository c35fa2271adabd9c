import { REQUEST_LINES } from '../../../src/agent/spool.ts'
/** What a beat costs a panel beside a read of a list, and what a piece of a log costs. */
import { processorTimeOf, spentEach } from '../../processor.ts'
import type { ProcessorTime } from '../../processor.ts'
import { fire, requestBytes } from '../load.ts'
import type { EnrolledServer, Enrolment } from './enrol.ts'
import { agentRequest, BEAT } from './requests.ts'

export interface Requests extends ProcessorTime {
  readonly perSecond: number
}

export interface BeatFigures {
  readonly beat: Requests
  /** `GET /api/servers/mine`. */
  readonly mine: Requests
}

interface PanelUnderLoad {
  readonly port: number
  readonly pid: number
  readonly postmaster: number
  readonly agents: readonly EnrolledServer[]
  readonly seconds: number
}

interface BeatOptions extends PanelUnderLoad {
  /** Of an account that may use no server. */
  readonly accessToken: string
}

interface PieceOptions extends PanelUnderLoad {
  readonly queue: Enrolment['queue']
}

const IN_FLIGHT = 32
const ROUNDS = 3

/** In turns, of which each one's cheapest counts. */
export async function measureBeats({ accessToken, agents, ...panel }: BeatOptions): Promise<BeatFigures> {
  const beats = agents.map((agent) => agentRequest(agent, 'heartbeat', BEAT))
  const mine = requestBytes('GET', '/api/servers/mine', { authorization: `Bearer ${accessToken}` })
  let nth = 0
  const found: BeatFigures[] = []
  for (let round = 0; round <= ROUNDS; round += 1)
    found.push({
      beat: await costOf(panel, () => beats[(nth += 1) % beats.length]!),
      mine: await costOf(panel, () => mine),
    })
  const cheapest = (name: keyof BeatFigures): Requests =>
    found
      .slice(1)
      .map((each) => each[name])
      .toSorted((one, other) => costOfOne(one) - costOfOne(other))[0]!
  return { beat: cheapest('beat'), mine: cheapest('mine') }
}

const TEXT = 'x'.repeat(80)

/** @param options.agents more than there are requests in flight, so that no two of them tell of one task */
export async function measurePieces({ agents, queue, ...panel }: PieceOptions): Promise<Requests> {
  const logs = await Promise.all(agents.map(async (agent) => piecesOf(agent, await queue(agent.serverId))))
  let nth = 0
  const next = () => logs[(nth += 1) % logs.length]!()
  await costOf(panel, next)
  return costOf(panel, next)
}

/** @returns the next piece of the log of a task at each call */
function piecesOf(agent: EnrolledServer, taskId: string): () => Buffer {
  let seq = 1
  const at = new Date().toISOString()
  return () => {
    const lines = Array.from({ length: REQUEST_LINES }, () => ({ seq: seq++, at, of: 'OUT', text: TEXT }))
    return agentRequest(agent, `tasks/${taskId}/progress`, { attempt: 1, lines })
  }
}

async function costOf(
  { port, pid, postmaster, seconds }: Omit<PanelUnderLoad, 'agents'>,
  next: () => Buffer,
): Promise<Requests> {
  const before = processorTimeOf([pid], postmaster)
  const { requests, opsPerSecond } = await fire({ ports: [port], next, inFlight: IN_FLIGHT, seconds })
  return { ...spentEach(before, processorTimeOf([pid], postmaster), requests)!, perSecond: opsPerSecond }
}

export const costOfOne = ({ nodeUs, postgresUs }: ProcessorTime): number => nodeUs + postgresUs
