/**
 * Puts a core behind HTTP: the gate, the routes that every service has, background loops, and a
 * graceful close.
 */
import type { Logger } from 'pino'
import { lockMetrics } from '#kernel/auth/locked-accounts'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { TrustedProxies } from '#kernel/credentials/source-address'
import type { CommandContext } from '#kernel/events/event'
import type { SignedCheckpoint } from '#kernel/history/checkpoint-key'
import { startCheckpointSigner } from '#kernel/history/checkpoint-signer'
import { makeCheckpoint } from '#kernel/history/verify-history'
import type { AuthenticationScheme } from '#kernel/http/gate'
import { readiness } from '#kernel/http/health'
import { LoadLimiter } from '#kernel/http/limits/load'
import { metrics } from '#kernel/http/metrics'
import { withDocumentation } from '#kernel/http/openapi/docs-routes'
import type { Docs } from '#kernel/http/openapi/openapi'
import { pagesOf } from '#kernel/http/pages'
import type { PagesRoutes } from '#kernel/http/pages'
import { readBundle } from '#kernel/http/pages-bundle'
import type { Authenticate } from '#kernel/http/route'
import { httpServer } from '#kernel/http/server'
import { jobsWarningOf, readJobsStatus } from '#kernel/jobs/job-status'
import { registerReactions } from '#kernel/jobs/reaction-subscriber'
import type { Projector } from '#kernel/projections/projector'
import type { Asked } from '#kernel/resource/section'
import { hasRecorded } from '#projections/audit-trail'
import type { Surface } from '../web/surfaces.ts'
import { SYSTEM_ACTOR } from './core.ts'
import type { Core, CoreSettings } from './core.ts'

export interface ServiceSettings extends CoreSettings {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly trustedProxies: TrustedProxies
  readonly authFailuresPerMinute: number
  /** Addresses and ranges that may read /metrics. */
  readonly metricsAllow: readonly string[]
  /** The folder of the built pages, or how to wait for it. Without it the paths of pages are answered 503. */
  readonly pagesDir?: string | (() => Promise<string | undefined>) | undefined
  /** Called with each step of opening, for progress output. */
  readonly onProgress?: ((what: string) => void) | undefined
}

/** The dependencies of a service's authentication. */
export interface AuthenticationDependencies {
  readonly core: Core
  readonly baseUrl: string
  /** Runs a unit of work that reads streams before the caller is known. */
  runBeforeAuthentication<Result>(work: (unit: UnitOfWork) => Promise<Result>): Promise<Result>
}

/** The authentication schemes of a service. */
export interface Authentication {
  readonly authenticate: Authenticate
  readonly schemes?: Readonly<Record<string, AuthenticationScheme>>
  /** Stores what is still in memory. */
  close(): Promise<unknown>
}

export interface ServiceDefinition {
  readonly docs: Docs
  /** The pages for people that this service serves. */
  readonly surfaces: readonly Surface[]
  /** Runs before the server listens. */
  prepare?(run: AuthenticationDependencies['runBeforeAuthentication']): Promise<unknown>
  authentication(door: AuthenticationDependencies): Authentication
}

export interface Service extends Core {
  /** @param port 0 selects a free port */
  listen(port: number, host: string): Promise<{ port: number }>
  /** Stops accepting requests, lets the running ones finish, and closes everything that it opened. */
  close(graceMs?: number): Promise<void>
}

const GRACE_MS = 10_000

/** Opens the service, ready to listen; if this fails, the core is closed. */
export async function openService(
  core: Core,
  { docs, surfaces, prepare, authentication }: ServiceDefinition,
  settings: ServiceSettings,
  log: Logger,
): Promise<Service> {
  const { pool, commands, vault, read, composition } = core
  const { sections, routes, reactions, timers } = composition
  const { baseUrl } = settings
  const isElsewhere = settings.eventStoreUrl !== undefined
  let pages: PagesRoutes
  try {
    settings.onProgress?.('Filling the read models')
    await core.projector.prepare()
    await registerReactions({ store: core.store, pool }, reactions)
    await prepare?.((work) => commands.run(AT_START, work))
    pages = await openPages(surfaces, settings, log)
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
        onError: (err) => log.error({ err }, 'the checkpoint could not be signed'),
      })
  const door = authentication({
    core,
    baseUrl,
    runBeforeAuthentication: (work) => commands.run(BEFORE_AUTHENTICATION, work),
  })
  const openedMs = performance.now()
  const works = () => readJobsStatus({ store: core.store, pool, reactions, timers })
  const askedHere = <Question extends { ask(at: Asked): unknown }>(question: Question) => ({
    ...question,
    ask: () =>
      question.ask({ read, telemetry: pool, service: core.services, now: core.clock.now() }) as ReturnType<
        Question['ask']
      >,
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
    routes: [
      ...withDocumentation([...routes, ...ready.routes, ...figures.routes], docs, baseUrl, pages.root),
      ...pages.routes,
    ],
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
    hasRecorded: async (requestId) => ((await isAuditTrailCurrent(core)) ? hasRecorded(read, requestId) : undefined),
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
      await door.close()
      await Promise.all([core.projector.stop(), stopSigning()])
      await core.close()
    },
  }
}

/** The API is served whatever becomes of the pages. */
async function openPages(
  surfaces: readonly Surface[],
  { pagesDir, baseUrl }: ServiceSettings,
  log: Logger,
): Promise<PagesRoutes> {
  const dir = typeof pagesDir === 'function' ? await pagesDir() : pagesDir
  const bundle = dir === undefined ? undefined : await readBundle(dir).catch((err: unknown) => warnUnread(err, log))
  const served = surfaces.map((surface) => ({ ...surface, paths: Object.keys(surface.pages) }))
  return pagesOf({ surfaces: served, bundle, baseUrl })
}

function warnUnread(err: unknown, log: Logger): undefined {
  log.warn({ err }, 'the pages cannot be read: "daybook doctor" says what to do')
}

/** Context for reads during authentication: the caller is not known yet. */
const BEFORE_AUTHENTICATION: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'door' }
const AT_START: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'start' }
const TRAIL_SHOWN_MS = 2_000

/** Whether the audit trail, the only read model with events of every type, shows all events so far. */
const isAuditTrailCurrent = async ({ store, projector: readSide }: Core): Promise<boolean> =>
  readSide.waitUntilCaughtUp({ types: ['any'], streams: [], position: await store.head() }, TRAIL_SHOWN_MS)

/** With a larger lag, read models are too old to answer from. */
const LAG_EVENTS_MAX = 10_000
const LAG_SECONDS_MAX = 60

/**
 * @param isElsewhere positions of other stores than Postgres have gaps, so only the time shows the lag
 * of a read model
 */
async function projectionNote(readSide: Projector, isElsewhere: boolean): Promise<string | undefined> {
  const all = await readSide.status()
  for (const { name, lag, lagSeconds, failing } of all) {
    const isTooFar = isElsewhere ? lagSeconds > LAG_SECONDS_MAX : lag > LAG_EVENTS_MAX
    if (failing !== undefined || isTooFar) throw new Error(`The projection ${name} is stalled or too far behind`)
  }
  const parked = all.reduce((sum, each) => sum + each.parked, 0)
  return parked === 0 ? undefined : `events parked: ${parked} ("daybook projections" shows why)`
}
