/**
 * Prometheus metrics of one process. Label values are declared names only, so a client cannot create
 * time series.
 */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { ipAllowed, parseAllowedIps } from '../credentials/allowed-ips.ts'
import type { JobsStatus } from '../jobs/job-status.ts'
import { found } from '../lib/rejection.ts'
import type { ProjectionStatus } from '../projections/projector.ts'
import { everyone, route, textReply } from './route.ts'
import type { Route } from './route.ts'
import type { HttpObserver } from './server.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LOOPBACK = ['127.0.0.0/8', '::1']
const NO_ROUTE = 'none'

/** A gauge that a service declares, with one number for each value of its label. */
export interface ServiceMetric {
  readonly name: string
  readonly help: string
  readonly label: string
  ask(): Promise<Readonly<Record<string, number>>>
}

/** How often the lag of the event loop is measured. Each time wakes an idle process. */
const LAG_LOOK_MS = 20

export interface MetricsOptions {
  /** The state of each projection; queried at each scrape. */
  readonly projections?: () => Promise<readonly ProjectionStatus[]>
  /** The state of reactions and timers; queried at each scrape. */
  readonly jobs?: () => Promise<JobsStatus>
  readonly serviceMetrics?: readonly ServiceMetric[]
  /** Addresses and ranges that may read the metrics; other clients get 404. Default: this host only. */
  readonly allowed?: readonly string[]
}

export interface Metrics {
  readonly observer: HttpObserver
  readonly registry: Registry
  readonly routes: readonly Route[]
}

export function metrics({ projections, jobs, serviceMetrics = [], allowed = LOOPBACK }: MetricsOptions = {}): Metrics {
  const registry = new Registry()
  const readers = parseAllowedIps([...allowed])
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_LOOK_MS })
  if (projections) projectionGauges(registry, projections)
  if (jobs) jobGauges(registry, jobs)
  for (const figure of serviceMetrics) registerServiceMetric(registry, figure)
  return {
    registry,
    observer: httpObserverOf(registry),
    routes: [
      route('GET /metrics', {
        does: 'Get the metrics in the Prometheus text format. Other addresses than the allowed ones get 404.',
        access: everyone,
        refuses: [404],
        reply: textReply(registry.contentType),
        handle: async ({ ip }) => {
          found(readers.length > 0 && ipAllowed(readers, ip) ? ip : undefined)
          return registry.metrics()
        },
      }),
    ],
  }
}

function httpObserverOf(registry: Registry): HttpObserver {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  const appended = new Counter({
    name: 'events_appended_total',
    help: 'Events appended by requests of this process',
    labelNames: ['type'],
    registers: [registry],
  })
  return {
    onAnswered: (line = NO_ROUTE, status, seconds) => durations.observe({ route: line, status }, seconds),
    onAppended: (types) => {
      for (const type of types) appended.inc({ type })
    },
  }
}

const PROJECTION_GAUGES = [
  ['projection_lag_events', 'Events that a projection has not applied yet', 'lag'],
  ['projection_lag_seconds', 'Age of the oldest event that a projection has not applied yet', 'lagSeconds'],
  ['projection_parked_events', 'Events that a projection could not apply, and the events behind them', 'parked'],
  ['projection_applied_events_total', 'Events that this process has applied to a projection', 'applied'],
] as const

/** The first gauge queries, the others reuse its result: a registry collects in the order of registration. */
function projectionGauges(registry: Registry, projections: NonNullable<MetricsOptions['projections']>): void {
  let asked: Promise<readonly ProjectionStatus[]>
  for (const [name, help, figure] of PROJECTION_GAUGES) {
    const Kind = figure === 'applied' ? Counter : Gauge
    const shown: Counter | Gauge = new Kind({
      name,
      help,
      labelNames: ['projection'],
      registers: [],
      async collect() {
        // If the database is unavailable, the other metrics are still reported.
        if (figure === 'lag') asked = projections().catch(() => [])
        const all = await asked
        shown.reset()
        for (const status of all) shown.inc({ projection: status.name }, status[figure])
      },
    })
    registry.registerMetric(shown)
  }
}

function registerServiceMetric(registry: Registry, { name, help, label, ask }: ServiceMetric): void {
  const shown = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [],
    async collect() {
      const figures = await ask().catch(() => ({}))
      shown.reset()
      for (const [word, figure] of Object.entries(figures)) shown.set({ [label]: word }, figure)
    },
  })
  registry.registerMetric(shown)
}

const JOB_GAUGES = [
  ['work_waiting', 'Events that a reaction has not processed, or timers that were due at the last scan', 'waiting'],
  ['work_oldest_seconds', 'Age of the oldest of these', 'oldestSeconds'],
  ['work_lag_events', 'Events that a reaction has not received yet', 'lag'],
] as const

/** As above: the first gauge queries. */
function jobGauges(registry: Registry, works: NonNullable<MetricsOptions['jobs']>): void {
  let asked: Promise<JobsStatus | undefined> = Promise.resolve(undefined)
  for (const [name, help, figure] of JOB_GAUGES) {
    const shown = new Gauge({
      name,
      help,
      labelNames: ['work'],
      registers: [],
      async collect() {
        if (figure === 'waiting') asked = works().catch(() => undefined)
        shown.reset()
        for (const each of (await asked)?.works ?? []) shown.set({ work: each.name }, each[figure])
      },
    })
    registry.registerMetric(shown)
  }
  const failing = new Gauge({
    name: 'work_failing',
    help: 'Jobs that failed and are retried',
    labelNames: ['work'],
    registers: [],
    async collect() {
      failing.reset()
      for (const each of (await asked)?.failures ?? []) failing.inc({ work: each.name })
    },
  })
  registry.registerMetric(failing)
  const looked = new Gauge({
    name: 'work_looked_seconds',
    help: 'Seconds since a worker last scanned for due jobs',
    registers: [],
    async collect() {
      looked.reset()
      const seconds = (await asked)?.lookedSecondsAgo
      if (seconds !== undefined) looked.set(seconds)
    },
  })
  registry.registerMetric(looked)
}
