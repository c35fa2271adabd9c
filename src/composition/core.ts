/** What every service stands on: pools, vault, store, clock and read side, opened in one order and closed in the other. */
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { findConstraintMismatch } from '#kernel/events/unique-constraints'
import type { ConstraintMismatch } from '#kernel/events/unique-constraints'
import { databaseClock } from '#kernel/lib/clock'
import type { DatabaseClock } from '#kernel/lib/clock'
import { eventCodec } from '#kernel/events/codec'
import type { EventCodec } from '#kernel/events/codec'
import { commandRunner } from '#kernel/commands/command-runner'
import type { CommandRunner } from '#kernel/commands/command-runner'
import type { Decider } from '#kernel/events/decider'
import { erasureLoop } from '#kernel/projections/erasure-loop'
import type { ErasureLoop } from '#kernel/projections/erasure-loop'
import type { Stream } from '#kernel/events/event'
import type { ServiceRegistry } from '#kernel/lib/services'
import { forgetIdempotentCalls } from '#kernel/http/idempotency'
import type { Route } from '#kernel/http/route'
import { postgresKeyStore } from '#kernel/vault/key-store'
import { projector } from '#kernel/projections/projector'
import type { Projector } from '#kernel/projections/projector'
import { kyselyFor } from '#kernel/projections/read-model'
import type { ReadModel } from '#kernel/projections/read-model'
import type { Section } from '#kernel/resource/section'
import { postgresSnapshotStore } from '#kernel/commands/snapshots'
import { snapshotWriter } from '#kernel/projections/snapshot-writer'
import { servicePool, widePool } from '#kernel/store/connection'
import { checkDurability } from '#kernel/store/durability'
import { excessPrivilegesOf } from '#kernel/store/database-login'
import { pendingMigrations } from '#kernel/store/migrate'
import { refuseOtherHistory } from '#kernel/store/single-history'
import type { EventStore } from '#kernel/events/store-port'
import { postgresStore } from '#kernel/store/postgres/postgres-store'
import { StateCache } from '#kernel/commands/state-cache'
import { openVault } from '#kernel/vault/vault'
import type { Vault } from '#kernel/vault/vault'
import type { Reaction } from '#kernel/jobs/reaction'
import type { Timer } from '#kernel/jobs/timer'

/** What a service is made of. Everything else about it is the same for all. */
export interface Composition {
  readonly sections: readonly Section[]
  readonly streams: readonly Stream[]
  readonly deciders: readonly Decider[]
  readonly readModels: readonly ReadModel[]
  readonly routes: readonly Route[]
  readonly reactions: readonly Reaction[]
  readonly timers: readonly Timer[]
  /** Whose keys an erasure has not destroyed yet. */
  undestroyedKeys(read: Kysely<any>): Promise<readonly string[]>
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
  timers: [...sections.flatMap((section) => section.timers ?? []), forgetIdempotentCalls],
  undestroyedKeys,
})

/** Who acts when the installation itself does: at start, on the command line. */
export const SYSTEM_ACTOR = { type: 'SYSTEM', id: 'daybook' } as const

export interface CoreSettings {
  readonly databaseUrl: string
  /** Of a KurrentDB that keeps the events; without it this database keeps them, as it keeps everything else. */
  readonly eventStoreUrl?: string | undefined
  /** The key-encryption key, 32 bytes. */
  readonly secretKey: Buffer
}

/** What stands between configuration and HTTP; the command line uses it without the rest. */
export interface Core {
  readonly composition: Composition
  readonly commands: CommandRunner
  readonly codec: EventCodec
  readonly vault: Vault
  readonly store: EventStore
  readonly projector: Projector
  readonly clock: DatabaseClock
  /** The read models, for reading. */
  readonly read: Kysely<any>
  /** For every process that lives longer than a command: it destroys what was left over and forgets what was erased elsewhere. */
  readonly erasures: ErasureLoop
  readonly pool: ReturnType<typeof servicePool>
  readonly services: ServiceRegistry
  /** Reads the whole log. Only where this database keeps the events. */
  findConstraintMismatch(): Promise<ConstraintMismatch | undefined>
  close(): Promise<void>
}

/** What things that a service is given can be made of. */
export type CoreComponents = Pick<
  Core,
  'store' | 'codec' | 'commands' | 'projector' | 'read' | 'clock' | 'vault' | 'pool'
>

/** For tests, which make the store fail and the time pass. */
export interface CoreWrappers {
  readonly store?: ((store: EventStore) => EventStore) | undefined
  readonly clock?: ((clock: DatabaseClock) => DatabaseClock) | undefined
}

/** @throws a plain Error for people when the database forgets what it acknowledged or the secret key is another installation's */
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
      `The database lacks ${pending.join(', ')}: run "daybook migrate", or for a panel "daybook panel migrate", with the login that owns it`,
    )
  const service = servicePool(databaseUrl, { role: 'daybook_service' })
  const projecting = servicePool(databaseUrl, { role: 'daybook_projector', max: 5 })
  const wide = widePool(service)
  const close: (() => unknown)[] = [() => service.end(), () => projecting.end(), () => wide.end()]
  const closeAll = async () => {
    for (const end of close.toReversed()) await end()
  }
  try {
    await checkDurability(service)
    const tooMuch = await excessPrivilegesOf(service)
    if (tooMuch !== undefined)
      log.warn({ login: tooMuch }, 'the database login may do too much: "daybook doctor" says what to do')
    const vault = openVault({ store: postgresKeyStore(service), kek: secretKey })
    await vault.check()
    const store = wrapStore(await openStore(service, eventStoreUrl))
    close.push(() => store.close())
    const clock = wrapClock(await databaseClock(service))
    close.push(() => clock.stop())
    const codec = eventCodec(made.streams, vault)
    const read = kyselyFor(service, wide)
    const onError = (error: unknown, models: readonly string[]) =>
      log.error({ err: error, models }, 'projection stands')
    const snapshots = postgresSnapshotStore({ readPool: service, writePool: projecting, vault })
    const states = new StateCache(store, codec, snapshots)
    const commands = commandRunner(store, codec, clock, states)
    const snapshotter = snapshotWriter({
      store,
      snapshots,
      states,
      deciders: made.deciders,
      onError: (err) => log.warn({ err }, 'a snapshot is not written'),
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
      onAppended: (listener) => store.onAppended(listener),
      pendingSubjects: () => made.undestroyedKeys(read),
      onError: (err) => log.error({ err }, 'erasures wait'),
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

/** The client of KurrentDB is loaded only where it is used: half of it is a native library, which not every machine has. */
async function openStore(service: Pool, eventStoreUrl: string | undefined): Promise<EventStore> {
  await refuseOtherHistory(service, eventStoreUrl !== undefined)
  if (eventStoreUrl === undefined) return postgresStore({ pool: service })
  const { openKurrentDbStore: openEventStoreDb } = await import('#kernel/store/kurrentdb/kurrentdb-store')
  return openEventStoreDb({ url: eventStoreUrl })
}
