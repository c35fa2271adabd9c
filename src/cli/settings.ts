import { join } from 'node:path'
import type { LicensingSettings } from '../composition/licensing.ts'
import type { PanelSettings } from '../composition/panel.ts'
import type { LicensingConfig } from '../config/licensing.ts'
import type { PanelConfig } from '../config/panel.ts'
import type { MailSettings } from '../kernel/mail/mail-settings.ts'

const PANEL = 'panel'
const IMAGES = 'images'

/** A folder of the data directory of an evaluation, where `npm run agent:build` writes. */
export const AGENT_RELEASE = 'agent-release'

/** The directory for the mails of an evaluation. */
export const mailFolderIn = (dataDir: string): string => join(dataDir, 'mailbox')

/** @param mailFolder only for an evaluation */
export const settingsOf = (
  config: LicensingConfig & { readonly databaseUrl: string },
  mailFolder?: string,
): LicensingSettings => ({
  databaseUrl: config.databaseUrl,
  eventStoreUrl: config.eventStoreUrl,
  secretKey: config.secretKey,
  baseUrl: config.url,
  trustedProxies: config.trustedProxies,
  authFailuresPerMinute: config.authFailuresPerMinute,
  metricsAllow: config.metricsAllow,
  webhookAllow: config.webhookAllow,
  redisUrl: config.redisUrl,
  shopUrl: config.shopUrl,
  pagesDir: config.pagesDir,
  filesDir: config.filesDir,
  mail: mailOf(config.mail, mailFolder),
  payments: config.payments,
})

/** @param evaluationDir the data directory of an evaluation */
export const panelSettingsOf = (
  { url: baseUrl, mail, ...config }: PanelConfig & { readonly databaseUrl: string },
  evaluationDir?: string,
): PanelSettings => ({
  databaseUrl: config.databaseUrl,
  eventStoreUrl: config.eventStoreUrl,
  secretKey: config.secretKey,
  baseUrl,
  port: config.port,
  trustedProxies: config.trustedProxies,
  authFailuresPerMinute: config.authFailuresPerMinute,
  metricsAllow: config.metricsAllow,
  redisUrl: config.redisUrl,
  mail: mailOf(mail, evaluationDir && mailFolderIn(evaluationDir)),
  pagesDir: config.pagesDir,
  mailAllow: config.mailAllow,
  gitAllow: config.gitAllow,
  releaseSha256: config.releaseSha256,
  dataDir: config.dataDir ?? (evaluationDir && join(evaluationDir, PANEL)),
  agentDir: config.agentDir ?? (evaluationDir && join(evaluationDir, AGENT_RELEASE)),
  imagesDir: config.imagesDir ?? (evaluationDir && join(evaluationDir, IMAGES)),
  unsetVariables: config.unsetVariables,
  license: config.license,
})

function mailOf(mail: LicensingConfig['mail'], folder: string | undefined): MailSettings | undefined {
  if (mail?.smtp) return { from: mail.from, smtp: mail.smtp }
  return mail && folder !== undefined ? { from: mail.from, folder } : undefined
}
