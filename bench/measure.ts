/** Runs in the contestant's own process. */
import { percentile } from '../scripts/figures/spread.ts'
import type { Contestant, Latencies, Run, Session } from './contestant.ts'
import { processorTime, spentEach } from './processor.ts'
import { STREAM_EVENTS } from './seeded.ts'
import type { Test } from './tests.ts'

/** More would be another test: how many backends two cores can carry. */
const CONNECTIONS_MAX = 32
/** Connections are opened and code is compiled outside the clock, whether a store opens them at once or on demand. */
export const WARM_UP_SECONDS = 0.3
/** One after the other, with pauses: within the time of the other tests there were too few for a percentile. */
const VISIBLE_TIMES = 3

export interface Task {
  readonly test: Test
  readonly url: string
  readonly seconds: number
  /** Events of the log that is read or projected. */
  readonly events: number
}

/** @throws if the contestant lacks the test, or answers wrongly */
export async function measure(contestant: Contestant, { test, url, seconds, events }: Task): Promise<Latencies> {
  const { kind, writers } = test
  const streams = events / STREAM_EVENTS
  if (contestant.load) return contestant.load(test.name, url, writers, seconds, streams)
  if (kind === 'visible') return contestant.visible!(url, seconds * VISIBLE_TIMES)
  if (kind === 'catchup' || kind === 'projection' || kind === 'projectionSet' || kind === 'rebuild')
    return whole(await contestant[kind]!(url, events), events)
  const session = await contestant.open!(url, Math.min(writers, CONNECTIONS_MAX))
  try {
    const all = await lanes(session, test, streams)
    await closedLoop(all, WARM_UP_SECONDS)
    return await closedLoop(all, seconds)
  } finally {
    await session.close()
  }
}

/** One operation is the whole log. */
function whole({ events, ms, spent }: Run, wanted: number): Latencies {
  if (events === 0 || events > wanted) throw new Error(`${events} of ${wanted} events`)
  return { opsPerSecond: (events / ms) * 1_000, p50Ms: ms, p99Ms: ms, spent }
}

async function lanes(session: Session, { kind, writers }: Test, streams: number): Promise<(() => Promise<unknown>)[]> {
  const each = (work: () => Promise<unknown>) => Array.from({ length: writers }, () => work)
  if (kind === 'append3') return Promise.all(each(() => session.stream()) as never)
  if (kind === 'claim') return each(() => session.claim!())
  if (kind === 'load') return each(() => loaded(session, streams))
  return each(() => session.append())
}

async function loaded(session: Session, streams: number): Promise<void> {
  const events = await session.load(Math.floor(Math.random() * streams))
  if (events !== STREAM_EVENTS) throw new Error(`${events} events of ${STREAM_EVENTS}`)
}

type Ask = () => Promise<unknown>

/** Each lane sends the next operation as soon as it has its answer. */
async function closedLoop(all: readonly Ask[], seconds: number): Promise<Latencies> {
  const times: number[] = []
  const before = processorTime()
  const began = performance.now()
  const until = began + seconds * 1_000
  await Promise.all(
    all.map(async (ask) => {
      for (let asked = performance.now(); asked < until; asked = performance.now()) {
        await ask()
        times.push(performance.now() - asked)
      }
    }),
  )
  const opsPerSecond = (times.length / (performance.now() - began)) * 1_000
  const spent = spentEach(before, processorTime(), times.length)
  return { opsPerSecond, p50Ms: percentile(times, 50), p99Ms: percentile(times, 99), spent }
}
