/** The composition root: settings → pools → store → service. The only place that wires. */
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { strayClaim } from '#kernel/claims'
import type { StrayClaim } from '#kernel/claims'
import { databaseClock } from '#kernel/clock'
import type { DatabaseClock } from '#kernel/clock'
import { eventCodec } from '#kernel/codec'
import type { EventCodec } from '#kernel/codec'
import { commandRunner } from '#kernel/command'
import type { CommandRunner, Unit } from '#kernel/command'
import type { Decider } from '#kernel/decider'
import type { CommandContext, Stream } from '#kernel/event'
import { erasures } from '#kernel/erasure'
import type { Erasures } from '#kernel/erasure'
import { files, filesIn } from '#kernel/files'
import { given, giving } from '#kernel/given'
import type { Given } from '#kernel/given'
import { documented } from '#kernel/http/docs'
import { readiness } from '#kernel/http/health'
import { forgetIdempotentCalls } from '#kernel/http/idempotency'
import { metrics } from '#kernel/http/metrics'
import type { Docs } from '#kernel/http/openapi'
import { httpServer } from '#kernel/http/server'
import type { Route } from '#kernel/http/route'
import type { TrustedProxies } from '#kernel/identity/source-address'
import { postgresKeys } from '#kernel/key-store'
import type { Sender } from '#kernel/mail/mail'
import type { SmtpServer } from '#kernel/mail/smtp-url'
import { projector } from '#kernel/projector'
import type { Projector } from '#kernel/projector'
import { queries } from '#kernel/read-model'
import type { ReadModel } from '#kernel/read-model'
import type { Checkpoint } from '#kernel/store/checkpoint-key'
import { preparingPool } from '#kernel/store/by-key'
import { checkpointing } from '#kernel/store/checkpointing'
import { postgresSnapshots } from '#kernel/snapshots'
import { snapshotting } from '#kernel/snapshotting'
import { servicePool } from '#kernel/store/connection'
import { checkDurability } from '#kernel/store/durability'
import { makeCheckpoint } from '#kernel/store/history'
import { pendingMigrations } from '#kernel/store/migrate'
import { refuseOtherHistory } from '#kernel/store/one-history'
import type { EventStore } from '#kernel/store/port'
import { postgresStore } from '#kernel/store/postgres'
import { StreamStates } from '#kernel/stream-states'
import { openVault } from '#kernel/vault'
import type { Vault } from '#kernel/vault'
import type { Reaction } from '#kernel/work/reaction'
import { concernsOf, workStatus } from '#kernel/work/status'
import { register } from '#kernel/work/subscriber'
import type { Timer } from '#kernel/work/timer'
import { shopPages } from '#licensing/shop-pages'
import { authenticate } from '#licensing/identity/authenticate'
import { SIGNED } from '#licensing/identity/access'
import { signatureWayIn } from '#licensing/identity/license-caller'
import type { LicenseApiLimits } from '#licensing/identity/license-caller'
import { sections } from '#licensing/index'
import { invoiceSeller, paymentProvider } from '#licensing/payment-provider'
import { ensureSigningKey } from '#licensing/signing-key'
import type { StripeSettings } from '#licensing/stripe'
import { sessionUses, tokenUses } from '#licensing/identity/last-uses'
import { hasRecorded } from '#projections/audit-trail'
import { undestroyedKeys } from '#projections/licensing/customers'
import packageJson from '../package.json' with { type: 'json' }

export const streams: readonly Stream[] = sections.flatMap((section) => section.streams)
export const deciders: readonly Decider[] = sections.flatMap((section) => section.deciders)
export const readModels: readonly ReadModel[] = sections.flatMap((section) => section.readModels)
export const routes: readonly Route[] = sections.flatMap((section) => section.routes)
export const reactions: readonly Reaction[] = sections.flatMap((section) => section.reactions ?? [])
export const timers: readonly Timer[] = [...sections.flatMap((section) => section.timers ?? []), forgetIdempotentCalls]

