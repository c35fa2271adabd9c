/** A model with lamps: each light causes one event in another stream, so that a repeated effect is visible. */
import { z } from 'zod'
import { commandRunner } from '#kernel/commands/command-runner'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { eventCodec } from '#kernel/events/codec'
import { decider } from '#kernel/events/decider'
import { event, sealed, stream } from '#kernel/events/event'
import type { EventIn } from '#kernel/events/event'
import { bullmqQueue } from '#kernel/jobs/bullmq-queue'
import type { QueueConnection } from '#kernel/jobs/bullmq-queue'
import { listFailures } from '#kernel/jobs/job-failures'
import { reaction } from '#kernel/jobs/reaction'
import { registerReactions } from '#kernel/jobs/reaction-subscriber'
import { timer } from '#kernel/jobs/timer'
import { worker } from '#kernel/jobs/worker'
import type { Worker, WorkerDependencies } from '#kernel/jobs/worker'
import { manualClock } from '#kernel/lib/clock'
import type { Clock } from '#kernel/lib/clock'
import { kyselyFor } from '#kernel/projections/read-database'
import { servicePool } from '#kernel/store/connection'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { memoryKeyStore, postgresKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'

const lamp = { lampId: z.uuid() }
export const LampLit = event('LampLit', 'lampId', { ...lamp, by: sealed(z.string()) }, () => 'lit', {
  sealedFor: ({ lampId }) => `lamp/${lampId}`,
})
export const LampBroken = event('LampBroken', 'lampId', lamp, () => 'broken')
const LampEchoed = event('LampEchoed', 'lampId', { ...lamp, position: z.int(), by: z.string() }, () => 'echoed')
const LampSet = event('LampSet', 'lampId', { ...lamp, until: z.iso.datetime() }, () => 'set')
const LampWentOut = event('LampWentOut', 'lampId', lamp, () => 'went out')
export const lampEvents = stream('lamp', [LampLit, LampBroken, LampSet, LampWentOut])
const echoEvents = stream('echo', [LampEchoed])

/** Records the effects of a light, once for each light. */
export const echoes = decider(echoEvents, {
  initial: [] as number[],
  evolve: { LampEchoed: (all, { position }) => [...all, position] },
  commands: {
    Echo: (all, ask: { lampId: string; position: number; by: string }) =>
      all.includes(ask.position) ? [] : [LampEchoed(ask)],
  },
})

export const lamps = decider(lampEvents, {
  initial: { until: undefined as string | undefined },
  evolve: {
    LampLit: (state) => state,
    LampBroken: (state) => state,
    LampSet: (_state, { until }) => ({ until }),
    LampWentOut: () => ({ until: undefined }),
  },
  commands: {
    Light: (_state, ask: { lampId: string; by: string }) => [LampLit(ask)],
    Break: (_state, ask: { lampId: string }) => [LampBroken(ask)],
    Set: (_state, ask: { lampId: string; until: string }) => [LampSet(ask)],
    GoOut: ({ until }, { lampId }: { lampId: string }, { at }) =>
      until === undefined || at.toISOString() < until ? [] : [LampWentOut({ lampId })],
  },
})

export const echo = reaction('echo', {
  on: [LampLit],
  run: async ({ data, position }, { run }) => {
    await run((unit) => unit.decide(echoes, data.lampId, 'Echo', { lampId: data.lampId, position, by: data.by }))
  },
})

/** @param alarms replaces a read model */
export const goOutTimer = (alarms: () => Promise<{ key: string; at: string }[]>) =>
  timer('go-out', {
    due: async ({ until: limit }) => (await alarms()).filter((due) => due.at <= limit.toISOString()),
    run: async ({ key }, { run }) => {
      await run((unit) => unit.decide(lamps, key, 'GoOut', { lampId: key }))
    },
  })

const SOMEBODY = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'test' }

export type JobFixture = ReturnType<typeof jobFixture>

