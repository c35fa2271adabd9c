/**
 * The core of every service: pools, vault, store, clock and read models. They are closed in the reverse
 * order of opening.
 */
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { commandRunner } from '#kernel/commands/command-runner'
import type { CommandRunner } from '#kernel/commands/command-runner'
import { postgresSnapshotStore } from '#kernel/commands/snapshots'
import { StateCache } from '#kernel/commands/state-cache'
import { eventCodec } from '#kernel/events/codec'
import type { EventCodec } from '#kernel/events/codec'
import type { Decider } from '#kernel/events/decider'
import type { Stream } from '#kernel/events/event'
import type { EventStore } from '#kernel/events/store-port'
import { findConstraintMismatch } from '#kernel/events/unique-constraints'
import type { ConstraintMismatch } from '#kernel/events/unique-constraints'
import { forgetIdempotentCalls } from '#kernel/http/idempotency'
import type { Route } from '#kernel/http/route'
import type { Reaction } from '#kernel/jobs/reaction'
import type { Timer } from '#kernel/jobs/timer'
import { databaseClock } from '#kernel/lib/clock'
import type { DatabaseClock } from '#kernel/lib/clock'
import type { ServiceRegistry } from '#kernel/lib/services'
import { erasureLoop } from '#kernel/projections/erasure-loop'
import type { ErasureLoop } from '#kernel/projections/erasure-loop'
import { projector } from '#kernel/projections/projector'
import type { Projector } from '#kernel/projections/projector'
import { kyselyFor } from '#kernel/projections/read-database'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { ReadModel } from '#kernel/projections/read-model'
import { snapshotWriter } from '#kernel/projections/snapshot-writer'
import { forgetOperationLogs } from '#kernel/resource/operation-log'
import type { Section } from '#kernel/resource/section'
import { servicePool, widePool } from '#kernel/store/connection'
import { excessPrivilegesOf } from '#kernel/store/database-login'
import { checkDurability } from '#kernel/store/durability'
import { pendingMigrations } from '#kernel/store/migrate'
import { preparedStatementPool } from '#kernel/store/postgres/lookup-pool'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { refuseOtherHistory } from '#kernel/store/single-history'
import { postgresKeyStore } from '#kernel/vault/key-store'
import { openVault } from '#kernel/vault/vault'
import type { Vault } from '#kernel/vault/vault'

/** The parts in which services differ. */
export interface Composition {
  readonly sections: readonly Section[]
  readonly streams: readonly Stream[]
  readonly deciders: readonly Decider[]
  readonly readModels: readonly ReadModel[]
  readonly routes: readonly Route[]
  readonly reactions: readonly Reaction[]
  readonly timers: readonly Timer[]
  /** The subjects whose erasure is recorded but whose keys are not destroyed yet. */
  undestroyedKeys(read: ReadDatabase): Promise<readonly string[]>
}

export const composition = (
  sections: readonly Section[],
  undestroyedKeys: Composition['undestroyedKeys'],
): Composition => ({
  sections,
  streams: sections.flatMap((section) => section.streams),
  deciders: sections.flatMap((section) => section.deciders),
  readModels: sections.flatMap((section) => section.readModels),
  routes: sections.flatMap((section) => section.routes),
  reactions: sections.flatMap((section) => section.reactions ?? []),
  timers: [...sections.flatMap((section) => section.timers ?? []), forgetIdempotentCalls, forgetOperationLogs],
  undestroyedKeys,
})

/** The actor of the installation itself: at start and on the command line. */
export const SYSTEM_ACTOR = { type: 'SYSTEM', id: 'daybook' } as const

export interface CoreSettings {
  readonly databaseUrl: string
  /** The URL of the KurrentDB that stores the events; without it this database stores them. */
  readonly eventStoreUrl?: string | undefined
  /** The key-encryption key, 32 bytes. */
  readonly secretKey: Buffer
}

/** The parts between configuration and HTTP. Most commands of the command line need only these. */
export interface Core {
  readonly composition: Composition
  readonly commands: CommandRunner
  readonly codec: EventCodec
  readonly vault: Vault
  readonly store: EventStore
  readonly projector: Projector
  readonly clock: DatabaseClock
  /** The read models, for queries. */
  readonly read: ReadDatabase
  /**
   * Runs in every long-lived process: destroys the keys of erased subjects, and drops keys that other
   * processes have destroyed.
   */
  readonly erasures: ErasureLoop
  readonly pool: ReturnType<typeof servicePool>
  readonly services: ServiceRegistry
  /** Reads the whole log. Only if this database stores the events. */
  findConstraintMismatch(): Promise<ConstraintMismatch | undefined>
  close(): Promise<void>
}

