/** The panel, as far as commands treat it as the other service. */
import type { Logger } from 'pino'
import { dataDirectory, evaluationConfig } from '../config/licensing.ts'
import type { Core } from '../composition/core.ts'
import * as panel from '../composition/panel.ts'
import { panelConfig, panelEvaluationConfig } from '../config/panel.ts'
import { ownLicense } from '../panel/license/store.ts'
import type { Secrets } from '../evaluation/secrets-file.ts'
import { installation } from './installation.ts'
import { licensedBy } from '../evaluation/trusted-service.ts'
import { isNamed, PANEL_LOGINS } from './logins.ts'
import { mailboxIn, panelSettingsOf } from './settings.ts'
import { LICENSING, opened, parts } from './which.ts'
import type { Which } from './which.ts'

export const PANEL: Which = {
  name: 'panel',
  called: 'daybook panel',
  ...parts(panel),
  ...PANEL_LOGINS,
  secret: 'PANEL_SECRET_KEY',
  unlocking: '"daybook panel reset-2fa EMAIL" lets an account in again, and so does a new password by a mailed link',
  keysOf: licenseOf,
  production: (env) => opened(panelConfig(env), (config, log) => panel.openPanelCore(panelSettingsOf(config), log)),
  evaluation: (env, secrets, databaseUrl) =>
    opened({ ...panelEvaluationConfig(env, secrets), databaseUrl }, async (config, log) => {
      const license = config.license ?? (await licenseBeside(env, secrets, log))
      return panel.openPanelCore({ ...panelSettingsOf(config, mailboxIn(dataDirectory(env))), license }, log)
    }),
}

/** As `daybook start` tells its panel. Undefined: the service has its database elsewhere, and then starts no panel either. */
async function licenseBeside(
  env: NodeJS.ProcessEnv,
  secrets: Secrets,
  log: Logger,
): Promise<panel.LicenseSettings | undefined> {
  if (isNamed(env, LICENSING)) return undefined
  const { open, close } = await installation(env, LICENSING)
  try {
    const licensing = await open(log)
    return await licensedBy(licensing, evaluationConfig(env, secrets).url).finally(() => licensing.close())
  } finally {
    await close()
  }
}

/** A license that has lapsed is no fault of the host: what it says is for people to judge. */
async function licenseOf({ given }: Core): Promise<string> {
  const own = given(ownLicense)
  if (!own) return 'free tier: LICENSE_SERVER_URL is not set'
  const { state, reason } = (await own.known()).standing
  return `license ${state}${reason === null ? '' : ` (${reason})`}`
}
