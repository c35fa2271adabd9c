import type { Break } from './breaks.ts'

const test = 'test/panel/service/mirror.test.ts'

/** Breaks that the test of mirrored tenants must notice. */
export const panelMirrorBreaks: readonly Break[] = [
  {
    promise: 'no key of another tenant is touched',
    file: 'src/panel/api-keys/routes.ts',
    find: 'handle: (call) => deleteKey(call, own),',
    replace: 'handle: (call) => deleteKey(call, anyOwner),',
    test,
    named: 'DELETE /api/api-keys/:id: path.key of another',
  },
  {
    promise: 'a team of another tenant that is named in a body is like none',
    file: 'src/panel/projects/teams/routes.ts',
    find: "if (team && (teamMember(team, userCallerOf(caller).userId) || caller.can('users:view'))) return team",
    replace: 'if (team) return team',
    test,
    named: 'POST /api/projects/:id/teams: path.project, body.spareTeam',
  },
  {
    promise: 'no list shows what another tenant has',
    file: 'src/panel/notifications/routes.ts',
    find: "rows.where('userId', '=', userCallerOf(caller).userId)",
    replace: "rows.where('userId', 'is not', null)",
    test,
    named: 'GET /api/notifications shows nothing of another',
  },
]
