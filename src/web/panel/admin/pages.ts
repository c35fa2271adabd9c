/** The pages for those who run the installation. */
import {
  getAdminApiKeys,
  getAdminAuditLogs,
  getAdminCapacity,
  getAdminLicense,
  getAdminOverview,
  getAdminProjects,
  getAdminQuotasDefaults,
  getAdminReaperScan,
  getAdminRoles,
  getAdminSettings,
  getAdminTeams,
  getAdminTeamsById,
  getAdminUsers,
  getAdminUsersById,
  getRegistries,
  getSystemUpdates,
} from '#api-client/panel/bare'
import { onPlatform } from '../../page-spec.ts'
import type { Pages } from '../../page-spec.ts'

const section = 'Installation'

export const ADMIN_PAGES: Pages = {
  '/admin': { title: 'Overview', page: 'admin/overview', needs: getAdminOverview, section, keys: 'g o' },
  '/admin/people': { title: 'People', page: 'admin/people', needs: getAdminUsers, section, keys: 'g e' },
  '/admin/people/:id': { title: 'Person', page: 'admin/person', needs: getAdminUsersById },
  '/admin/roles': { title: 'Admin roles', page: 'admin/roles', needs: getAdminRoles, section, keys: 'g r' },
  '/admin/projects': { title: 'All projects', page: 'admin/projects', needs: getAdminProjects, section },
  '/admin/teams': { title: 'All teams', page: 'admin/teams', needs: getAdminTeams, section },
  '/admin/teams/:id': { title: 'Team', page: 'admin/team', needs: getAdminTeamsById },
  '/admin/api-keys': { title: 'All API keys', page: 'admin/api-keys', needs: getAdminApiKeys, section },
  '/admin/quotas': { title: 'Quotas', page: 'admin/quotas', needs: getAdminQuotasDefaults, section, keys: 'g q' },
  '/admin/capacity': { title: 'Capacity', page: 'admin/capacity', needs: getAdminCapacity, section },
  '/admin/registries': { title: 'Registries', page: 'registries/list', needs: onPlatform(getRegistries), section },
  '/admin/reaper': { title: 'Leftovers', page: 'reaper/scan', needs: getAdminReaperScan, section },
  '/admin/updates': { title: 'Updates', page: 'system/updates', needs: getSystemUpdates, section },
  '/admin/license': { title: 'License', page: 'admin/license', needs: getAdminLicense, section, keys: 'g l' },
  '/admin/settings': { title: 'Settings', page: 'admin/settings', needs: getAdminSettings, section, keys: 'g s' },
  '/admin/audit': { title: 'Audit', page: 'admin/audit', needs: getAdminAuditLogs, section, keys: 'g d' },
}
