import { describe, test } from 'vitest'
import { staffAccounts } from '#licensing/staff/decider'
import {
  StaffAdded,
  StaffBackupCodeUsed,
  StaffPasswordChanged,
  StaffPasswordRehashed,
  StaffPasswordReset,
  StaffTotpDisabled,
  StaffTotpEnabled,
  StaffTotpSetUp,
  StaffTotpUsed,
} from '#licensing/staff/events'
import { AT, given } from '#test/support/decider-spec'

const staffId = '01890000-0000-7000-8000-00000000000a'
const staffSessionId = '01890000-0000-7000-8000-00000000000b'
const otherSessionId = '01890000-0000-7000-8000-00000000000c'
const person = { email: 'r@staff.test', emailKey: 'key', name: 'Robin', roles: ['SUPPORT'], passwordHash: 'hash 1' }
const added = StaffAdded({ staffId, ...person })
const setUp = StaffTotpSetUp({ staffId, staffSessionId, secret: 'secret' })
const enabled = StaffTotpEnabled({ staffId, step: 100, staffSessionId, backupCodes: ['code 1', 'code 2'] })
const withTotp = [added, setUp, enabled]
const signIn = { verified: 'hash 1', sessionId: staffSessionId }
const later = (minutes: number) => ({ at: new Date(AT.getTime() + minutes * 60_000) })

describe('SignIn', () => {
  test('writes nothing about the person when the password is all there is', () =>
    given(staffAccounts, [added]).when('SignIn', signIn).then([]))

  test('stores the hash that was made again', () =>
    given(staffAccounts, [added])
      .when('SignIn', { ...signIn, rehashed: 'hash 2' })
      .then([StaffPasswordRehashed({ staffId, passwordHash: 'hash 2' })]))

  test('is refused when the password was changed while it was verified', () =>
    given(staffAccounts, [added, StaffPasswordChanged({ staffId, passwordHash: 'hash 2' })])
      .when('SignIn', signIn)
      .refused(401, 'Invalid credentials'))

  test('needs the second factor when it was enabled while the password was verified', () =>
    given(staffAccounts, withTotp).when('SignIn', signIn).refused(401, 'Second factor required'))

  test('uses up a newer step', () =>
    given(staffAccounts, withTotp)
      .when('SignIn', { ...signIn, factor: { step: 101 } })
      .then([StaffTotpUsed({ staffId, step: 101, staffSessionId })]))

  test.each([100, 99])('refuses step %i: not newer than the last one', (step) =>
    given(staffAccounts, withTotp)
      .when('SignIn', { ...signIn, factor: { step } })
      .refused(401, 'Invalid credentials'),
  )

  test('uses up a backup code', () =>
    given(staffAccounts, withTotp)
      .when('SignIn', { ...signIn, factor: { backupCode: 'code 1' } })
      .then([StaffBackupCodeUsed({ staffId, backupCode: 'code 1', left: 1, staffSessionId })]))

  test('refuses a backup code that was used', () =>
    given(staffAccounts, [...withTotp, StaffBackupCodeUsed({ staffId, backupCode: 'code 1', left: 1, staffSessionId })])
      .when('SignIn', { ...signIn, factor: { backupCode: 'code 1' } })
      .refused(401, 'Invalid credentials'))
})

describe('the password', () => {
  test('is changed by whoever has just proved it', () =>
    given(staffAccounts, [added])
      .when('ChangePassword', { verified: 'hash 1', passwordHash: 'hash 2' })
      .then([StaffPasswordChanged({ staffId, passwordHash: 'hash 2' })]))

  test('is not changed by whoever proved the one before', () =>
    given(staffAccounts, [added, StaffPasswordReset({ staffId, passwordHash: 'hash 2' })])
      .when('ChangePassword', { verified: 'hash 1', passwordHash: 'hash 3' })
      .refused(401, 'Invalid credentials'))

  test('a reset leaves the second factor as it is', () =>
    given(staffAccounts, [...withTotp, StaffPasswordReset({ staffId, passwordHash: 'hash 2' })])
      .when('SignIn', { ...signIn, verified: 'hash 2' })
      .refused(401, 'Second factor required'))
})

