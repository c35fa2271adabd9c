/** Machine tokens that bypass the rules of minting: expired at birth, or with permissions that no mint grants. */
import { hashSecret, newSecret, secretPrefix } from '#kernel/credentials/secret-token'
import { MachineTokenMinted, machineTokenEvents } from '#licensing/machine-tokens/events'
import type { Licensing } from '../../../src/composition/licensing.ts'

const SYSTEM = { actor: { type: 'SYSTEM', id: 'test' }, requestId: 'past the mint' }

export async function mintWithoutRules(
  { commands, projector }: Licensing,
  more: object,
): Promise<{ id: string; secret: string }> {
  const secret = newSecret('m')
  const id = await commands.run(SYSTEM, async (unit) => {
    const machineTokenId = unit.newId()
    const spelled = { prefix: secretPrefix(secret), hash: hashSecret(secret) }
    const terms = { name: 'past', permissions: [], grants: [], allowedIps: [], expiresAt: null }
    unit.appendEvent(
      machineTokenEvents,
      undefined,
      MachineTokenMinted({ machineTokenId, ...terms, ...spelled, ...more }),
    )
    return machineTokenId
  })
  await projector.catchUp()
  return { id, secret }
}
