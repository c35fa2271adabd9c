/** The profile of the panel for the shared commands. */
import type { Logger } from 'pino'
import type { Core } from '../composition/core.ts'
import * as panel from '../composition/panel.ts'
import { dataDirectory, evaluationConfig } from '../config/licensing.ts'
import { panelConfig, panelEvaluationConfig } from '../config/panel.ts'
import type { EvaluationSecrets } from '../evaluation/secrets-file.ts'
import { licenseSettingsFrom } from '../evaluation/trusted-service.ts'
import { licenseStore } from '../panel/license/store.ts'
import { installation } from './installation.ts'
import { isDatabaseNamed, PANEL_LOGINS } from './logins.ts'
import { LICENSING_PROFILE, openable, declarationsOf } from './service-profile.ts'
import type { ServiceProfile } from './service-profile.ts'
import { panelSettingsOf } from './settings.ts'

export const PANEL_PROFILE: ServiceProfile = {
  name: 'panel',
  commandPrefix: 'daybook panel',
  ...declarationsOf(panel),
  ...PANEL_LOGINS,
  secretVariable: 'PANEL_SECRET_KEY',
  unlockAdvice: '"daybook panel reset-2fa EMAIL" unlocks an account, and so does a new password by a mailed link',
  describeKeys: describeLicense,
  production: (env) => openable(panelConfig(env), (config, log) => panel.openPanelCore(panelSettingsOf(config), log)),
  evaluation: (env, secrets, databaseUrl) =>
    openable({ ...panelEvaluationConfig(env, secrets), databaseUrl }, async (config, log) => {
      const license = config.license ?? (await evaluationLicenseSettings(env, secrets, log))
      return panel.openPanelCore({ ...panelSettingsOf(config, dataDirectory(env)), license }, log)
    }),
}

/**
 * The same settings as `daybook start` passes to its panel. Undefined if the service's database is
 * elsewhere: `daybook start` then starts no panel either.
 */
async function evaluationLicenseSettings(
  env: NodeJS.ProcessEnv,
  secrets: EvaluationSecrets,
  log: Logger,
): Promise<panel.LicenseSettings | undefined> {
  if (isDatabaseNamed(env, LICENSING_PROFILE)) return undefined
  const { open, close } = await installation(env, LICENSING_PROFILE)
  try {
    const licensing = await open(log)
    return await licenseSettingsFrom(licensing, evaluationConfig(env, secrets).url).finally(() => licensing.close())
  } finally {
    await close()
  }
}

/** A lapsed license is not a fault of the host, so it is only reported. */
async function describeLicense({ services }: Core): Promise<string> {
  const own = services(licenseStore)
  if (!own) return 'free tier: LICENSE_SERVER_URL is not set'
  const { state, reason } = (await own.read()).standing
  return `license ${state}${reason === null ? '' : ` (${reason})`}`
}
