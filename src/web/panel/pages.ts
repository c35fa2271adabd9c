/** The pages of the panel, by path. */
import type { Pages } from '../page-spec.ts'
import { ADMIN_PAGES } from './admin/pages.ts'

export const PAGES: Pages = {
  '/': { title: 'Projects', page: 'home/home', section: '', keys: 'g p' },
  '/projects/:id': { title: 'Project', page: 'projects/overview' },
  '/projects/:id/members': { title: 'Members of a project', page: 'projects/members' },
  '/projects/:id/members/:memberId': { title: 'Member of a project', page: 'projects/member' },
  '/projects/:id/roles': { title: 'Roles of a project', page: 'projects/roles' },
  '/projects/:id/environments': { title: 'Environments of a project', page: 'projects/environments' },
  '/projects/:id/variables': { title: 'Shared variables of a project', page: 'projects/variables' },
  '/projects/:id/teams': { title: 'Teams of a project', page: 'projects/teams' },
  '/projects/:id/registries': { title: 'Registries of a project', page: 'registries/of-project' },
  '/projects/:id/danger': { title: 'Danger', page: 'projects/danger' },
  '/teams': { title: 'Teams', page: 'teams/list', section: '', keys: 'g t' },
  '/teams/:id': { title: 'Team', page: 'teams/record' },
  '/servers': { title: 'Servers', page: 'servers/list', section: '', keys: 'g v' },
  '/servers/:id': { title: 'Server', page: 'servers/overview' },
  '/servers/:id/access': { title: 'Access to a server', page: 'servers/access' },
  '/servers/tasks/:id': { title: 'Task', page: 'agent/task' },
  '/api-keys': { title: 'API keys', page: 'api-keys/list', section: '', keys: 'g k' },
  '/inbox': { title: 'Inbox', page: 'inbox/inbox', section: '', keys: 'g i' },
  '/account': { title: 'Account', page: 'account/account', keys: 'g a' },
  '/setup': { title: 'Setup', page: 'setup/setup', isPublic: true },
  '/register': { title: 'Create an account', page: 'doors/register', isPublic: true },
  '/verify-email': { title: 'Prove your address', page: 'doors/verify-email', isPublic: true },
  '/forgot-password': { title: 'Choose a new password', page: 'doors/forgot-password', isPublic: true },
  '/reset-password': { title: 'Choose your password', page: 'doors/reset-password', isPublic: true },
  ...ADMIN_PAGES,
}
