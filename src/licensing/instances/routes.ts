import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { inState } from '#kernel/http/in-state'
import { listReply, pagination } from '#kernel/http/pagination'
import { route } from '#kernel/http/route'
import { reasonSchema } from '#kernel/lib/display-text'
import { found, reject } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { sql } from '#kernel/projections/read-model'
import type { Vault } from '#kernel/vault/vault'
import { instanceTable, instancesAt } from '#projections/licensing/instances'
import type { InstanceRow } from '#projections/licensing/instances'
import { staffOrToken } from '../access/access.ts'
import { subscriptions } from '../subscriptions/decider.ts'
import { unrevokedLicense } from '../subscriptions/license-rules.ts'
import { DEACTIVATED_INSTANCE, SLOT_HOLDER, licenseSlots } from './decider.ts'
import { deactivateInstance } from './slots.ts'
import { Instance, STATUSES } from './views.ts'

const Deactivation = z.strictObject({ reason: reasonSchema(500).optional() }).prefault({})

const instanceList = pagination({
  filters: {
    licenseId: uuid.optional(),
    customerId: uuid.optional(),
    status: z.enum(STATUSES).optional(),
    version: z.string().max(64).optional(),
    q: z.string().min(1).max(100).optional(),
  },
  sort: ['activatedAt', 'version'],
  created: 'activatedAt',
})

/** Names, hostnames and addresses are encrypted, so parts of them cannot be searched. */
const matches = (text: string) =>
  sql<boolean>`(id::text = lower(${text}) OR key_thumbprint = ${text} OR position(lower(${text}) IN lower(version || ' ' || os || ' ' || arch)) > 0)`

/** Narrows by the indexed subscription, because the present license of an instance is not indexed. */
const isOfLicense = (id: string) =>
  sql<boolean>`subscription_id = (SELECT sold.subscription_id FROM read.licenses AS sold WHERE sold.id = ${id})`

/**
 * Reads the instance from the read model.
 * @throws Rejection 404
 */
export async function readInstance(
  { read, vault }: { readonly read: ReadDatabase; readonly vault: Vault },
  id: string,
  now: Date,
): Promise<InstanceRow> {
  const row = found(await instancesAt(read, now).where('id', '=', id).executeTakeFirst())
  const [instance] = await instanceTable.open(vault, [row])
  return instance!
}

/** @throws Rejection 404 */
const subscriptionOf = async (read: ReadDatabase, id: string): Promise<string> =>
  found(await findRow(read, instanceTable, { id })).subscriptionId

export const instanceRoutes = [
  route('GET /api/admin/instances', {
    does: 'List instances: panels that run under licenses. `q` finds an id, a key thumbprint, or a part of version, system or architecture.',
    access: staffOrToken('instances:view'),
    query: instanceList.query,
    reply: listReply(Instance),
    async handle({ read, vault, query, now }) {
      const page = await instanceList.list(instancesAt(read, now), query, {
        licenseId: (rows, id: string) => rows.where('licenseId', '=', id).where(isOfLicense(id)),
        q: (rows, text: string) => rows.where(matches(text)),
      })
      return { ...page, items: await instanceTable.open(vault, page.items) }
    },
  }),

  route('GET /api/admin/instances/:id', {
    does: 'Read an instance. STALE means that it missed three heartbeats; it keeps its slot.',
    access: staffOrToken('instances:view'),
    reply: Instance,
    handle: ({ read, vault, params, now }) => readInstance({ read, vault }, params.id, now),
  }),

  route('POST /api/admin/instances/:id/deactivate', {
    does: 'Free an instance’s activation slot. Its panel learns this at its next heartbeat. Do not put personal data in the reason.',
    access: staffOrToken('instances:manage'),
    from: inState(Instance, SLOT_HOLDER),
    body: Deactivation,
    reply: Instance,
    async handle({ run, waitForReadModels, read, vault, params: { id: instanceId }, body, now }) {
      const subscriptionId = await subscriptionOf(read, instanceId)
      await run((unit) => deactivateInstance(unit, { subscriptionId, instanceId, reason: body.reason ?? null }))
      await waitForReadModels()
      return readInstance({ read, vault }, instanceId, now)
    },
  }),

  route('POST /api/admin/instances/:id/reactivate', {
    does: 'Give a deactivated instance a free activation slot again. Answers 409 if no slot is free.',
    access: staffOrToken('instances:manage'),
    from: inState(Instance, DEACTIVATED_INSTANCE),
    body: Deactivation,
    reply: Instance,
    async handle({ run, waitForReadModels, read, vault, params: { id: instanceId }, now }) {
      const subscriptionId = await subscriptionOf(read, instanceId)
      await run((unit) => reactivateInstance(unit, subscriptionId, instanceId))
      await waitForReadModels()
      return readInstance({ read, vault }, instanceId, now)
    },
  }),
]

async function reactivateInstance(unit: UnitOfWork, subscriptionId: string, instanceId: string): Promise<void> {
  await unit.load(licenseSlots, subscriptionId)
  const license = unrevokedLicense(found(await unit.look(subscriptions, subscriptionId)))
  if (!license) return reject('conflict', 'The license is revoked', 'LICENSE_REVOKED')
  const { maxActivations } = license
  await unit.decide(licenseSlots, subscriptionId, 'ReactivateInstance', { instanceId, maxActivations })
}
