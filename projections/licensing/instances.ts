import type { Actor } from '#kernel/events/event'
import type { ReadDatabase } from '#kernel/projections/read-database'
import {
  id,
  json,
  key,
  nullable,
  oneOf,
  otherTable,
  readModel,
  sealedText,
  sql,
  text,
  timestamptz,
  bool,
} from '#kernel/projections/read-model'
import type { RowOf } from '#kernel/projections/read-model'
import { customerSubject } from '#licensing/customers/events'
import type { InstanceFlag } from '#licensing/instances/events'
import { licenseSlotEvents } from '#licensing/instances/events'
import { licenseReads } from '#licensing/licenses/events'
import { leaseTermTable } from './license-api/keys.ts'
import { subscriptionTable } from './subscriptions.ts'

const subject = ({ customerId }: { customerId: string }): string => customerSubject(customerId)

const columns = {
  id: key,
  subscriptionId: id,
  customerId: id,
  /** The license of the activation; the present license is in the subscription's row. */
  licenseId: id,
  /**
   * The status that commands and timers recorded; staleness is computed from the last heartbeat.
   */
  status: oneOf<'ACTIVE' | 'STALE' | 'DEACTIVATED'>(),
  name: sealedText('name', subject),
  hostname: sealedText('hostname', subject),
  version: text,
  os: text,
  arch: text,
  ip: nullable(sealedText('ip', subject)),
  keyThumbprint: text,
  publicKey: text,
  fingerprintHash: text,
  /** When the instance took its present or last slot. */
  activatedAt: timestamptz,
  deactivatedAt: nullable(timestamptz),
  deactivatedBy: nullable(json<Actor>()),
  cloneSuspected: bool,
  drifted: bool,
}

const RUNNING = { status: 'ACTIVE', deactivatedAt: null, deactivatedBy: null } as const

export const instanceTable = readModel('instances', 1, columns, [
  '(activated_at, id)',
  '(subscription_id)',
  '(customer_id)',
])
  .from(licenseSlotEvents, {
    InstanceActivated: (table, { instanceId, fingerprint: _sealed, ...instance }, { at }) =>
      table.insert({ ...instance, ...RUNNING, id: instanceId, activatedAt: at, cloneSuspected: false, drifted: false }),
    InstanceDeactivated: (table, { instanceId }, { at, metadata: { actor } }) =>
      table.update({ id: instanceId }, { status: 'DEACTIVATED', deactivatedAt: at, deactivatedBy: actor }),
    InstanceReactivated: (table, { instanceId }, { at }) =>
      table.update({ id: instanceId }, { ...RUNNING, activatedAt: at }),
    InstanceRebound: (table, { instanceId, keyThumbprint, publicKey }) =>
      table.update({ id: instanceId }, { keyThumbprint, publicKey }),
    InstanceChanged: (table, { instanceId, name, hostname, version, os, arch, ip }) =>
      table.update({ id: instanceId }, { name, hostname, version, os, arch, ip }),
    InstanceFingerprintChanged: (table, { instanceId, fingerprintHash }) =>
      table.update({ id: instanceId }, { fingerprintHash }),
    InstanceMarkedStale: (table, { instanceId }) => table.update({ id: instanceId }, { status: 'STALE' }),
    InstanceReturned: (table, { instanceId }) => table.update({ id: instanceId }, { status: 'ACTIVE' }),
    InstanceFlagged: (table, { instanceId, flag }) =>
      table.update({ id: instanceId }, flag === 'CLONE_SUSPECTED' ? { cloneSuspected: true } : { drifted: true }),
    SlotsReleased: (table, { subscriptionId }, { at, metadata: { actor } }) => {
      const released = { status: 'DEACTIVATED', deactivatedAt: at, deactivatedBy: actor } as const
      for (const status of ['ACTIVE', 'STALE'] as const) table.update({ subscriptionId, status }, released)
    },
  })
  .forGate()

/** One row for each lease file. Panels without a network run on a lease file until it ends. */
export const offlineLeaseTable = readModel('offlineLeases', 1, { id: key, instanceId: id, expiresAt: timestamptz }, [
  '(instance_id)',
]).from(licenseReads, {
  LicenseLeasedOffline: (table, { instanceId, expiresAt }, { id: leaseId }) =>
    table.insert({ id: leaseId, instanceId, expiresAt }),
})

export type InstanceStatus = RowOf<typeof columns>['status']

/** Missed heartbeats after which an instance is stale. */
export const MISSED_HEARTBEATS = 3

export interface InstanceRow extends Pick<
  RowOf<typeof columns>,
  | 'id'
  | 'customerId'
  | 'subscriptionId'
  | 'licenseId'
  | 'name'
  | 'hostname'
  | 'version'
  | 'os'
  | 'arch'
  | 'ip'
  | 'keyThumbprint'
  | 'activatedAt'
  | 'deactivatedAt'
  | 'deactivatedBy'
> {
  readonly status: InstanceStatus
  readonly lastHeartbeatAt: string | null
  readonly nextHeartbeatDueAt: string | null
  readonly flags: InstanceFlag[]
}

/**
 * A panel without a network sends no heartbeats; its lease file counts as a sign of life until it
 * ends.
 */
