/** What a beat and a piece of a log cost a panel, beside a read of a list. */
import { processorTimeOf, spentEach } from '../../processor.ts'
import type { ProcessorTime } from '../../processor.ts'
import { fire, requestBytes } from '../load.ts'
import type { EnrolledServer } from './enrol.ts'
import { agentRequest, BEAT } from './requests.ts'

export interface Requests extends ProcessorTime {
  readonly perSecond: number
}

export interface BeatFigures {
  readonly beat: Requests
  /** `GET /api/servers/mine`. */
  readonly mine: Requests
}

interface BeatOptions {
  readonly port: number
  /** Of an account that may use no server. */
  readonly accessToken: string
  readonly pid: number
  readonly postmaster: number
  readonly agents: readonly EnrolledServer[]
  readonly seconds: number
}

const IN_FLIGHT = 32
const ROUNDS = 3

/** In turns, of which each one's cheapest counts. */
export async function measureBeats({
  port,
  accessToken,
  pid,
  postmaster,
  agents,
  seconds,
}: BeatOptions): Promise<BeatFigures> {
  const beats = agents.map((agent) => agentRequest(agent, 'heartbeat', BEAT))
  const mine = requestBytes('GET', '/api/servers/mine', { authorization: `Bearer ${accessToken}` })
  async function costOf(next: () => Buffer): Promise<Requests> {
    const before = processorTimeOf([pid], postmaster)
    const { requests, opsPerSecond } = await fire({ ports: [port], next, inFlight: IN_FLIGHT, seconds })
    return { ...spentEach(before, processorTimeOf([pid], postmaster), requests)!, perSecond: opsPerSecond }
  }
  let nth = 0
  const found: BeatFigures[] = []
  for (let round = 0; round <= ROUNDS; round += 1)
    found.push({ beat: await costOf(() => beats[(nth += 1) % beats.length]!), mine: await costOf(() => mine) })
  const cheapest = (name: keyof BeatFigures): Requests =>
    found
      .slice(1)
      .map((each) => each[name])
      .toSorted((one, other) => costOfOne(one) - costOfOne(other))[0]!
  return { beat: cheapest('beat'), mine: cheapest('mine') }
}

export const costOfOne = ({ nodeUs, postgresUs }: ProcessorTime): number => nodeUs + postgresUs
