/** Staff, who sign in to the back office. */
import type { SteppingRealm } from '#kernel/auth/realm'
import { realmDecisions, stepUpBy } from '#kernel/auth/realm-decisions'
import { refreshScope } from '#kernel/auth/session-events'
import { StaffLoginFailed, staffLoginEvents } from '../auth/events.ts'
import { staffSessions } from '../auth/decider.ts'
import { staff } from '../staff/decider.ts'
import type { Person } from '../staff/decider.ts'
import { staffNames } from '../staff/events.ts'
import { permissionsHeld, STAFF_AUTH_PATH, STAFF_TOKENS, staffCaller, staffOf } from './staff-caller.ts'

const NOBODY = 'nobody'

export type StaffProfile = ReturnType<typeof staffProfile>

export const staffRealm: SteppingRealm<Person, StaffProfile> = {
  actorType: 'STAFF',
  authPath: STAFF_AUTH_PATH,
  cookies: { refresh: 'daybook_staff_refresh', device: 'daybook_staff_device' },
  refresh: {
    claim: refreshScope(staffNames),
    key: 'staff-refresh',
  },
  tokens: STAFF_TOKENS,
  counted: '',
  memberBy: async (unit, emailKey) => unit.load(staff, (await unit.holderOf('staffEmail', emailKey)) ?? NOBODY),
  member: (unit, staffId) => unit.load(staff, staffId),
  sessions: (unit, staffId) => unit.load(staffSessions, staffId),
  caller: staffCaller,
  held(caller) {
    const { staffId, sid } = staffOf(caller)
    return { accountId: staffId, sessionId: sid }
  },
  profile: (person) => staffProfile(person, person.totp !== undefined),
  decide: {
    ...realmDecisions(staff, staffSessions, (unit, staffId, reason) =>
      unit.record(staffLoginEvents, staffId, StaffLoginFailed({ staffId, reason })),
    ),
    stepUp: stepUpBy(staff, staffSessions),
  },
}

type Known = Pick<Person, 'id' | 'email' | 'name' | 'roles' | 'createdAt'>

export const staffProfile = ({ id, email, name, roles, createdAt }: Known, totpEnabled: boolean) => ({
  id,
  email,
  name,
  roles: [...roles],
  permissions: permissionsHeld(roles),
  totpEnabled,
  createdAt,
})
