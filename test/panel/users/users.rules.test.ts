/** Which account may change which: the rules, role by role. users/hierarchy.test.ts tests each path. */
import { describe, expect, test } from 'vitest'
import type { StateOf } from '#kernel/events/decider'
import { isAbove, PLATFORM_ROLES } from '#panel/access/permissions'
import type { PlatformRole } from '#panel/access/permissions'
import { userRoster, users } from '#panel/users/decider'
import { userEvents, userRosterEvents } from '#panel/users/events'
import { AT, given } from '#test/support/decider-spec'

const BY = '01890000-0000-7000-8000-000000000001'
const ID = '01890000-0000-7000-8000-000000000002'
const idOf = (nth: number): string => `01890000-0000-7000-8000-${String(nth).padStart(12, '0')}`
const account = (role: PlatformRole, status: 'ACTIVE' | 'PENDING_VERIFICATION' = 'ACTIVE') =>
  userEvents.UserAdded({ userId: ID, email: 'a@b.test', emailKey: 'key', name: null, role, status, passwordHash: null })

describe.each(PLATFORM_ROLES)('of a %s', (role) => {
  const known = given(users, [account(role)])
  const refusedTo = (by: PlatformRole) => !(by === 'SUPERADMIN' || (by === 'ADMIN' && role === 'USER'))

  test.each(PLATFORM_ROLES)('nothing is changed by a %s who does not stand above him', (byRole) => {
    const by = { id: BY, role: byRole }
    const link = { userLinkId: ID, purpose: 'RESET', linkHash: 'hash', mailed: true } as const
    const decisions = [
      known.when('ChangeUser', { by, name: 'Other' }),
      known.when('ChangeUser', { by, status: 'SUSPENDED' }),
      known.when('SetAvatar', { by, id: ID, type: 'image/png', sha256: 'hash' }),
      known.when('Erase', { by }),
      known.when('MakeLinkFor', { by, ...link }),
    ]
    for (const decision of decisions)
      if (refusedTo(byRole)) decision.refused(403, /Only a SUPERADMIN/)
      else expect(decision.events()).toHaveLength(1)
  })

  test.each(PLATFORM_ROLES)('the role is given and taken by a SUPERADMIN alone, not by a %s', (byRole) => {
    const by = { id: BY, role: byRole }
    for (const wanted of PLATFORM_ROLES) {
      const decision = known.when('ChangeUser', { by, role: wanted })
      const isGiven = byRole === 'SUPERADMIN' || (byRole === 'ADMIN' && role === 'USER' && wanted === 'USER')
      if (isGiven) expect(decision.events()).toHaveLength(1)
      else decision.refused(403, /Only a SUPERADMIN/)
      const invited = given(users).when('InviteUser', { by, ...account(wanted).data })
      if (isAbove(byRole, wanted)) expect(invited.events()).toHaveLength(1)
      else invited.refused(403, /Only a SUPERADMIN/)
    }
  })

  test('nobody changes his own role or status, nor has a link made for himself', () => {
    const by = { id: ID, role }
    known.when('ChangeUser', { by, role: 'SUPERADMIN' }).refused(403, /own account/)
    known.when('ChangeUser', { by, role }).refused(403, /own account/)
    known.when('ChangeUser', { by, status: 'ACTIVE' }).refused(403, /own account/)
    const link = { userLinkId: ID, purpose: 'RESET', linkHash: 'hash', mailed: true } as const
    known.when('MakeLinkFor', { by, ...link }).refused(403, /own account/)
  })
})

test('one account more or less copies little of what is known of all others', () => {
  const enrolled = (nth: number) => userRosterEvents.UserEnrolled({ userId: idOf(nth), role: 'USER', isActive: true })
  const before: StateOf<typeof userRoster> = given(
    userRoster,
    Array.from({ length: 200 }, (_each, nth) => enrolled(nth)),
  ).state
  for (const event of [enrolled(200), userRosterEvents.UserLeft({ userId: idOf(0) })]) {
    const { all } = userRoster.evolve(before, event, AT)
    expect(Math.abs(all.size - before.all.size)).toBe(1)
    expect(all.buckets.filter((bucket, place) => bucket !== before.all.buckets[place])).toHaveLength(1)
  }
})

test('who never opened a link to his address does not become active by a suspension', () => {
  const by = { id: BY, role: 'SUPERADMIN' } as const
  const pending = given(users, [account('USER', 'PENDING_VERIFICATION')])
  pending.when('ChangeUser', { by, status: 'ACTIVE' }).refused(409, /not been verified by the mailed link/)
  const suspended = given(users, [
    account('USER', 'PENDING_VERIFICATION'),
    ...pending.when('ChangeUser', { by, status: 'SUSPENDED' }).events(),
  ])
  const [back] = suspended.when('ChangeUser', { by, status: 'ACTIVE' }).events()
  expect(back!.data).toMatchObject({ status: 'PENDING_VERIFICATION' })
})

test.each([
  ['shown to somebody who stood above the role of before, is void', false],
  ['mailed to the person, stays good', true],
])('a link of before a change of role that was %s', (_what, mailed) => {
  const made = { userId: ID, userLinkId: ID, purpose: 'INVITE', linkHash: 'hash', mailed } as const
  const expiresAt = '2099-01-01T00:00:00.000Z'
  const raised = [
    userEvents.UserLinkMade({ ...made, expiresAt }),
    userEvents.UserRoleChanged({ userId: ID, role: 'ADMIN' }),
  ]
  const decision = given(users, [account('USER', 'PENDING_VERIFICATION'), ...raised]).when('SetPasswordByLink', {
    linkHash: 'hash',
    passwordHash: 'hashed',
  })
  if (mailed) expect(decision.events()).toHaveLength(3)
  else decision.refused(400, /invalid or has expired/)
})
