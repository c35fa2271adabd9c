/** Decisions about a subscription. Whatever ends a license ends the activations of its machines, in the same append. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { CommandInputOf } from '#kernel/events/decider'
import type { EventIn } from '#kernel/events/event'
import { requestCarriedAmount, settleSubscriptionChange } from '../billing/settle-change.ts'
import { releaseSlots } from '../../instances/slots.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import type { subscriptionEvents } from '../../subscriptions/events.ts'
import type { Subscription } from '../../subscriptions/term-rules.ts'

/** No rule asks who it is. */
const PREVIEW_ACTOR = { type: 'SYSTEM', id: 'preview' }

type SubscriptionCommand = keyof typeof subscriptions.commands
type SubscriptionEvent = EventIn<typeof subscriptionEvents>

/** What it would become; nothing is recorded. @throws Rejection as the rules of the command say */
export function simulateCommand<Name extends SubscriptionCommand>(
  { at }: UnitOfWork,
  before: Subscription,
  command: Name,
  ask: CommandInputOf<typeof subscriptions, Name>,
): Subscription {
  const decide = subscriptions.commands[command] as (...given: unknown[]) => readonly SubscriptionEvent[]
  const events = decide(before, ask, { at, actor: PREVIEW_ACTOR })
  return events.reduce((state, event) => subscriptions.evolve(state, event, at)!, before)
}

/**
 * Every command to a subscription goes this way, so that none of them can forget the machines, or what a change costs.
 * @throws Rejection as the rules of the command say
 */
export async function decideSubscription<Name extends SubscriptionCommand>(
  unit: UnitOfWork,
  subscriptionId: string,
  command: Name,
  ask: CommandInputOf<typeof subscriptions, Name>,
): Promise<readonly SubscriptionEvent[]> {
  const before = await unit.load(subscriptions, subscriptionId)
  const happened = await unit.decide(subscriptions, subscriptionId, command, ask)
  const after = (await unit.load(subscriptions, subscriptionId))!
  for (const { type, data } of happened) {
    if (type === 'SubscriptionChanged') await settleSubscriptionChange(unit, before!, after, data.settlement)
    if (type === 'SubscriptionCancellationScheduled') await requestCarriedAmount(unit, before!)
  }
  if (happened.some(isEndOfUse)) await releaseSlots(unit, after)
  return happened
}

/** What another license takes the place of leaves its machines to that one. */
const isEndOfUse = (event: SubscriptionEvent): boolean =>
  event.type === 'LicenseRevoked'
    ? event.data.supersededBy === undefined
    : event.type === 'SubscriptionCancelled' || event.type === 'SubscriptionExpired'
