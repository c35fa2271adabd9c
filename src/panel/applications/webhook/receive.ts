/** Receives a delivery. It is a hint that a branch has moved; what is deployed is read from the repository later. */
import { enforceLimit, forgetIdleAttempts } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import type { HandlerContext } from '#kernel/http/route'
import { Rejection } from '#kernel/lib/rejection'
import { requestDeployment } from '../../workflows/request-deployment.ts'
import { applications } from '../decider.ts'
import { endDelivery, refuseDelivery, takeDelivery } from './deliveries.ts'
import type { DeliveryOutcome } from './deliveries.ts'
import { deliveryCallerOf } from './delivery-caller.ts'
import { eventOf, hintOf } from './pushes.ts'
import type { DeliveryHint } from './pushes.ts'
import { watchedBranchOf } from './watched-branch.ts'

/** Of an application. */
const DELIVERIES: CallerLimit = { name: 'application-deliveries', windowMax: 30, windowSeconds: 60 }

type Receive = HandlerContext<unknown, unknown, Buffer>

/** @throws Rejection 400 NOT_JSON · 429 · what refuses the deployment */
export async function receiveDelivery(call: Receive): Promise<DeliveryOutcome> {
  const { caller, header, body, telemetry, now } = call
  const { applicationId, sender, deliveryId } = deliveryCallerOf(caller)
  await enforceLimit(call, DELIVERIES, applicationId)
  await forgetIdleAttempts(call, DELIVERIES)
  const event = eventOf(sender, header)
  const hint = hintOf(sender, event, body)
  const taken = await takeDelivery(telemetry, { applicationId, deliveryId, event, body, now })
  if (taken === undefined) return 'DUPLICATE'
  try {
    const outcome = await follow(call, applicationId, hint)
    await endDelivery(telemetry, taken, outcome, ACCEPTED)
    return outcome
  } catch (error) {
    await refuseDelivery(telemetry, taken, error instanceof Rejection ? error.statusCode : 500)
    throw error
  }
}

const ACCEPTED = 202

/** A pull request will be followed here, too. */
async function follow({ run }: Receive, applicationId: string, hint: DeliveryHint): Promise<DeliveryOutcome> {
  if (hint.kind === 'OTHER') return 'IGNORED'
  return run(async (unit): Promise<DeliveryOutcome> => {
    const application = await unit.load(applications, applicationId)
    const branch = application && watchedBranchOf(application)
    if (branch === undefined || branch === null || !hint.branches.includes(branch)) return 'IGNORED'
    await requestDeployment(unit, { applicationId, cause: { type: 'WEBHOOK', id: null } })
    return 'QUEUED'
  }).catch(unlessUnchanged)
}

function unlessUnchanged(error: unknown): DeliveryOutcome {
  if (error instanceof Rejection && error.code === 'NOTHING_TO_DEPLOY') return 'UNCHANGED'
  throw error
}
