/** Sections of the panel: one line per heading of the API catalog. */
import type { Section } from '#kernel/resource/section'
import type { Audience } from './access/audiences.ts'
import { agentSection } from './agent/index.ts'
import { apiKeysSection } from './api-keys/index.ts'
import { applicationsSection } from './applications/index.ts'
import { auditLogsSection } from './audit-logs/index.ts'
import { authSection } from './auth/index.ts'
import { capacitySection } from './capacity/index.ts'
import { configSection } from './config/index.ts'
import { deploymentsSection } from './deployments/index.ts'
import { engineSection } from './engine/index.ts'
import { eventsSection } from './events/index.ts'
import { gitProvidersSection } from './git-providers/index.ts'
import { healthSection } from './health/index.ts'
import { licenseSection } from './license/index.ts'
import { notificationsSection } from './notifications/index.ts'
import { overviewSection } from './overview/index.ts'
import { permissionsSection } from './permissions/index.ts'
import { projectsSection } from './projects/index.ts'
import { quotasSection } from './quotas/index.ts'
import { reaperSection } from './reaper/index.ts'
import { registriesSection } from './registries/index.ts'
import { rolesSection } from './roles/index.ts'
import { scheduledDeploysSection } from './scheduled-deploys/index.ts'
import { serversSection } from './servers/index.ts'
import { settingsSection } from './settings/index.ts'
import { systemSection } from './system/index.ts'
import { teamsSection } from './teams/index.ts'
import { usersSection } from './users/index.ts'

/** Evaluated lazily, because the list includes the sections that receive this function. */
const allRoutes = () => sections.flatMap(({ routes }) => routes)

export const sections: readonly Section<Audience>[] = [
  usersSection,
  authSection,
  apiKeysSection(allRoutes),
  licenseSection,
  rolesSection,
  permissionsSection(allRoutes),
  auditLogsSection,
  configSection,
  settingsSection,
  notificationsSection,
  eventsSection,
  overviewSection,
  healthSection,
  projectsSection,
  quotasSection,
  teamsSection,
  serversSection,
  capacitySection,
  engineSection,
  reaperSection,
  registriesSection,
  gitProvidersSection,
  systemSection,
  agentSection,
  applicationsSection,
  deploymentsSection,
  scheduledDeploysSection,
]
