/** Figures for Prometheus, of one process. Labels are declared names only, so no stranger can make up a new series. */
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { ipAllowed, parseAllowedIps } from '../identity/allowed-ips.ts'
import { found } from '../rejection.ts'
import { everyone, route, textReply } from './route.ts'
import type { Route } from './route.ts'
import type { HttpObserver } from './server.ts'

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const LOOPBACK = ['127.0.0.0/8', '::1']
const NO_ROUTE = 'none'

export interface MetricsOptions {
  /** Events that each projection is behind, by its name; asked when somebody reads the figures. */
  readonly projectionLag?: () => Promise<Readonly<Record<string, number>>>
  /** Addresses and ranges that may read the figures; to everybody else they do not exist. Default: this host only. */
  readonly allowed?: readonly string[]
}

export interface Metrics {
  readonly observer: HttpObserver
  readonly registry: Registry
  readonly routes: readonly Route[]
}

export function metrics({ projectionLag, allowed = LOOPBACK }: MetricsOptions = {}): Metrics {
  const registry = new Registry()
  const readers = parseAllowedIps([...allowed])
  collectDefaultMetrics({ register: registry })
  if (projectionLag) lagGauge(registry, projectionLag)
  return {
    registry,
    observer: observerOf(registry),
    routes: [
      route('GET /metrics', {
        does: 'Figures in the text format of Prometheus, for the addresses that may read them.',
        access: everyone,
        reply: textReply(registry.contentType),
        handle: async ({ ip }) => {
          found(readers.length > 0 && ipAllowed(readers, ip) ? ip : undefined)
          return registry.metrics()
        },
      }),
    ],
  }
}

function observerOf(registry: Registry): HttpObserver {
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['route', 'status'],
    buckets: SECONDS,
    registers: [registry],
  })
  const appended = new Counter({
    name: 'events_appended_total',
    help: 'Events appended by this process for a request',
    labelNames: ['type'],
    registers: [registry],
  })
  return {
    answered: (line = NO_ROUTE, status, seconds) => durations.observe({ route: line, status }, seconds),
    appended: (types) => {
      for (const type of types) appended.inc({ type })
    },
  }
}

function lagGauge(registry: Registry, projectionLag: NonNullable<MetricsOptions['projectionLag']>): void {
  const behind = new Gauge({
    name: 'projection_lag_events',
    help: 'Events that a projection has yet to apply',
    labelNames: ['projection'],
    registers: [],
    async collect() {
      // A database that is away must not take the other figures with it.
      const found = await projectionLag().catch(() => ({}))
      this.reset()
      for (const [projection, events] of Object.entries(found)) this.set({ projection }, events)
    },
  })
  registry.registerMetric(behind)
}