/** A statement answers many look-ups and takes some hundredths of a millisecond for each. */
const LOOKUP_CONNECTIONS = 5

/** The parts from which the objects of a service can be made. */
export type CoreComponents = Pick<
  Core,
  'store' | 'codec' | 'commands' | 'projector' | 'read' | 'clock' | 'vault' | 'pool'
>

/** For tests that need a failing store or another time. */
export interface CoreWrappers {
  readonly store?: ((store: EventStore) => EventStore) | undefined
  readonly clock?: ((clock: DatabaseClock) => DatabaseClock) | undefined
}

/**
 * @throws Error for the operator if the database is not durable or the secret key belongs to another
 * installation
 */
export async function openCore(
  made: Composition,
  { databaseUrl, eventStoreUrl, secretKey }: CoreSettings,
  givenBy: (parts: CoreComponents) => ServiceRegistry | Promise<ServiceRegistry>,
  log: Logger,
  { store: wrapStore = (store) => store, clock: wrapClock = (clock) => clock }: CoreWrappers = {},
): Promise<Core> {
  const pending = await pendingMigrations(databaseUrl)
  if (pending.length > 0)
    throw new Error(
      `The database lacks the migrations ${pending.join(', ')}: run "daybook migrate", or "daybook panel migrate" for a panel, with the login that owns it`,
    )
  const service = servicePool(databaseUrl, { role: 'daybook_service' })
  const projecting = servicePool(databaseUrl, { role: 'daybook_projector', max: 5 })
  const wide = widePool(service)
  const lookups = preparedStatementPool(service, LOOKUP_CONNECTIONS)
  const pools = [service, projecting, wide, lookups]
  const close: (() => unknown)[] = pools.map((pool) => () => pool.end())
  const closeAll = async () => {
    for (const end of close.toReversed()) await end()
  }
  try {
    await checkDurability(service)
    const tooMuch = await excessPrivilegesOf(service)
    if (tooMuch !== undefined)
      log.warn(
        { login: tooMuch },
        'the database login has more privileges than it needs: "daybook doctor" says what to do',
      )
    const vault = openVault({ store: postgresKeyStore(service), kek: secretKey })
    await vault.check()
    const store = wrapStore(await openStore(service, eventStoreUrl))
    close.push(() => store.close())
    const clock = wrapClock(await databaseClock(service))
    close.push(() => clock.stop())
    const codec = eventCodec(made.streams, vault)
    const read = kyselyFor(service, wide, lookups)
    const onError = (error: unknown, models: readonly string[]) =>
      log.error({ err: error, models }, 'a projection is stalled')
    const snapshots = postgresSnapshotStore({ readPool: service, writePool: projecting, vault })
    const states = new StateCache(store, codec, snapshots)
    const commands = commandRunner(store, codec, clock, states)
    const snapshotter = snapshotWriter({
      store,
      snapshots,
      states,
      deciders: made.deciders,
      onError: (err) => log.warn({ err }, 'a snapshot could not be written'),
    })
    const readSide = projector({
      store,
      codec,
      database: kyselyFor(projecting),
      models: made.readModels,
      onError,
      onApplied: snapshotter.onApplied,
    })
    const erasing = erasureLoop({
      vault,
      // This process applies its own erasures at once.
      onAppended: (listener) => store.onAppended(listener, 'others'),
      isCalledForErasures: eventStoreUrl === undefined,
      pendingSubjects: () => made.undestroyedKeys(read),
      onError: (err) => log.error({ err }, 'erasures are delayed'),
    })
    close.push(
      () => erasing.stop(),
      () => snapshotter.end(),
    )
    return {
      composition: made,
      pool: service,
      services: await givenBy({ store, codec, commands, projector: readSide, read, clock, vault, pool: service }),
      findConstraintMismatch: () => findConstraintMismatch({ pool: service, store, codec, vault }),
      vault,
      store,
      clock,
      commands,
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

/**
 * The KurrentDB client is loaded only if it is used: it contains a native library, which is not
 * available on every machine.
 */
async function openStore(service: Pool, eventStoreUrl: string | undefined): Promise<EventStore> {
  await refuseOtherHistory(service, eventStoreUrl !== undefined)
  if (eventStoreUrl === undefined) return postgresStore({ pool: service })
  const { openKurrentDbStore: openEventStoreDb } = await import('#kernel/store/kurrentdb/kurrentdb-store')
  return openEventStoreDb({ url: eventStoreUrl })
}
