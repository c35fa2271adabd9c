import type { Kysely } from 'kysely'
import type { Actor } from '#kernel/event'
import { id, json, key, nullable, oneOf, readModel, sealedText, sql, text, time, truth } from '#kernel/read-model'
import type { RowOf } from '#kernel/read-model'
import { customerSubject } from '#licensing/customers/events'
import type { Flag } from '#licensing/instances/events'
import { licenseSlotEvents } from '#licensing/instances/events'

const subject = ({ customerId }: { customerId: string }): string => customerSubject(customerId)

const columns = {
  id: key,
  subscriptionId: id,
  customerId: id,
  /** Under which it was activated; which one it runs under now, its subscription knows. */
  licenseId: id,
  /** As commands and timers left it; whether it is silent follows from its last heartbeat. */
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
  /** When it took the slot that it has or had. */
  activatedAt: time,
  deactivatedAt: nullable(time),
  deactivatedBy: nullable(json<Actor>()),
  cloneSuspected: truth,
  drifted: truth,
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
  readonly flags: Flag[]
}

const lastSign = sql<string>`greatest(i.activated_at, h.at)`
const silence = sql<string>`make_interval(secs => t.heartbeat_seconds * ${sql.lit(MISSED_HEARTBEATS)})`

/** Every instance with the license that it runs under now and the last sign of its life. */
const living = (read: Kysely<any>) =>
  read
    .selectFrom('read.instances as i')
    .innerJoin('read.subscriptions as s', 's.id', 'i.subscriptionId')
    .innerJoin('read.leaseTerms as t', (join) =>
      join.on(sql<boolean>`t.license_id = coalesce(s.license_id, i.license_id)`),
    )
    .leftJoin('telemetry.heartbeat as h', 'h.instanceId', 'i.id')

/** Status and license follow from dates and events whenever somebody looks, so no timer can make them wrong. */
export function instancesAt(read: Kysely<any>, now: Date) {
  const isOut = sql<boolean>`i.status = 'DEACTIVATED'`
  const all = living(read)
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
      sql<InstanceStatus>`CASE WHEN ${isOut} THEN i.status WHEN ${lastSign} + ${silence} <= ${now} THEN 'STALE' ELSE 'ACTIVE' END`.as(
        'status',
      ),
      sql<string | null>`CASE WHEN NOT ${isOut} THEN ${lastSign} + make_interval(secs => t.heartbeat_seconds) END`.as(
        'nextHeartbeatDueAt',
      ),
      sql<
        Flag[]
      >`array_remove(ARRAY[CASE WHEN i.clone_suspected THEN 'CLONE_SUSPECTED' END, CASE WHEN i.drifted THEN 'FINGERPRINT_DRIFT' END], NULL)`.as(
        'flags',
      ),
    ])
  return read.selectFrom(all.as('instances')).selectAll()
}

/** Those that nobody has heard of for so long that it is worth an event, the longest silent first; or one of them. */
export async function silentInstances(
  read: Kysely<any>,
  { until, limit, instanceId }: { readonly until: Date; readonly limit: number; readonly instanceId?: string },
): Promise<{ id: string; subscriptionId: string; lastHeartbeatAt: string; staleAt: string }[]> {
  const staleAt = sql<string>`${lastSign} + ${silence}`
  const all = instanceId === undefined ? living(read) : living(read).where('i.id', '=', instanceId)
  return all
    .select(['i.id', 'i.subscriptionId', lastSign.as('lastHeartbeatAt'), staleAt.as('staleAt')])
    .where('i.status', '=', 'ACTIVE')
    .where(sql<boolean>`${staleAt} <= ${until}`)
    .orderBy(staleAt)
    .limit(limit)
    .execute()
}

/** Of one subscription, those that were last heard of before a moment. */
export async function silentSince(
  read: Kysely<any>,
  subscriptionId: string,
  before: Date,
): Promise<{ instanceId: string; lastHeartbeatAt: string }[]> {
  return living(read)
    .select(['i.id as instanceId', lastSign.as('lastHeartbeatAt')])
    .where('i.subscriptionId', '=', subscriptionId)
    .where('i.status', '<>', 'DEACTIVATED')
    .where(sql<boolean>`${lastSign} <= ${before}`)
    .execute()
}

/** Of the license in a query over `read.licenses`: the slots that are taken. An ended license has none. */
export const activeInstances = sql<number>`CASE WHEN licenses.status = 'REVOKED' THEN 0 ELSE
  (SELECT count(*) FROM read.instances AS held
    WHERE held.subscription_id = licenses.subscription_id AND held.status <> 'DEACTIVATED') END`
