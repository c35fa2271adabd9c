import type { Core } from '../composition/core.ts'
import { SYSTEM_ACTOR } from '../composition/core.ts'
import type { LicenseSettings } from '../composition/panel.ts'
import { signingKeys } from '../licensing/signing-keys/decider.ts'

/**
 * The licensing service that the panel of an evaluation trusts: the service beside it, with the root
 * key from its database.
 * @param serviceUrl the URL of the service
 * @returns undefined before the first start of the service
 */
export async function licenseSettingsFrom(
  { commands }: Pick<Core, 'commands'>,
  serviceUrl: string,
): Promise<LicenseSettings | undefined> {
  const context = { actor: SYSTEM_ACTOR, requestId: 'evaluation' }
  const { root } = await commands.run(context, (unit) => unit.look(signingKeys))
  return root && { serviceUrl, root: root.publicJwk }
}