export interface LicensingSettings {
  readonly databaseUrl: string
  /** Of a KurrentDB that keeps the events; without it this database keeps them, as it keeps everything else. */
  readonly eventStoreUrl?: string | undefined
  /** The key-encryption key, 32 bytes. */
  readonly secretKey: Buffer
  /** Without a trailing slash. */
  readonly baseUrl: string
  /** Where customers open the shop, without a trailing slash: mailed links lead there. Without it none is mailed. */
  readonly shopUrl?: string | undefined
  readonly trustedProxies: TrustedProxies
  readonly authFailuresPerMinute: number
  /** How often panels may ask; the contract's figures by default. */
  readonly licenseApi?: LicenseApiLimits | undefined
  /** Where uploads are kept; without it they are refused. */
  readonly filesDir?: string | undefined
  /** Addresses and ranges that may read /metrics. */
  readonly metricsAllow: readonly string[]
  /** Addresses and ranges that webhooks may lead to although they are not public. Default: none. */
  readonly webhookAllow?: readonly string[] | undefined
  /** Of a Redis that keeps the queue; without it this database does. */
  readonly redisUrl?: string | undefined
  /** Without it no mail is sent, and what is of no use without one is refused. */
  readonly mail?: MailSettings | undefined
  readonly payments?: PaymentSettings | undefined
}

export interface PaymentSettings {
  /** Without it nothing is sold online; staff record what arrives. */
  readonly stripe?: StripeSettings | undefined
  /** Who invoices are from, one thing a line. */
  readonly seller: readonly string[]
}

/** Mails go to the server, or each into a file of the folder. */
export type MailSettings = { readonly from: Sender } & ({ readonly smtp: SmtpServer } | { readonly folder: string })

/** Who acts when the installation itself does: at start, on the command line. */
export const SYSTEM_ACTOR = { type: 'SYSTEM', id: 'daybook' } as const

/** What stands between configuration and HTTP; the command line uses it without the rest. */
export interface Core {
  readonly commands: CommandRunner
  readonly codec: EventCodec
  readonly vault: Vault
  readonly store: EventStore
  readonly projector: Projector
  readonly clock: DatabaseClock
  /** The read models, for reading. */
  readonly read: Kysely<any>
  /** For every process that lives longer than a command: it destroys what was left over and forgets what was erased elsewhere. */
  readonly erasures: Erasures
  readonly service: ReturnType<typeof servicePool>
  readonly given: Given
  /** Reads the whole log. Only where this database keeps the events. */
  strayClaim(): Promise<StrayClaim | undefined>
  close(): Promise<void>
}

export interface Licensing extends Core {
  /** @param port 0 takes a free one. */
  listen(port: number, host: string): Promise<{ port: number }>
  /** Stops accepting, lets what is under way end, and closes everything it opened. */
  close(graceMs?: number): Promise<void>
}

const GRACE_MS = 10_000
/** Asked once by each request that brings a credential, for some hundredths of a millisecond. */
const GATE_CONNECTIONS = 5

