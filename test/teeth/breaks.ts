import { authBreaks } from './auth.ts'
import { backOfficeBreaks } from './back-office.ts'
import { benchBreaks } from './bench.ts'
import { erasureBreaks } from './erasure.ts'
import { eventStoreDbBreaks } from './eventstoredb.ts'
import { firstHourBreaks } from './first-hour.ts'
import { goldenBreaks } from './golden.ts'
import { historyBreaks } from './history.ts'
import { httpBreaks } from './http.ts'
import { kitBreaks } from './kit.ts'
import { licenseApiBreaks } from './license-api.ts'
import { licenseClientBreaks } from './license-client.ts'
import { machineTokenBreaks } from './machine-tokens.ts'
import { panelAccessBreaks } from './panel-access.ts'
import { panelApiKeyBreaks } from './panel-api-keys.ts'
import { panelAttackBreaks } from './panel-attacks.ts'
import { panelAuditLogBreaks } from './panel-audit-logs.ts'
import { panelAuthBreaks } from './panel-auth.ts'
import { panelConfigBreaks } from './panel-config.ts'
import { panelEventBreaks } from './panel-events.ts'
import { panelLicenseBreaks } from './panel-license.ts'
import { panelMirrorBreaks } from './panel-mirror.ts'
import { panelNotificationBreaks } from './panel-notifications.ts'
import { panelProjectBreaks } from './panel-projects.ts'
import { panelQuotaBreaks } from './panel-quotas.ts'
import { panelSettingBreaks } from './panel-settings.ts'
import { panelTeamBreaks } from './panel-teams.ts'
import { panelUserBreaks } from './panel-users.ts'
import { paymentBreaks } from './payments.ts'
import { planBreaks } from './plans.ts'
import { provisioningBreaks } from './provisioning.ts'
import { readSideBreaks } from './read-side.ts'
import { readingBreaks } from './reading.ts'
import { sealingBreaks } from './sealing.ts'
import { shopBreaks } from './shop.ts'
import { signingKeyBreaks } from './signing-keys.ts'
import { snapshotBreaks } from './snapshots.ts'
import { spellingBreaks } from './spelling.ts'
import { storeBreaks } from './store.ts'
import { subscriptionBreaks } from './subscriptions.ts'
import { supplyBreaks } from './supply.ts'
import { webhookBreaks } from './webhooks.ts'
import { workBreaks } from './work.ts'

/** What `npm run teeth` breaks: one promise each, by one change of the source, and the test that must fail then. */
export interface Break {
  readonly promise: string
  readonly file: string
  /** Stands exactly once in the file. */
  readonly find: string
  readonly replace: string
  readonly test: string
  /** Part of the tests' full name, `outer > inner > test`; without it the whole file runs. */
  readonly named?: string | undefined
}

export const BREAKS: readonly Break[] = [
  ...storeBreaks,
  ...eventStoreDbBreaks,
  ...readingBreaks,
  ...readSideBreaks,
  ...historyBreaks,
  ...sealingBreaks,
  ...erasureBreaks,
  ...goldenBreaks,
  ...snapshotBreaks,
  ...httpBreaks,
  ...kitBreaks,
  ...spellingBreaks,
  ...machineTokenBreaks,
  ...authBreaks,
  ...planBreaks,
  ...provisioningBreaks,
  ...shopBreaks,
  ...licenseApiBreaks,
  ...paymentBreaks,
  ...subscriptionBreaks,
  ...webhookBreaks,
  ...workBreaks,
  ...supplyBreaks,
  ...signingKeyBreaks,
  ...licenseClientBreaks,
  ...panelLicenseBreaks,
  ...backOfficeBreaks,
  ...panelAttackBreaks,
  ...panelAuditLogBreaks,
  ...panelAccessBreaks,
  ...panelAuthBreaks,
  ...panelConfigBreaks,
  ...panelEventBreaks,
  ...panelMirrorBreaks,
  ...panelNotificationBreaks,
  ...panelProjectBreaks,
  ...panelSettingBreaks,
  ...panelQuotaBreaks,
  ...panelTeamBreaks,
  ...panelApiKeyBreaks,
  ...panelUserBreaks,
  ...benchBreaks,
  ...firstHourBreaks,
]