interface Surroundings {
  readonly clock?: Clock
  /** The queue's Redis; by default the queue is in the database. */
  readonly connection?: QueueConnection
  /** The test has workers in other processes, so the queue and its state are in the database. */
  readonly isShared?: boolean
}

export function jobFixture(
  url: string,
  { clock = manualClock(new Date()), connection, isShared = false }: Surroundings = {},
) {
  const pool = servicePool(url, { role: 'daybook_service' })
  const store = isShared ? postgresStore({ pool }) : memoryStore()
  const vault = openVault({ store: isShared ? postgresKeyStore(pool) : memoryKeyStore(), kek: Buffer.alloc(32, 7) })
  const codec = eventCodec([lampEvents, echoEvents], vault)
  const commands = commandRunner(store, codec, clock)
  const queuePool = servicePool(url, { role: 'daybook_queue' })
  const queues: ReturnType<typeof bullmqQueue>[] = []
  const workers: Worker[] = []
  const errors: unknown[] = []

  /** The parts of a separate worker, as another process has them. */
  function parts(more: Partial<WorkerDependencies>): WorkerDependencies {
    const queue = bullmqQueue(connection ?? { pool: queuePool }, (error) => errors.push(error))
    queues.push(queue)
    return {
      reactions: [],
      timers: [],
      store,
      codec,
      commands,
      waitUntilCaughtUp: async () => true,
      read: kyselyFor(pool),
      pool,
      vault,
      clock,
      baseUrl: 'https://lamps.test',
      actor: { type: 'SYSTEM', id: 'lamps' },
      queue,
      onError: (error) => errors.push(error),
      scanEveryMs: 200,
      ...more,
    }
  }

  const run = (work: (unit: UnitOfWork) => Promise<unknown>) => commands.run(SOMEBODY, work)

  return {
    store,
    pool,
    queuePool,
    vault,
    commands,
    errors,
    parts,
    async started(more: Partial<WorkerDependencies>): Promise<Worker> {
      const all = parts(more)
      await registerReactions({ store, pool }, all.reactions)
      const started = worker(all)
      workers.push(started)
      await started.start()
      return started
    },
    light: (lampId: string, by = 'me') => run((unit) => unit.decide(lamps, lampId, 'Light', { lampId, by })),
    break: (lampId: string) => run((unit) => unit.decide(lamps, lampId, 'Break', { lampId })),
    set: (lampId: string, until: Date) =>
      run((unit) => unit.decide(lamps, lampId, 'Set', { lampId, until: until.toISOString() })),
    /** The recorded events of a type, in order. */
    async recorded(type: string): Promise<EventIn<typeof lampEvents | typeof echoEvents>['data'][]> {
      const all = await store.readAll(0, 100_000)
      return all.filter((each) => each.type === type).map(({ data }) => data as never)
    },
    /** Alarms that are set and have not gone off. */
    async alarms(): Promise<{ key: string; at: string }[]> {
      const all = await store.readAll(0, 100_000)
      const out = new Set(all.filter(({ type }) => type === 'LampWentOut').map(({ stream }) => stream))
      const set = all.filter(({ type, stream }) => type === 'LampSet' && !out.has(stream))
      return set.map(({ data }) => ({ key: data['lampId'] as string, at: data['until'] as string }))
    },
    pending: async () => (await pool.query('SELECT reaction, position FROM telemetry.work_pending')).rows,
    failures: () => listFailures(pool, 100),
    /** The equivalent of FLUSHALL in Redis. */
    flush: async () => void (await queuePool.query('DELETE FROM job')),
    async close() {
      for (const each of workers) await each.stop(1_000)
      for (const each of queues) await each.close()
      await store.close()
      await pool.end()
      await queuePool.end()
    },
  }
}

/** @throws if the condition is not true in time */
export async function waitUntil(what: () => Promise<boolean> | boolean, withinMs = 30_000): Promise<void> {
  for (const late = performance.now() + withinMs; !(await what());) {
    if (performance.now() > late) throw new Error('it has not come to that')
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
