import type { LicensingSettings } from '../app.ts'
import type { Config } from '../config.ts'

export const settingsOf = (config: Config & { readonly databaseUrl: string }): LicensingSettings => ({
  databaseUrl: config.databaseUrl,
  eventStoreUrl: config.eventStoreUrl,
  secretKey: config.secretKey,
  baseUrl: config.url,
  trustedProxies: config.trustedProxies,
  authFailuresPerMinute: config.authFailuresPerMinute,
  metricsAllow: config.metricsAllow,
})
