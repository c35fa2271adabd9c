import type { Core } from '../composition/core.ts'
import { SYSTEM_ACTOR } from '../composition/core.ts'
import type { LicenseSettings } from '../composition/panel.ts'
import { signingKeys } from '../licensing/signing-keys/decider.ts'

/**
 * What the panel of an evaluation trusts: the service beside it, and the root key in that service's database.
 * @param serviceUrl what the service calls itself
 * @returns undefined before the service was started for the first time
 */
export async function licenseSettingsFrom(
  { commands }: Pick<Core, 'commands'>,
  serviceUrl: string,
): Promise<LicenseSettings | undefined> {
  const context = { actor: SYSTEM_ACTOR, requestId: 'evaluation' }
  const { root } = await commands.run(context, (unit) => unit.look(signingKeys))
  return root && { serviceUrl, root: root.publicJwk }
}
