/** The realm of staff, who sign in to the back office. */
import type { StepUpRealm } from '#kernel/auth/realm'
import { realmDecisions, stepUpBy } from '#kernel/auth/realm-decisions'
import { refreshScope } from '#kernel/auth/session-events'
import { settingOf } from '#projections/licensing/settings'
import { staffSessions } from '../auth/decider.ts'
import { StaffLoginFailed, staffLoginEvents } from '../auth/events.ts'
import { staffAccounts } from '../staff/decider.ts'
import type { StaffMember } from '../staff/decider.ts'
import { staffNames } from '../staff/events.ts'
import {
  isSecondFactorDue,
  permissionsOfKnownRoles,
  STAFF_AUTH_PATH,
  STAFF_TOKENS,
  staffCaller,
  staffOf,
} from './staff-caller.ts'

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
  profile: async (person, read) =>
    staffProfile({ ...person, totpEnabled: person.totp !== undefined }, await settingOf(read, 'requireSecondFactor')),
  decide: {
    ...realmDecisions(staffAccounts, staffSessions, (unit, staffId, reason) =>
      unit.appendEvent(staffLoginEvents, staffId, StaffLoginFailed({ staffId, reason })),
    ),
    stepUp: stepUpBy(staffAccounts, staffSessions),
  },
}

interface ProfileFields extends Pick<StaffMember, 'id' | 'email' | 'name' | 'roles' | 'createdAt'> {
  readonly totpEnabled: boolean
}

export function staffProfile(person: ProfileFields, isFactorRequired: boolean) {
  const { id, email, name, roles, createdAt, totpEnabled } = person
  const secondFactorDue = isSecondFactorDue(isFactorRequired, totpEnabled)
  return {
    id,
    email,
    name,
    roles: [...roles],
    permissions: secondFactorDue ? [] : permissionsOfKnownRoles(roles),
    totpEnabled,
    secondFactorDue,
    createdAt,
  }
}
