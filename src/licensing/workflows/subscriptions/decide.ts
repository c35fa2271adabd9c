/**
 * Runs every command of a subscription. An event that ends a license also frees its slots, in the
 * same append.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { CommandInputOf } from '#kernel/events/decider'
import type { EventIn } from '#kernel/events/event'
import { releaseSlots } from '../../instances/slots.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import type { subscriptionEvents } from '../../subscriptions/events.ts'
import type { Subscription } from '../../subscriptions/term-rules.ts'
import { requestCarriedAmount, settleSubscriptionChange } from '../billing/settle-change.ts'

/** The actor of previews; no rule reads it. */
const PREVIEW_ACTOR = { type: 'SYSTEM', id: 'preview' }

type SubscriptionCommand = keyof typeof subscriptions.commands
type SubscriptionEvent = EventIn<typeof subscriptionEvents>

/**
 * Previews the result of a command; nothing is recorded.
 * @throws Rejection by the rules of the command
 */
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
 * Every command of a subscription must use this function, so that slots and costs are always
 * handled.
 * @throws Rejection by the rules of the command
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

/** A license with a successor keeps its slots for the successor. */
const isEndOfUse = (event: SubscriptionEvent): boolean =>
  event.type === 'LicenseRevoked'
    ? event.data.supersededBy === undefined
    : event.type === 'SubscriptionCancelled' || event.type === 'SubscriptionExpired'
