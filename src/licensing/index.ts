/** The licensing service: one line per section. */
import type { Section } from '#kernel/resource/section'
import type { Audience } from './access/audiences.ts'
import { announcementsSection } from './announcements/index.ts'
import { auditSection } from './audit/index.ts'
import { authSection } from './auth/index.ts'
import { bulkSection } from './bulk/index.ts'
import { customersSection } from './customers/index.ts'
import { eventsSection } from './events/index.ts'
import { exportsSection } from './exports/index.ts'
import { featuresSection } from './features/index.ts'
import { healthSection } from './health/index.ts'
import { instancesSection } from './instances/index.ts'
import { invoicesSection } from './invoices/index.ts'
import { licenseApiSection } from './license-api/index.ts'
import { licensesSection } from './licenses/index.ts'
import { machineTokensSection } from './machine-tokens/index.ts'
import { metricsSection } from './metrics/index.ts'
import { paymentsSection } from './payments/index.ts'
import { plansSection } from './plans/index.ts'
import { provisioningSection } from './provisioning/index.ts'
import { searchSection } from './search/index.ts'
import { settingsSection } from './settings/index.ts'
import { shopSection } from './shop/index.ts'
import { signingKeysSection } from './signing-keys/index.ts'
import { staffSection } from './staff/index.ts'
import { subscriptionsSection } from './subscriptions/index.ts'
import { versionsSection } from './versions/index.ts'
import { webhooksSection } from './webhooks/index.ts'

/** A function, because the list includes the streams of the sections that use it. */
const allStreams = () => sections.flatMap(({ streams }) => streams)

export const sections: readonly Section<Audience>[] = [
  plansSection,
  featuresSection,
  staffSection,
  authSection,
  machineTokensSection,
  customersSection,
  subscriptionsSection,
  licensesSection,
  paymentsSection,
  invoicesSection,
  provisioningSection,
  shopSection,
  signingKeysSection,
  versionsSection,
  settingsSection,
  announcementsSection,
  bulkSection,
  exportsSection,
  metricsSection,
  eventsSection,
  healthSection,
  searchSection,
  instancesSection,
  licenseApiSection,
  auditSection(allStreams),
  webhooksSection(allStreams),
]
