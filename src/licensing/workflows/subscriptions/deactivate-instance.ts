import type { UnitOfWork } from '#kernel/commands/command-runner'
import { licenseSlots } from '../../instances/decider.ts'

/** Frees the slot of an instance. Repeating it changes nothing. */
export async function deactivateInstance(
  unit: UnitOfWork,
  { subscriptionId, instanceId, reason }: { subscriptionId: string; instanceId: string; reason: string | null },
): Promise<void> {
  await unit.decide(licenseSlots, subscriptionId, 'DeactivateInstance', { instanceId, reason })
}
