import type { Break } from './breaks.ts'

const QUOTAS = 'src/panel/quotas/effective-quota.ts'
const PROJECTS = 'src/panel/projects/routes.ts'
const quotas = 'test/panel/quotas/quotas.test.ts'

/** Quotas of the panel: what they say holds wherever something is made. */
export const panelQuotaBreaks: readonly Break[] = [
  {
    promise: 'what has no quota of its own has the default',
    file: QUOTAS,
    find: 'own.projects ?? defaults.projects',
    replace: 'own.projects',
    test: quotas,
    named: 'goes before the default',
  },
  {
    promise: 'no account creates more projects than its quota',
    file: PROJECTS,
    find: '...(ownerId !== undefined && (await ownedProjectsMaxOf(unit, ownerId))),',
    replace: '',
    test: quotas,
    named: 'a hundred projects at once',
  },
  {
    promise: 'no account is handed more projects than its quota',
    file: PROJECTS,
    find: 'const owner = { projectId, ownerId, ...(await ownedProjectsMaxOf(unit, ownerId)) }',
    replace: 'const owner = { projectId, ownerId }',
    test: quotas,
    named: 'handed over',
  },
  {
    promise: 'a project has no more members than its quota',
    file: 'src/panel/projects/members/routes.ts',
    find: '(await quotaOfProject(unit, projectId)).members ?? undefined',
    replace: 'undefined',
    test: quotas,
    named: 'a hundred members at once',
  },
  {
    promise: 'a project has no more environments than its quota',
    file: 'src/panel/projects/environments/routes.ts',
    find: '(await quotaOfProject(unit, projectId)).environments ?? undefined',
    replace: 'undefined',
    test: quotas,
    named: 'a hundred environments at once',
  },
]
