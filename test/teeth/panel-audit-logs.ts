import type { Break } from './breaks.ts'

const ROUTES = 'src/panel/audit-logs/routes.ts'
const test = 'test/panel/audit-logs.test.ts'

/** The audit trail of the panel over HTTP. */
export const panelAuditLogBreaks: readonly Break[] = [
  {
    promise: 'a search for a project shows no entry of another',
    file: ROUTES,
    find: '.$if(project !== undefined,',
    replace: '.$if(project === null as never,',
    test,
    named: 'a project finds every entry that names it',
  },
  {
    promise: 'a walk by positions repeats nothing',
    file: ROUTES,
    find: "rows.where('position', '<', before!)",
    replace: "rows.where('position', '<=', before!)",
    test,
    named: 'before leads to the beginning',
  },
]
