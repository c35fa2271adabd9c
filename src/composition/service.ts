/** A core behind HTTP: the gate, the routes that every service has, what follows its events, and an orderly end. */
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { CommandContext } from '#kernel/events/event'
import { withDocumentation } from '#kernel/http/openapi/docs-routes'
import type { AuthenticationScheme } from '#kernel/http/gate'
import { readiness } from '#kernel/http/health'
import { LoadLimiter } from '#kernel/http/limits/load'
import { metrics } from '#kernel/http/metrics'
import type { Docs } from '#kernel/http/openapi/openapi'
import type { Authenticate } from '#kernel/http/route'
import { httpServer } from '#kernel/http/server'
import type { TrustedProxies } from '#kernel/credentials/source-address'
import type { Projector } from '#kernel/projections/projector'
import { kyselyFor } from '#kernel/projections/read-model'
import { lockMetrics } from '#kernel/auth/locked-accounts'
import { preparedStatementPool } from '#kernel/store/postgres/lookup-pool'
import type { SignedCheckpoint } from '#kernel/history/checkpoint-key'
import { startCheckpointSigner } from '#kernel/history/checkpoint-signer'
import { makeCheckpoint } from '#kernel/history/verify-history'
import { jobsWarningOf, readJobsStatus } from '#kernel/jobs/job-status'
import { registerReactions } from '#kernel/jobs/reaction-subscriber'
import { hasRecorded } from '#projections/audit-trail'
import { SYSTEM_ACTOR } from './core.ts'
import type { Core, CoreSettings } from './core.ts'

export interface ServiceSettings extends CoreSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly trustedProxies: TrustedProxies
  readonly authFailuresPerMinute: number
  /** Addresses and ranges that may read /metrics. */
  readonly metricsAllow: readonly string[]
  /** Told what opening is at, for people who wait. */
  readonly onProgress?: ((what: string) => void) | undefined
}

/** What the gate of a service is made with. */
export interface AuthenticationDependencies {
  readonly core: Core
  /** The read models by statements that are prepared, on connections that nothing else uses. */
  readonly read: Kysely<any>
  readonly baseUrl: string
  /** Runs what looks at streams before anybody is known. */
  runBeforeAuthentication<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>
}

/** How people come in. */
export interface Authentication {
  readonly authenticate: Authenticate
  readonly schemes?: Readonly<Record<string, AuthenticationScheme>>
  /** Writes down what it still holds in memory. */
  close(): Promise<unknown>
}

export interface ServiceDefinition {
  readonly docs: Docs
  /** Before anything listens. */
  prepare?(run: AuthenticationDependencies['runBeforeAuthentication']): Promise<unknown>
  authentication(door: AuthenticationDependencies): Authentication
}

export interface Service extends Core {
  /** @param port 0 takes a free one. */
  listen(port: number, host: string): Promise<{ port: number }>
  /** Stops accepting, lets what is under way end, and closes everything it opened. */
  close(graceMs?: number): Promise<void>
}

const GRACE_MS = 10_000
/** Asked once by each request that brings a credential, for some hundredths of a millisecond. */
const GATE_CONNECTIONS = 5