/** @throws a plain Error for people when the database forgets what it acknowledged or the secret key is another installation's */
export async function openCore(
  {
    databaseUrl,
    eventStoreUrl,
    secretKey,
    ...settings
  }: Pick<LicensingSettings, 'databaseUrl' | 'eventStoreUrl' | 'secretKey' | 'payments' | 'shopUrl' | 'filesDir'>,
  log: Logger,
  wrapStore: (store: EventStore) => EventStore = (store) => store,
  wrapClock: (clock: DatabaseClock) => DatabaseClock = (clock) => clock,
): Promise<Core> {
  const pending = await pendingMigrations(databaseUrl)
  if (pending.length > 0)
    throw new Error(`The database lacks ${pending.join(', ')}: run "daybook migrate" with the login that owns it`)
  const service = servicePool(databaseUrl, { role: 'daybook_service' })
  const projecting = servicePool(databaseUrl, { role: 'daybook_projector', max: 5 })
  const close: (() => unknown)[] = [() => service.end(), () => projecting.end()]
  const closeAll = async () => {
    for (const end of close.toReversed()) await end()
  }
  try {
    await checkDurability(service)
    const vault = openVault({ store: postgresKeys(service), kek: secretKey })
    await vault.check()
    const store = wrapStore(await openStore(service, eventStoreUrl))
    close.push(() => store.close())
    const clock = wrapClock(await databaseClock(service))
    close.push(() => clock.stop())
    const codec = eventCodec(streams, vault)
    const read = queries(service)
    const onError = (error: unknown, models: readonly string[]) =>
      log.error({ err: error, models }, 'projection stands')
    const snapshots = postgresSnapshots({ reading: service, writing: projecting, vault })
    const states = new StreamStates(store, codec, snapshots)
    const snapshotter = snapshotting({
      store,
      snapshots,
      states,
      deciders,
      onError: (err) => log.warn({ err }, 'a snapshot is not written'),
    })
    const readSide = projector({
      store,
      codec,
      database: queries(projecting),
      models: readModels,
      onError,
      onPassed: snapshotter.passed,
    })
    const erasing = erasures({
      vault,
      onAppended: (listener) => store.onAppended(listener),
      pending: () => undestroyedKeys(read),
      onError: (err) => log.error({ err }, 'erasures wait'),
    })
    close.push(
      () => erasing.stop(),
      () => snapshotter.end(),
    )
    return {
      service,
      given: await givenBy(settings),
      strayClaim: () => strayClaim({ pool: service, store, codec, vault }),
      vault,
      store,
      clock,
      commands: commandRunner(store, codec, clock, states),
      codec,
      projector: readSide,
      read,
      erasures: erasing,
      close: closeAll,
    }
  } catch (error) {
    await closeAll()
    throw error
  }
}

/** Stripe's package is loaded only where it is used. */
async function givenBy({
  payments,
  shopUrl,
  filesDir,
}: Pick<LicensingSettings, 'payments' | 'shopUrl' | 'filesDir'>): Promise<Given> {
  const kept = filesDir === undefined ? [] : [giving(files, filesIn(filesDir))]
  const own = [giving(shopPages, shopUrl), ...kept]
  if (!payments) return given(own)
  const { stripe, seller } = payments
  const provider = stripe && (await import('#licensing/stripe')).stripeProvider(stripe)
  return given([...own, giving(paymentProvider, provider), giving(invoiceSeller, seller)])
}

/** The client of KurrentDB is loaded only where it is used: half of it is a native library, which not every machine has. */
async function openStore(service: Pool, eventStoreUrl: string | undefined): Promise<EventStore> {
  await refuseOtherHistory(service, eventStoreUrl !== undefined)
  if (eventStoreUrl === undefined) return postgresStore({ pool: service })
  const { openEventStoreDb } = await import('#kernel/store/eventstoredb')
  return openEventStoreDb({ url: eventStoreUrl })
}