const lastSignOfLife = sql<string>`greatest(i.activated_at, h.at,
  (SELECT max(o.expires_at) FROM read.offline_leases AS o WHERE o.instance_id = i.id))`
const silence = sql<string>`make_interval(secs => t.heartbeat_seconds * ${sql.lit(MISSED_HEARTBEATS)})`

const heartbeats = otherTable<{ instanceId: string; at: string }>('telemetry.heartbeat')

/** Every instance, or those of `among`, with its present license and its last sign of life. */
const instancesWithLastSign = (read: ReadDatabase, among = instanceTable.queryIn(read).selectAll()) =>
  read
    .selectFrom(among.as('i'))
    .innerJoin(subscriptionTable.as('s'), 's.id', 'i.subscriptionId')
    .innerJoin(leaseTermTable.as('t'), (join) =>
      join.on(sql<boolean>`t.license_id = coalesce(s.license_id, i.license_id)`),
    )
    .leftJoin(heartbeats.as('h'), 'h.instanceId', 'i.id')

/** Status and license are computed at query time, so a late timer cannot make them wrong. */
export function instancesAt(read: ReadDatabase, now: Date) {
  const isOut = sql<boolean>`i.status = 'DEACTIVATED'`
  const all = instancesWithLastSign(read)
    .select([
      'i.id',
      'i.customerId',
      'i.subscriptionId',
      't.licenseId',
      'i.name',
      'i.hostname',
      'i.version',
      'i.os',
      'i.arch',
      'i.ip',
    ])
    .select(['i.keyThumbprint', 'i.activatedAt', 'i.deactivatedAt', 'i.deactivatedBy', 'h.at as lastHeartbeatAt'])
    .select([
      sql<InstanceStatus>`CASE WHEN ${isOut} THEN i.status WHEN ${lastSignOfLife} + ${silence} <= ${now} THEN 'STALE' ELSE 'ACTIVE' END`.as(
        'status',
      ),
      sql<
        string | null
      >`CASE WHEN NOT ${isOut} THEN ${lastSignOfLife} + make_interval(secs => t.heartbeat_seconds) END`.as(
        'nextHeartbeatDueAt',
      ),
      sql<
        InstanceFlag[]
      >`array_remove(ARRAY[CASE WHEN i.clone_suspected THEN 'CLONE_SUSPECTED' END, CASE WHEN i.drifted THEN 'FINGERPRINT_DRIFT' END], NULL)`.as(
        'flags',
      ),
    ])
  return read.selectFrom(all.as('instances')).selectAll()
}

/** Instances scanned by one query. */
export const SCANNED_MAX = 5_000

export interface SilentInstance {
  readonly id: string
  readonly subscriptionId: string
  readonly lastHeartbeatAt: string
  readonly staleAt: string
}

/**
 * Instances that have been silent long enough to be marked stale, the longest silent first. The
 * last sign of life changes too often for an index, so a call scans at most SCANNED_MAX instances,
 * after the id `after`.
 * @returns also the id to continue after; undefined: start again
 */
export async function silentInstances(
  read: ReadDatabase,
  { until, limit, after }: { readonly until: Date; readonly limit: number; readonly after?: string | undefined },
): Promise<{ silent: readonly SilentInstance[]; next: string | undefined }> {
  const following = instanceTable.queryIn(read).orderBy('id')
  const here = after === undefined ? following : following.where('id', '>', after)
  const last = await here
    .select('id')
    .offset(SCANNED_MAX - 1)
    .limit(1)
    .executeTakeFirst()
  const silent = await selectSilent(instancesWithLastSign(read, here.selectAll().limit(SCANNED_MAX)), until)
    .limit(limit)
    .execute()
  return { silent, next: last?.id }
}

export const silentInstance = (read: ReadDatabase, id: string, until: Date): Promise<SilentInstance | undefined> =>
  selectSilent(instancesWithLastSign(read).where('i.id', '=', id), until).executeTakeFirst()

function selectSilent(all: ReturnType<typeof instancesWithLastSign>, until: Date) {
  const staleAt = sql<string>`${lastSignOfLife} + ${silence}`
  return all
    .select(['i.id', 'i.subscriptionId', lastSignOfLife.as('lastHeartbeatAt'), staleAt.as('staleAt')])
    .where('i.status', '=', 'ACTIVE')
    .where(sql<boolean>`${staleAt} <= ${until}`)
    .orderBy(staleAt)
}

/** The instances of one subscription that were last heard of before a given time. */
export async function silentSince(
  read: ReadDatabase,
  subscriptionId: string,
  before: Date,
): Promise<{ instanceId: string; lastHeartbeatAt: string }[]> {
  return instancesWithLastSign(read)
    .select(['i.id as instanceId', lastSignOfLife.as('lastHeartbeatAt')])
    .where('i.subscriptionId', '=', subscriptionId)
    .where('i.status', '<>', 'DEACTIVATED')
    .where(sql<boolean>`${lastSignOfLife} <= ${before}`)
    .execute()
}

/** For queries over `read.licenses`: the number of taken slots. A revoked license has none. */
export const activeInstances = sql<number>`CASE WHEN licenses.status = 'REVOKED' THEN 0 ELSE
  (SELECT count(*) FROM read.instances AS held
    WHERE held.subscription_id = licenses.subscription_id AND held.status <> 'DEACTIVATED') END`
