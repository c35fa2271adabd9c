import { enforceLimit } from '#kernel/auth/caller-limits'
import { inState } from '#kernel/http/in-state'
import { pagination, listReply } from '#kernel/http/pagination'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { fits } from '#kernel/lib/record-states'
import { found } from '#kernel/lib/rejection'
import { uuid } from '#kernel/lib/uuid'
import { instancesAt, instanceTable } from '#projections/licensing/instances'
import type { InstanceRow } from '#projections/licensing/instances'
import { customer } from '../../access/access.ts'
import { customerOf } from '../../access/customer-caller.ts'
import { DEACTIVATION_LIMIT } from '../../access/customer-limits.ts'
import { SLOT_HOLDER } from '../../instances/decider.ts'
import { deactivateInstance } from '../../instances/slots.ts'
import { Instance } from '../../instances/views.ts'

/** Without deactivatedBy, which may name a member of staff. */
const OwnInstance = Instance.omit({ deactivatedBy: true }).meta({ id: 'OwnInstance' })

const ownList = pagination({
  filters: { licenseId: uuid.optional(), status: Instance.shape.status.optional() },
  sort: ['activatedAt'],
  created: 'activatedAt',
})

const ownRows = ({ read, caller, now }: Pick<HandlerContext, 'read' | 'caller' | 'now'>) =>
  instancesAt(read, now).where('customerId', '=', customerOf(caller).customerId)

/** @throws Rejection 404, the same for unknown ids and for other customers' instances */
async function ownInstance(call: HandlerContext, id: string): Promise<InstanceRow> {
  const row = await ownRows(call).where('id', '=', id).executeTakeFirst()
  const [instance] = await instanceTable.open(call.vault, [found(row)])
  return instance!
}

export const shopInstanceRoutes = [
  route('GET /api/shop/instances', {
    does: 'List the machines that run under my licenses.',
    access: customer,
    query: ownList.query,
    reply: listReply(OwnInstance),
    async handle(call) {
      const page = await ownList.list(ownRows(call), call.query)
      return { ...page, items: await instanceTable.open(call.vault, page.items) }
    },
  }),

  route('POST /api/shop/instances/:id/deactivate', {
    does: 'Free the activation slot of one of my machines. Its panel learns this at its next heartbeat. At most three times a day.',
    access: customer,
    from: inState(OwnInstance, SLOT_HOLDER),
    reply: OwnInstance,
    async handle(call) {
      const instance = await ownInstance(call, call.params.id)
      const { id: instanceId, subscriptionId } = instance
      if (fits(instance, SLOT_HOLDER)) {
        await enforceLimit(call, DEACTIVATION_LIMIT, customerOf(call.caller).customerId)
        await call.run((unit) => deactivateInstance(unit, { subscriptionId, instanceId, reason: null }))
        await call.waitForReadModels()
      }
      return ownInstance(call, instanceId)
    },
  }),
]
