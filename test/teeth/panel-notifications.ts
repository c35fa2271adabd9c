import type { Break } from './breaks.ts'

const REACTIONS = 'src/panel/notifications/reactions.ts'
const test = 'test/panel/notifications/notifications.test.ts'

/** What people are told in the panel. */
export const panelNotificationBreaks: readonly Break[] = [
  {
    promise: 'one is told of one thing once, however often it is worked on',
    file: REACTIONS,
    find: 'if ((await unit.holderOf(CAUSE_CONSTRAINT, causeKey(notice))) !== undefined) return',
    replace: '',
    test,
    named: 'a new password is told of once',
  },
  {
    promise: 'nobody is told what he does not want to hear of',
    file: 'projections/panel/users.ts',
    find: 'return row?.notifications[kind] !== false',
    replace: 'return row?.notifications[kind] !== null',
    test,
    named: 'what somebody does not want to hear of',
  },
  {
    promise: 'how the license stands is told to who may see it',
    file: 'src/panel/license/viewers.ts',
    find: "return held.includes('license:view') ? [id] : []",
    replace: 'return held ? [id] : []',
    test,
    named: 'how the license stands is told to who may see that',
  },
  {
    promise: 'nobody sees what another is told',
    file: 'src/panel/notifications/routes.ts',
    find: ".where('userId', '=', userCallerOf(caller).userId)",
    replace: ".where('id', '!=', userCallerOf(caller).userId)",
    test,
    named: 'those of somebody else are not there',
  },
  {
    promise: 'who was in a project by a team alone is told when it is deleted',
    file: REACTIONS,
    find: "const byTeams = 'teamIds' in data ? await membersOfTeams(work, data.teamIds) : []",
    replace: 'const byTeams: string[] = []',
    test,
    named: 'who was in a project or a team that is deleted',
  },
  {
    promise: 'whoever is put into a team is told of it',
    file: REACTIONS,
    find: "await notify(work, { userId, causeId, kind: 'MEMBERSHIP', title: TEAM[type], teamId })",
    replace: '',
    test,
    named: 'whoever is put into a team',
  },
]
