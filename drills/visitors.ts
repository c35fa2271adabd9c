/** Clients of a deployed application. Whatever is not the answer that was asked for is lost. */
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'

const MANY = { fast: 12, slow: 4, pauseMs: 1 }
const TOLD_MAX = 5
/** The proxy lets a request wait for a minute. */
const ANSWER_MS = 90_000

export interface Visits {
  readonly asked: number
  readonly answered: number
  /** The first ones that were lost, in words. */
  readonly lost: readonly string[]
  readonly lostCount: number
}

/**
 * Half of the fast ones keep their connection. The slow ones send bodies, and always have a request on its way.
 * @param load how many there are, and how long each waits after an answer
 */
export function visitors(port: number, isRight: (body: string) => boolean, { fast, slow, pauseMs } = MANY) {
  const counts = { asked: 0, answered: 0, lost: 0 }
  const told: string[] = []
  let times: number[] = []
  let isOver = false

  async function once(agent: Agent | false, sent: string | undefined): Promise<void> {
    const begunMs = performance.now()
    counts.asked += 1
    try {
      const { status, body } = await asked(port, agent, sent)
      if (status !== 200 || !(sent === undefined ? isRight(body) : body === sent))
        throw new Error(`${status} ${body.slice(0, 100)}`)
      counts.answered += 1
    } catch (error) {
      counts.lost += 1
      if (told.length < TOLD_MAX) told.push(String(error))
    }
    if (sent === undefined) times.push(performance.now() - begunMs)
  }

  async function visitor(nth: number): Promise<void> {
    const agent = nth % 2 === 0 ? new Agent({ keepAlive: true, maxSockets: 1 }) : false
    for (let made = 0; !isOver; made += 1) {
      await once(agent, nth < fast ? undefined : `body ${nth} ${made}`)
      // The clients are no load test: what answers them has the same two cores.
      await pause(pauseMs)
    }
    if (agent) agent.destroy()
  }

  const all = Promise.all(Array.from({ length: fast + slow }, (_, nth) => visitor(nth)))
  return {
    counts: (): Visits => ({ asked: counts.asked, answered: counts.answered, lost: told, lostCount: counts.lost }),
    /** Of the fast ones since the last call, in ms. */
    p99(): number {
      const sorted = times.toSorted((one, other) => one - other)
      times = []
      return sorted[Math.floor(sorted.length * 0.99)] ?? 0
    },
    async leave(): Promise<Visits> {
      isOver = true
      await all
      return this.counts()
    },
  }
}

function asked(
  port: number,
  agent: Agent | false,
  body: string | undefined,
): Promise<{ status: number; body: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>()
  const [method, path] = body === undefined ? ['GET', '/index.html'] : ['POST', '/cgi-bin/slow']
  const asking = request({ host: '127.0.0.1', port, path, method, agent })
    .on('error', reject)
    .on('response', (response) => {
      text(response).then((said) => resolve({ status: response.statusCode!, body: said }), reject)
    })
  asking.end(body)
  const late = setTimeout(() => {
    reject(new Error(`no answer within ${ANSWER_MS} ms`))
    asking.destroy()
  }, ANSWER_MS)
  return promise.finally(() => clearTimeout(late))
}
