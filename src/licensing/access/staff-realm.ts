/** The realm of staff, who sign in to the back office. */
import type { StepUpRealm } from '#kernel/auth/realm'
import { realmDecisions, stepUpBy } from '#kernel/auth/realm-decisions'
import { refreshScope } from '#kernel/auth/session-events'
import { staffSessions } from '../auth/decider.ts'
import { StaffLoginFailed, staffLoginEvents } from '../auth/events.ts'
import { staffAccounts } from '../staff/decider.ts'
import type { StaffMember } from '../staff/decider.ts'
import { staffNames } from '../staff/events.ts'
import { permissionsOfKnownRoles, STAFF_AUTH_PATH, STAFF_TOKENS, staffCaller, staffOf } from './staff-caller.ts'

const UNKNOWN_STAFF_ID = 'nobody'

export type StaffProfile = ReturnType<typeof staffProfile>

export const staffRealm: StepUpRealm<StaffMember, StaffProfile> = {
  actorType: 'STAFF',
  authPath: STAFF_AUTH_PATH,
  cookies: { refresh: 'daybook_staff_refresh', device: 'daybook_staff_device' },
  refresh: {
    constraintScope: refreshScope(staffNames),
    key: 'staff-refresh',
  },
  tokens: STAFF_TOKENS,
  counterPrefix: '',
  accountByEmailKey: async (unit, emailKey) =>
    unit.load(staffAccounts, (await unit.holderOf('staffEmail', emailKey)) ?? UNKNOWN_STAFF_ID),
  account: (unit, staffId) => unit.load(staffAccounts, staffId),
  sessions: (unit, staffId) => unit.load(staffSessions, staffId),
  caller: staffCaller,
  sessionIdentityOf(caller) {
    const { staffId, sid } = staffOf(caller)
    return { accountId: staffId, sessionId: sid }
  },
  profile: (person) => staffProfile(person, person.totp !== undefined),
  decide: {
    ...realmDecisions(staffAccounts, staffSessions, (unit, staffId, reason) =>
      unit.appendEvent(staffLoginEvents, staffId, StaffLoginFailed({ staffId, reason })),
    ),
    stepUp: stepUpBy(staffAccounts, staffSessions),
  },
}

type ProfileFields = Pick<StaffMember, 'id' | 'email' | 'name' | 'roles' | 'createdAt'>

export const staffProfile = ({ id, email, name, roles, createdAt }: ProfileFields, totpEnabled: boolean) => ({
  id,
  email,
  name,
  roles: [...roles],
  permissions: permissionsOfKnownRoles(roles),
  totpEnabled,
  createdAt,
})