/** Ready to listen; the core is closed when this fails. */
export async function openService(
  core: Core,
  { docs, prepare, authentication }: ServiceDefinition,
  settings: ServiceSettings,
  log: Logger,
): Promise<Service> {
  const { pool, commands, vault, read, composition } = core
  const { sections, routes, reactions, timers } = composition
  const { baseUrl } = settings
  const isElsewhere = settings.eventStoreUrl !== undefined
  try {
    settings.onProgress?.('Filling the read models')
    await core.projector.prepare()
    await registerReactions({ store: core.store, pool }, reactions)
    await prepare?.((work) => commands.run(AT_START, work))
  } catch (error) {
    await core.close()
    throw error
  }
  core.projector.start()
  core.erasures.start()
  let signed: SignedCheckpoint | undefined
  const stopSigning = isElsewhere
    ? async () => {}
    : startCheckpointSigner({
        head: () => core.store.head(),
        makeCheckpoint: async (signal) => {
          signed = await makeCheckpoint(pool, vault, { signal, known: signed })
          return signed?.position ?? 0
        },
        onError: (err) => log.error({ err }, 'no checkpoint can be signed'),
      })
  const gate = preparedStatementPool(pool, GATE_CONNECTIONS)
  const door = authentication({
    core,
    read: kyselyFor(gate),
    baseUrl,
    runBeforeAuthentication: (work) => commands.run(BEFORE_AUTHENTICATION, work),
  })
  const openedMs = performance.now()
  const works = () => readJobsStatus({ store: core.store, pool, reactions, timers })
  const askedHere = <Question extends { ask(at: { telemetry: Pool; now: Date }): unknown }>(question: Question) => ({
    ...question,
    ask: () => question.ask({ telemetry: pool, now: core.clock.now() }) as ReturnType<Question['ask']>,
  })
  const figures = metrics({
    allowed: settings.metricsAllow,
    projections: () => core.projector.status(),
    jobs: works,
    serviceMetrics: [...lockMetrics, ...sections.flatMap((section) => section.metrics ?? [])].map(askedHere),
  })
  const load = new LoadLimiter()
  const ready = readiness([
    { name: 'database', ask: async () => void (await pool.query('SELECT 1')) },
    { name: 'projections', ask: () => projectionNote(core.projector, isElsewhere) },
    { name: 'work', ask: async () => jobsWarningOf(await works(), (performance.now() - openedMs) / 1_000) },
    { name: 'requests', ask: async () => load.readinessNote() },
    ...sections.flatMap((section) => section.checks ?? []).map(askedHere),
  ])
  const server = httpServer({
    routes: withDocumentation([...routes, ...ready.routes, ...figures.routes], docs, baseUrl),
    authenticate: door.authenticate,
    authenticationSchemes: door.schemes,
    commands,
    read,
    telemetry: pool,
    vault,
    clock: core.clock,
    baseUrl,
    services: core.services,
    trustedProxies: settings.trustedProxies,
    waitUntilCaughtUp: core.projector.waitUntilCaughtUp,
    hasRecorded: async (requestId, since) =>
      (await isAuditTrailCurrent(core)) ? hasRecorded(read, requestId, since) : undefined,
    logger: log,
    load,
    limits: { failuresPerMinute: settings.authFailuresPerMinute },
    observer: figures.observer,
    onClosing: ready.close,
  })
  return {
    ...core,
    listen: (port, host) => server.listen(port, host),
    async close(graceMs = GRACE_MS) {
      await server.close(graceMs)
      await gate.end()
      await door.close()
      await Promise.all([core.projector.stop(), stopSigning()])
      await core.close()
    },
  }
}

/** Who asks for his right of way is nobody yet. */
const BEFORE_AUTHENTICATION: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'door' }
const AT_START: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'start' }
const TRAIL_SHOWN_MS = 2_000

/** Whether the audit trail, which alone is fed by events of any type, shows all that has happened until now. */
const isAuditTrailCurrent = async ({ store, projector: readSide }: Core): Promise<boolean> =>
  readSide.waitUntilCaughtUp({ types: ['any'], streams: [], position: await store.head() }, TRAIL_SHOWN_MS)

/** More than this behind, answers are too old to be given. */
const LAG_EVENTS_MAX = 10_000
const LAG_SECONDS_MAX = 60

/** @param isElsewhere the positions of another store than Postgres have gaps, so only time says how far behind a read model is */
async function projectionNote(readSide: Projector, isElsewhere: boolean): Promise<string | undefined> {
  const all = await readSide.status()
  for (const { name, lag, lagSeconds, failing } of all) {
    const isTooFar = isElsewhere ? lagSeconds > LAG_SECONDS_MAX : lag > LAG_EVENTS_MAX
    if (failing !== undefined || isTooFar) throw new Error(`${name} does not follow`)
  }
  const parked = all.reduce((sum, each) => sum + each.parked, 0)
  return parked === 0 ? undefined : `events parked: ${parked} (daybook projections shows why)`
}
