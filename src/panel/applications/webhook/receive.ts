/**
 * Receives a delivery. It is a hint that a branch or a pull request has moved; what is deployed is read from the repository
 * later.
 */
import { enforceLimit, forgetIdleAttempts } from '#kernel/auth/caller-limits'
import type { CallerLimit } from '#kernel/auth/caller-limits'
import type { HandlerContext } from '#kernel/http/route'
import { Rejection } from '#kernel/lib/rejection'
import { deployingFor } from '../../workflows/deploying.ts'
import { closePullRequest, deployPreview } from '../../workflows/previews.ts'
import { requestDeployment } from '../../workflows/request-deployment.ts'
import { applications } from '../decider.ts'
import { endDelivery, refuseDelivery, takeDelivery } from './deliveries.ts'
import type { DeliveryOutcome } from './deliveries.ts'
import { deliveryCallerOf } from './delivery-caller.ts'
import type { PullRequestHint } from './pull-requests.ts'
import { eventOf, hintOf } from './pushes.ts'
import type { DeliveryHint } from './pushes.ts'
import { gitSourceOf, watchedBranchOf } from './watched-branch.ts'

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

async function follow(call: Receive, applicationId: string, hint: DeliveryHint): Promise<DeliveryOutcome> {
  const { run } = call
  if (hint.kind === 'OTHER') return 'IGNORED'
  if (hint.kind === 'PULL_REQUEST') return followPullRequest(call, applicationId, hint)
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

/**
 * Closing takes the preview away whichever branch it goes into, because that may have been changed. QUEUED: a deployment or an
 * end was asked for.
 */
async function followPullRequest(
  call: Receive,
  applicationId: string,
  hint: PullRequestHint,
): Promise<DeliveryOutcome> {
  const deploying = await deployingFor(call)
  return call
    .run(async (unit): Promise<DeliveryOutcome> => {
      const application = await unit.load(applications, applicationId)
      if (!application?.previews.enabled) return 'IGNORED'
      const told = { ...hint, asOf: notAfter(unit.at, hint.asOf) }
      const isQueued = hint.isOpen
        ? hint.into === gitSourceOf(application)?.branch &&
          (await deployPreview({ unit, ...deploying }, application, told))
        : await closePullRequest({ unit, ...deploying }, application, told)
      return isQueued ? 'QUEUED' : 'IGNORED'
    })
    .catch(unlessFull)
}

/** The clock of a provider may be ahead, and a time that is far ahead would overtake all that follows. */
const notAfter = (now: Date, asOf: string | null): string => {
  const at = now.toISOString()
  return asOf === null || asOf > at ? at : asOf
}

/** Why no preview can be opened now. A provider that hears of failures may stop to deliver pushes, too. */
const FULL = ['TOO_MANY', 'QUOTA_REACHED', 'CAPACITY', 'CORDONED']

function unlessFull(error: unknown): DeliveryOutcome {
  if (error instanceof Rejection && FULL.includes(error.code)) return 'IGNORED'
  throw error
}
