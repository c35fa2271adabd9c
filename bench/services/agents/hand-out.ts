/** How long a task takes from its acknowledged append to the agent, which waits in a poll. */
import { Agent, request } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../../../scripts/figures/spread.ts'
import type { EnrolledServer, Enrolment } from './enrol.ts'
import { agentHeaders, pollOf } from './requests.ts'

export interface HandOut {
  readonly tasks: number
  readonly p50Ms: number
  readonly p99Ms: number
}

interface HandOutOptions {
  readonly port: number
  readonly agents: readonly EnrolledServer[]
  readonly queue: Enrolment['queue']
  readonly seconds: number
}

const TASKS_A_SECOND = 50
const WAIT_MS = 5_000
const SETTLE_MS = 1_000
const RESULT = { attempt: 1, lastSeq: 0, outcome: 'SUCCEEDED', result: { state: 'exited' } }

/** @throws Error unless each task reaches an agent */
export async function measureHandOut({ port, agents, queue, seconds }: HandOutOptions): Promise<HandOut> {
  const received = new Map<string, number>()
  const connections = new Agent({ keepAlive: true })
  let isOver = false

  async function post(agent: EnrolledServer, path: string, body: object): Promise<any> {
    const options = {
      port,
      method: 'POST',
      path: `/api/agent/${path}`,
      headers: agentHeaders(agent),
      agent: connections,
    }
    const reply = await new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
      request(options).on('response', resolve).on('error', reject).end(JSON.stringify(body)),
    )
    if (reply.statusCode === 204) return void reply.resume()
    const answer = await json(reply)
    if (reply.statusCode !== 200) throw new Error(`${path} is answered ${reply.statusCode} ${JSON.stringify(answer)}`)
    return answer
  }

  async function work(agent: EnrolledServer): Promise<void> {
    const results: Promise<unknown>[] = []
    const holding = new Map<string, object>()
    while (!isOver) {
      const answer = await post(agent, 'poll', pollOf(WAIT_MS, { holding: [...holding.values()] }))
      for (const envelope of (answer?.tasks ?? []) as string[]) {
        const { jti: id } = JSON.parse(Buffer.from(envelope.split('.')[1]!, 'base64url').toString())
        if (!received.has(id)) received.set(id, performance.now())
        holding.set(id, { id, attempt: 1, ended: true })
        results.push(post(agent, `tasks/${id}/result`, RESULT).then(() => holding.delete(id)))
      }
    }
    await Promise.all(results)
  }

  const working = agents.map(work)
  await pause(SETTLE_MS)
  const times: Promise<() => number>[] = []
  const began = performance.now()
  for (let nth = 0; nth < seconds * TASKS_A_SECOND; nth += 1) {
    await pause(Math.max(0, began + (nth * 1_000) / TASKS_A_SECOND - performance.now()))
    times.push(
      queue(agents[nth % agents.length]!.serverId).then((taskId) => {
        const acknowledged = performance.now()
        // Its agent may have it before the one who asked hears that it is stored.
        return () => Math.max(0, (received.get(taskId) ?? NaN) - acknowledged)
      }),
    )
  }
  const asked = await Promise.all(times)
  await pause(SETTLE_MS)
  isOver = true
  await Promise.all(working)
  connections.destroy()
  const found = asked.map((timeOf) => timeOf())
  if (found.some(Number.isNaN)) throw new Error('A task has reached no agent')
  return { tasks: found.length, p50Ms: percentile(found, 50), p99Ms: percentile(found, 99) }
}
