/** Staff, who sign in to the back office. */
import type { SteppingRealm } from '#kernel/realm/realm'
import type { Held } from '#kernel/realm/session-rules'
import { REFRESH_CLAIM, StaffLoginFailed, staffLoginEvents } from '../auth/events.ts'
import { staffSessions } from '../auth/decider.ts'
import { staff } from '../staff/decider.ts'
import type { Person } from '../staff/decider.ts'
import { permissionsHeld, STAFF_TOKENS, staffCaller, staffOf } from './staff-caller.ts'

const NOBODY = 'nobody'

const sessionOf = ({ accountId, sessionId }: Held) => ({ staffId: accountId, staffSessionId: sessionId })

export type StaffProfile = ReturnType<typeof staffProfile>

export const staffRealm: SteppingRealm<Person, StaffProfile> = {
  actorType: 'STAFF',
  authPath: '/api/admin/auth',
  cookies: { refresh: 'daybook_staff_refresh', device: 'daybook_staff_device' },
  refresh: {
    claim: REFRESH_CLAIM,
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
    async signIn(unit, held, { verified, rehashed, factor, ...started }) {
      const { staffId, staffSessionId } = sessionOf(held)
      await unit.decide(staff, staffId, 'SignIn', { verified, rehashed, factor, staffSessionId })
      await unit.decide(staffSessions, staffId, 'StartSession', { staffId, staffSessionId, ...started })
    },
    failSignIn: (unit, staffId, reason) =>
      unit.record(staffLoginEvents, staffId, StaffLoginFailed({ staffId, reason })),
    refresh: (unit, held, tokens) =>
      unit.decide(staffSessions, held.accountId, 'RefreshSession', { ...sessionOf(held), ...tokens }),
    async stepUp(unit, held, step) {
      const { staffId, staffSessionId } = sessionOf(held)
      if (step !== undefined) await unit.decide(staff, staffId, 'StepUp', { step, staffSessionId })
      await unit.decide(staffSessions, staffId, 'StepUpSession', { staffId, staffSessionId })
    },
    changePassword: (unit, { accountId }, change) => unit.decide(staff, accountId, 'ChangePassword', change),
    setUpTotp: (unit, accountId, secret) => unit.decide(staff, accountId, 'SetUpTotp', { secret }),
    enableTotp: (unit, { accountId, sessionId }, ask) =>
      unit.decide(staff, accountId, 'EnableTotp', { ...ask, staffSessionId: sessionId }),
    disableTotp: (unit, { accountId, sessionId }, proof) =>
      unit.decide(staff, accountId, 'DisableTotp', { ...proof, staffSessionId: sessionId }),
    endSession: (unit, { accountId, sessionId }, reason) =>
      unit.decide(staffSessions, accountId, 'EndSession', { staffSessionId: sessionId, reason }),
    endOthers: (unit, { accountId, sessionId }, reason) =>
      unit.decide(staffSessions, accountId, 'EndOtherSessions', { staffSessionId: sessionId, reason }),
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