/** The whole service, ready to listen. @throws as openCore */
export async function openLicensing(
  settings: LicensingSettings,
  log: Logger,
  wrapStore?: (store: EventStore) => EventStore,
  wrapClock?: (clock: DatabaseClock) => DatabaseClock,
): Promise<Licensing> {
  const core = await openCore(settings, log, wrapStore, wrapClock)
  const { service, commands, vault, read } = core
  const { baseUrl } = settings
  const isElsewhere = settings.eventStoreUrl !== undefined
  const onError = (err: unknown) => log.warn({ err }, 'last uses wait')
  const looking = <Result>(work: (unit: Unit) => Promise<Result>) => commands.run(AT_THE_DOOR, work)
  const uses = {
    tokens: tokenUses({ pool: service, vault, onError }),
    sessions: sessionUses({ pool: service, onError }),
  }
  try {
    await core.projector.prepare()
    await register({ store: core.store, pool: service }, reactions)
    await ensureSigningKey((work) => commands.run(AT_START, work))
  } catch (error) {
    await core.close()
    throw error
  }
  core.projector.start()
  core.erasures.start()
  let signed: Checkpoint | undefined
  const stopSigning = isElsewhere
    ? async () => {}
    : checkpointing({
        head: () => core.store.head(),
        make: async (signal) => {
          signed = await makeCheckpoint(service, vault, { signal, known: signed })
          return signed?.position ?? 0
        },
        onError: (err) => log.error({ err }, 'no checkpoint can be signed'),
      })
  const gate = preparingPool(service, GATE_CONNECTIONS)
  const readAtGate = queries(gate)
  const openedMs = performance.now()
  const works = () => workStatus({ store: core.store, pool: service, reactions, timers })
  const askedHere = <Question extends { ask(at: { telemetry: Pool; now: Date }): unknown }>(question: Question) => ({
    ...question,
    ask: () => question.ask({ telemetry: service, now: core.clock.now() }) as ReturnType<Question['ask']>,
  })
  const figures = metrics({
    allowed: settings.metricsAllow,
    projections: () => core.projector.status(),
    works,
    figures: sections.flatMap((section) => section.figures ?? []).map(askedHere),
  })
  const ready = readiness([
    { name: 'database', ask: async () => void (await service.query('SELECT 1')) },
    { name: 'projections', ask: () => following(core.projector, isElsewhere) },
    { name: 'work', ask: async () => concernsOf(await works(), (performance.now() - openedMs) / 1_000) },
    ...sections.flatMap((section) => section.checks ?? []).map(askedHere),
  ])
  const server = httpServer({
    routes: documented([...routes, ...ready.routes, ...figures.routes], DOCS, baseUrl),
    authenticate: authenticate({ read: readAtGate, vault, baseUrl, uses }),
    waysIn: {
      [SIGNED]: signatureWayIn({
        pool: service,
        read: readAtGate,
        vault,
        baseUrl,
        run: looking,
        limits: settings.licenseApi,
      }),
    },
    commands,
    read,
    telemetry: service,
    vault,
    clock: core.clock,
    baseUrl,
    given: core.given,
    canMail: settings.mail !== undefined,
    trustedProxies: settings.trustedProxies,
    caughtUp: core.projector.caughtUp,
    hasRecorded: async (requestId, since) =>
      (await trailShown(core)) ? hasRecorded(read, requestId, since) : undefined,
    logger: log,
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
      await Promise.all([uses.tokens.close(), uses.sessions.close()])
      await Promise.all([core.projector.stop(), stopSigning()])
      await core.close()
    },
  }
}

/** Who asks for his right of way is nobody yet. */
const AT_THE_DOOR: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'door' }
const TRAIL_SHOWN_MS = 2_000

/** Whether the audit trail, which alone is fed by events of any type, shows all that has happened until now. */
const trailShown = async ({ store, projector: readSide }: Core): Promise<boolean> =>
  readSide.caughtUp({ types: ['any'], streams: [], position: await store.head() }, TRAIL_SHOWN_MS)

const AT_START: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'start' }

const DOCS: Docs = {
  title: 'Daybook licensing',
  version: packageJson.version,
  description:
    'Issues and validates license keys: provisioning that can be replayed safely, machine tokens, a complete audit trail.',
}

/** More than this behind, answers are too old to be given. */
const LAG_EVENTS_MAX = 10_000
const LAG_SECONDS_MAX = 60

/** @param isElsewhere the positions of another store than Postgres have gaps, so only time says how far behind a read model is */
async function following(readSide: Projector, isElsewhere: boolean): Promise<string | undefined> {
  const all = await readSide.status()
  for (const { name, lag, lagSeconds, failing } of all) {
    const isTooFar = isElsewhere ? lagSeconds > LAG_SECONDS_MAX : lag > LAG_EVENTS_MAX
    if (failing !== undefined || isTooFar) throw new Error(`${name} does not follow`)
  }
  const parked = all.reduce((sum, each) => sum + each.parked, 0)
  return parked === 0 ? undefined : `events parked: ${parked} (daybook projections shows why)`
}
