import type { Break } from './breaks.ts'

const ROUTES = 'src/panel/audit-logs/routes.ts'
const test = 'test/panel/audit-logs/audit-logs.test.ts'

/** The audit trail of the panel over HTTP. */
export const panelAuditLogBreaks: readonly Break[] = [
  {
    promise: 'a search for a project shows no entry of another',
    file: ROUTES,
    find: 'project: auditFilters.subject,',
    replace: 'project: (rows: AuditRows) => rows,',
    test,
    named: 'a project finds every entry that names it',
  },
  {
    promise: 'a walk by positions repeats nothing',
    file: ROUTES,
    find: "rows.where('position', '<', value)",
    replace: "rows.where('position', '<=', value)",
    test,
    named: 'before leads to the beginning',
  },
  {
    promise: 'no change is missing in the audit trail, whichever test asks for it',
    file: 'src/panel/users/decider.ts',
    find: 'Onboard: (user, _ask: object) => [',
    replace: 'Onboard: (user, _ask: object) => user?.onboardedAt ? [] : [',
    test: 'test/panel/auth/auth.test.ts',
    named: 'being shown around is remembered',
  },
  {
    promise: 'what was refused is not in the audit trail, whichever test is refused it',
    file: 'src/panel/users/routes.ts',
    find: "await unit.decide(users, params.id, 'GiveAdminRole', { by, ...body })",
    replace: "await run((early) => early.decide(users, params.id, 'GiveAdminRole', { by, ...body }))",
    test: 'test/panel/roles/roles.test.ts',
    named: 'an unknown role is given to nobody',
  },
  {
    promise: 'the audit trail is asked about every answer',
    file: 'test/support/audit-trail-check.ts',
    find: 'status >= 200 && status < 300',
    replace: 'status === 200',
    test: 'test/house/audited.test.ts',
  },
  {
    promise: 'a date that the database cannot read is refused before it is asked',
    file: 'src/kernel/lib/timestamps.ts',
    find: '.refine(isReadableMoment,',
    replace: ".refine((text) => text !== '',",
    test: 'test/panel/service/hostile-input.test.ts',
    named: 'whatever a route is sent',
  },
]
