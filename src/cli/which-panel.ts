/** The panel, as far as commands treat it as the other service. */
import { dataDirectory } from '../config.ts'
import type { Core } from '../open-core.ts'
import * as panel from '../panel-app.ts'
import { panelConfig, panelDatabaseUrlFrom, panelEvaluationConfig } from '../panel-config.ts'
import { ownLicense } from '../panel/own-license.ts'
import { mailboxIn, panelSettingsOf } from './settings.ts'
import { opened, parts } from './which.ts'
import type { Which } from './which.ts'

export const PANEL: Which = {
  name: 'panel',
  called: 'daybook panel',
  ...parts(panel),
  variable: 'PANEL_DATABASE_URL',
  secret: 'PANEL_SECRET_KEY',
  database: 'daybook_panel',
  databaseUrl: panelDatabaseUrlFrom,
  keysOf: licenseOf,
  production: (env) => opened(panelConfig(env), (config, log) => panel.openPanelCore(panelSettingsOf(config), log)),
  evaluation: (env, secrets, databaseUrl) =>
    opened({ ...panelEvaluationConfig(env, secrets), databaseUrl }, (config, log) =>
      panel.openPanelCore(panelSettingsOf(config, mailboxIn(dataDirectory(env))), log),
    ),
}

/** A license that has lapsed is no fault of the host: what it says is for people to judge. */
async function licenseOf({ given }: Core): Promise<string> {
  const own = given(ownLicense)
  if (!own) return 'free tier: LICENSE_SERVER_URL is not set'
  const { state, reason } = (await own.known()).standing
  return `license ${state}${reason === null ? '' : ` (${reason})`}`
}