describe('the second factor', () => {
  const proved = { verified: 'hash 1', sessionId: staffSessionId }
  const enable = { ...proved, secret: 'secret', step: 100, backupCodes: ['code 1', 'code 2'] }
  const other = StaffTotpSetUp({ staffId, staffSessionId, secret: 'other' })

  test('is set up, and again with another secret', () =>
    given(staffAccounts, [added, setUp])
      .when('SetUpTotp', { ...proved, secret: 'other' })
      .then([other]))

  test('is not set up with a password that has changed since it was proved', () =>
    given(staffAccounts, [added, StaffPasswordChanged({ staffId, passwordHash: 'hash 2' })])
      .when('SetUpTotp', { ...proved, secret: 'secret' })
      .refused(401, 'Invalid credentials'))

  test('is enabled within ten minutes of its set-up', () =>
    given(staffAccounts, [added, setUp]).when('EnableTotp', enable, later(10)).then([enabled]))

  test('is not enabled after ten minutes', () =>
    given(staffAccounts, [added, setUp])
      .when('EnableTotp', enable, later(10.01))
      .refused(409, /Set up the second factor first/))

  test('is not enabled with the secret of an earlier set-up', () =>
    given(staffAccounts, [added, setUp, other])
      .when('EnableTotp', enable)
      .refused(409, /Set up the second factor first/))

  test('is not enabled with a password that has changed since it was proved', () =>
    given(staffAccounts, [added, setUp, StaffPasswordChanged({ staffId, passwordHash: 'hash 2' })])
      .when('EnableTotp', enable)
      .refused(401, 'Invalid credentials'))

  test.each([
    ['that another session set up', otherSessionId],
    ['that was set up before sessions were recorded with it', null],
  ])('is not enabled with a secret %s', (_what, setUpBy) =>
    given(staffAccounts, [added, StaffTotpSetUp({ staffId, staffSessionId: setUpBy, secret: 'secret' })])
      .when('EnableTotp', enable)
      .refused(409, /Set up the second factor first/),
  )

  test('is enabled once', () =>
    given(staffAccounts, withTotp)
      .when('EnableTotp', enable)
      .refused(409, /already enabled/))

  test('is not set up while enabled', () =>
    given(staffAccounts, withTotp)
      .when('SetUpTotp', { ...proved, secret: 'other' })
      .refused(409, /already enabled/))

  const disable = { verified: 'hash 1', step: 101, sessionId: staffSessionId }
  const disabled = StaffTotpDisabled({ staffId, step: 101, staffSessionId })

  test('is disabled with a step newer than the last one', () =>
    given(staffAccounts, withTotp).when('DisableTotp', disable).then([disabled]))

  test('is not disabled with a used step', () =>
    given(staffAccounts, withTotp)
      .when('DisableTotp', { ...disable, step: 100 })
      .refused(401, 'Invalid credentials'))

  test('a step stays used when the secret is another', () =>
    given(staffAccounts, [...withTotp, disabled, setUp])
      .when('EnableTotp', { ...enable, step: 101 })
      .refused(401, 'Invalid credentials'))

  const stepUp = { step: 101, sessionId: staffSessionId, provedPasswordAt: AT }

  test('a step-up uses a step up, too', () =>
    given(staffAccounts, withTotp)
      .when('StepUp', stepUp)
      .then([StaffTotpUsed({ staffId, step: 101, staffSessionId })]))

  test('a step-up needs one', () =>
    given(staffAccounts, [added])
      .when('StepUp', stepUp)
      .refused(409, /not enabled/))

  test('a step-up needs one that is not younger than the last password proof of the session', () => {
    const young = given(staffAccounts, [added, setUp, [enabled, later(1).at]])
    young.when('StepUp', stepUp).refused(403, /sign in again/)
    young.when('StepUp', { ...stepUp, provedPasswordAt: later(0.99).at }).refused(403, /sign in again/)
    young
      .when('StepUp', { ...stepUp, provedPasswordAt: later(1).at })
      .then([StaffTotpUsed({ staffId, step: 101, staffSessionId })])
  })

  test('a step-up by the password is for accounts without one', () => {
    given(staffAccounts, [added]).when('StepUpByPassword', { verified: 'hash 1' }).then([])
    given(staffAccounts, [added]).when('StepUpByPassword', { verified: 'hash 0' }).refused(401, 'Invalid credentials')
    given(staffAccounts, withTotp)
      .when('StepUpByPassword', { verified: 'hash 1' })
      .refused(409, /already enabled/)
  })
})
