/** The rules of projects without a service: granting rights, owning, and the maximum number of projects. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventIn } from '#kernel/events/event'
import { Rejection } from '#kernel/lib/rejection'
import { platformRights } from '#panel/access/rights'
import { projects } from '#panel/projects/decider'
import { MASK, projectEnvironments } from '#panel/projects/environments/decider'
import { projectEnvironmentEvents } from '#panel/projects/environments/events'
import { projectEvents } from '#panel/projects/events'
import { projectMemberships, projectRoster } from '#panel/projects/roster/decider'
import { projectRosterEvents } from '#panel/projects/roster/events'
import { given } from '#test/support/decider-spec'

const idOf = (kind: string, nth: number) => `0189${kind}-0000-7000-8000-${String(nth).padStart(12, '0')}`
const projectId = idOf('0000', 1)
const [owner, other, third] = [1, 2, 3].map((nth) => idOf('aaaa', nth)) as [string, string, string]
const memberIdOf = (userId: string) => userId.replace('0189aaaa', '0189bbbb')
const teamId = idOf('cccc', 1)
const by = (userId: string, more: object = {}) => ({ userId, teamIds: [], platform: undefined, ...more })

const rights = platformRights('ADMIN')

const claiming = (userId: string) => ({ by: by(userId, { platform: 'ADMIN' }), memberId: memberIdOf(userId) })

const created = projectEvents.ProjectCreated({
  projectId,
  name: 'Shop',
  description: null,
  ownerId: owner,
  memberId: memberIdOf(owner),
})
const nobody = projectEvents.ProjectCreated({
  projectId,
  name: 'Shop',
  description: null,
  ownerId: null,
  memberId: null,
})
const everywhere = { roleId: null, environmentIds: null }

const added = (userId: string, role: 'ADMIN' | 'DEVELOPER' | 'VIEWER', environmentIds: string[] | null = null) =>
  projectEvents.ProjectMemberAdded({
    projectId,
    memberId: memberIdOf(userId),
    userId,
    emailKey: null,
    email: null,
    role,
    roleId: null,
    environmentIds,
  })
const newcomer = { memberId: memberIdOf(third), userId: third, invited: null, ...everywhere }

describe('members', () => {
  test('a team’s role counts as one’s own for what one may give', () => {
    const team = projectEvents.ProjectTeamAdded({ projectId, teamId, role: 'ADMIN', ...everywhere })
    const rules = given(projects, [created, added(other, 'VIEWER'), team])
    const ask = { ...newcomer, role: 'ADMIN' as const }
    rules.when('AddMember', { ...ask, by: by(other) }).refused(403, /members:manage/)
    expect(rules.when('AddMember', { ...ask, by: by(other, { teamIds: [teamId] }) }).events()).toHaveLength(1)
  })

  test('an ADMIN of some environments gives no ADMIN, and nothing beyond them', () => {
    const [staging, live, roleId] = [idOf('dddd', 1), idOf('dddd', 2), idOf('5555', 1)]
    const managing = projectEvents.ProjectRoleCreated({
      projectId,
      roleId,
      name: 'Managing',
      permissions: ['members:manage'],
    })
    const team = projectEvents.ProjectTeamAdded({ projectId, teamId, role: 'CUSTOM', roleId, environmentIds: null })
    const rules = given(projects, [created, managing, team, added(other, 'ADMIN', [staging])])
    const give = (role: 'ADMIN' | 'VIEWER', environmentIds: string[] | null) =>
      rules.when('AddMember', { ...newcomer, role, environmentIds, by: by(other, { teamIds: [teamId] }) })
    give('ADMIN', [staging]).refused(403, /do not hold/)
    give('VIEWER', null).refused(403, /do not hold/)
    give('VIEWER', [staging, live]).refused(403, /do not hold/)
    expect(give('VIEWER', [staging]).events()).toHaveLength(1)
  })

  test('whoever has lost his rights since the gate let him in does nothing any more', () => {
    const ask = { roleId: idOf('5555', 1), name: 'Mine', permissions: [], by: by(other) }
    given(projects, [created]).when('CreateRole', ask).refused(404, 'Not found')
    given(projects, [created, added(other, 'VIEWER')])
      .when('CreateRole', ask)
      .refused(403, /members:manage/)
    const role = projectEvents.ProjectRoleCreated({ projectId, roleId: ask.roleId, name: 'Theirs', permissions: [] })
    for (const command of ['RenameRole', 'GrantRole', 'DeleteRole'] as const)
      given(projects, [created, role, added(other, 'VIEWER')])
        .when(command, ask)
        .refused(403, /members:manage/)
    const remove = { memberId: memberIdOf(third), by: by(other) }
    given(projects, [created, added(third, 'VIEWER')])
      .when('RemoveMember', remove)
      .refused(404, 'Not found')
  })

  test('members are as many as the quota says, those among them who are awaited', () => {
    const rules = given(projects, [
      created,
      { ...added(other, 'VIEWER'), data: { ...added(other, 'VIEWER').data, userId: null, emailKey: 'k', email: 'e' } },
    ])
    const add = (membersMax?: number) =>
      rules.when('AddMember', { ...newcomer, role: 'VIEWER', membersMax, by: by(owner) })
    add(2).refused(409, 'The quota of this project allows 2 members: remove one first')
    expect(add(3).events()).toHaveLength(1)
    expect(add().events()).toHaveLength(1)
  })

  test('of what is not a project nothing is decided', () => {
    for (const [command, ask] of [
      ['ChangeProject', { by: by(owner) }],
      ['DeleteProject', { by: by(owner) }],
      ['ClaimOwnership', { by: by(owner), memberId: memberIdOf(owner) }],
    ] as const)
      given(projects).when(command, ask).refused(404, 'Not found')
  })

  test('whoever was made by nobody is claimed once', () => {
    const claimed = given(projects, [nobody]).when('ClaimOwnership', claiming(owner)).events()
    given(projects, [nobody, ...claimed])
      .when('ClaimOwnership', claiming(other))
      .refused(409, 'The project already has an owner')
  })

  test('a member who claims keeps his membership and loses his former role', () => {
    const events = [nobody, added(other, 'VIEWER')]
    const claimed = given(projects, events)
      .when('ClaimOwnership', { ...claiming(other), memberId: idOf('eeee', 1) })
      .events()
    const state = given(projects, [...events, ...claimed]).state as { members: Record<string, { role: string }> }
    expect(Object.values(state.members).map(({ role }) => role)).toEqual(['OWNER'])
  })
})

describe('how many', () => {
  const enrolled = (nth: number, ownerId: string | null) =>
    projectRosterEvents.ProjectEnrolled({ projectId: idOf('0000', nth), ownerId })
  const ask = { projectId: idOf('0000', 9), ownerId: owner, plan: 'free' }

  test('projects are as many as the license says, and its refusal names limit and plan', () => {
    const rules = given(projectRoster, [enrolled(1, owner), enrolled(2, null)])
    rules
      .when('Enrol', { ...ask, projectsMax: 2 })
      .refused(402, 'The plan free allows 2 projects: upgrade it or delete a project')
    rules
      .when('Enrol', { ...ask, projectsMax: 3 })
      .then([projectRosterEvents.ProjectEnrolled({ projectId: ask.projectId, ownerId: owner })])
    expect(rules.when('Enrol', ask).events()).toHaveLength(1)
  })

  test('a quota counts what one owns, whether it was created or handed over', () => {
    const rules = given(projectRoster, [enrolled(1, owner), enrolled(2, other)])
    rules.when('Enrol', { ...ask, ownedMax: 1 }).refused(409, /^The quota/)
    rules.when('ChangeOwner', { projectId: idOf('0000', 2), ownerId: owner, ownedMax: 1 }).refused(409, /^The quota/)
    expect(rules.when('ChangeOwner', { projectId: idOf('0000', 2), ownerId: null, ownedMax: 0 }).events()).toHaveLength(
      1,
    )
    expect(rules.when('Enrol', { ...ask, ownerId: third, ownedMax: 1 }).events()).toHaveLength(1)
  })

  test('a membership is noted once and no longer noted once', () => {
    const place = { projectId, memberId: memberIdOf(owner) }
    const noted = given(projectMemberships).when('Enter', place).events()
    given(projectMemberships, noted).when('Enter', place).then([])
    given(projectMemberships, noted)
      .when('Exit', { ...place, memberId: memberIdOf(other) })
      .then([])
    expect(given(projectMemberships, noted).when('Exit', place).events()).toHaveLength(1)
  })

  test('environments are as many as the quota says', () => {
    const environment = { projectId, environmentId: idOf('dddd', 1), name: 'live' }
    const next = { projectId, environmentId: idOf('dddd', 2), name: 'staging' }
    const rules = given(projectEnvironments, [projectEnvironmentEvents.ProjectEnvironmentAdded(environment)])
    rules.when('AddEnvironment', { ...next, rights, environmentsMax: 1 }).refused(409, /^The quota/)
    rules
      .when('AddEnvironment', { ...next, rights, environmentsMax: 2 })
      .then([projectEnvironmentEvents.ProjectEnvironmentAdded(next)])
  })

  test('what is set to what it is already is not set again, and still leaves an entry', () => {
    const set = { projectId, variableId: idOf('ffff', 1), environmentId: null, name: 'A', value: '1' }
    const rules = given(projectEnvironments, [projectEnvironmentEvents.ProjectVariableSet(set)])
    const none = projectEnvironmentEvents.ProjectSharedEnvWritten({
      projectId,
      environmentId: null,
      set: 0,
      removed: 0,
    })
    for (const value of ['1', MASK]) {
      const variables = [{ variableId: idOf('ffff', 2), name: 'A', value }]
      rules.when('WriteSharedEnv', { projectId, environmentId: null, variables, rights }).then([none])
    }
  })
})

/** The contract's text about the roles, written out independently. */
const VIEWS = ['apps:view', 'databases:view', 'domains:view', 'backups:view', 'deployments:view']
const DEVELOPER = [
  VIEWS,
  ['apps:create', 'apps:delete', 'apps:deploy', 'apps:restart', 'apps:env', 'apps:logs'],
  ['databases:create', 'databases:manage', 'domains:manage', 'backups:create'],
].flat()
const ALL = [
  DEVELOPER,
  ['databases:delete', 'domains:delete', 'backups:restore', 'backups:delete'],
  ['members:manage', 'environments:manage', 'settings:manage'],
].flat()
/** Rights beyond the permissions: those of an ADMIN and an OWNER. */
const BUILT_IN: Readonly<Record<string, readonly string[]>> = {
  OWNER: [...ALL, 'is ADMIN'],
  ADMIN: [...ALL, 'is ADMIN'],
  DEVELOPER,
  VIEWER: VIEWS,
}

/** A simple model of a project. */
class Paper {
  readonly people = new Map<string, { role: string; roleId: string | null; more: readonly string[] }>()
  readonly roles = new Map<string, readonly string[]>()

  holds(userId: string): string[] {
    const is = this.people.get(userId)
    if (!is) return []
    return [...(is.roleId === null ? BUILT_IN[is.role]! : this.roles.get(is.roleId)!), ...is.more]
  }

  get owners(): string[] {
    return [...this.people].filter(([, { role }]) => role === 'OWNER').map(([userId]) => userId)
  }
}

const user = fc.integer({ min: 1, max: 5 }).map((nth) => idOf('aaaa', nth))
/** Actors with rights are chosen more often. */
const actor = fc.constantFrom(1, 1, 1, 2, 2, 3, 3, 3, 4, 5).map((nth) => idOf('aaaa', nth))
const role = fc.constantFrom('ADMIN' as const, 'DEVELOPER' as const, 'VIEWER' as const)
const custom = fc.integer({ min: 1, max: 2 }).map((nth) => idOf('5555', nth))
const granted = fc.uniqueArray(fc.constantFrom(...ALL), { maxLength: 4 })
const step = fc.oneof(
  fc.record({ does: fc.constant('add' as const), who: actor, whom: user, role }),
  fc.record({ does: fc.constant('addCustom' as const), who: actor, whom: user, roleId: custom }),
  fc.record({ does: fc.constant('change' as const), who: actor, whom: user, role }),
  fc.record({ does: fc.constant('custom' as const), who: actor, whom: user, roleId: custom }),
  fc.record({ does: fc.constant('grant' as const), who: actor, whom: user, granted }),
  fc.record({ does: fc.constant('remove' as const), who: actor, whom: user }),
  fc.record({ does: fc.constantFrom('leave' as const, 'forget' as const), who: user }),
  fc.record({ does: fc.constant('transfer' as const), who: actor, whom: user }),
  fc.record({ does: fc.constant('claim' as const), who: actor }),
  fc.record({ does: fc.constant('createRole' as const), who: actor, roleId: custom, granted }),
  fc.record({ does: fc.constant('grantRole' as const), who: actor, roleId: custom, granted }),
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** Calls the rules as the routes do; @throws Rejection */
function asked(rules: ReturnType<typeof given<typeof projects>>, one: Step) {
  const acting = by(one.who)
  const memberId = 'whom' in one ? memberIdOf(one.whom) : memberIdOf(one.who)
  switch (one.does) {
    case 'add':
      return rules.when('AddMember', {
        memberId,
        userId: one.whom,
        invited: null,
        ...everywhere,
        role: one.role,
        by: acting,
      })
    case 'addCustom': {
      const as = { role: 'CUSTOM' as const, roleId: one.roleId, environmentIds: null }
      return rules.when('AddMember', { memberId, userId: one.whom, invited: null, ...as, by: acting })
    }
    case 'change':
      return rules.when('ChangeMember', { memberId, role: one.role, by: acting })
    case 'custom':
      return rules.when('SetCustomRole', { memberId, roleId: one.roleId, by: acting })
    case 'grant':
      return rules.when('GrantMember', { memberId, permissions: one.granted, by: acting })
    case 'remove':
      return rules.when('RemoveMember', { memberId, by: acting })
    case 'leave':
      return rules.when('Leave', { userId: one.who })
    case 'forget':
      return rules.when('Forget', { userId: one.who })
    case 'transfer':
      return rules.when('TransferOwnership', { memberId, by: acting })
    case 'claim':
      return rules.when('ClaimOwnership', claiming(one.who))
    case 'createRole':
      return rules.when('CreateRole', { roleId: one.roleId, name: one.roleId, permissions: one.granted, by: acting })
    default:
      return rules.when('GrantRole', { roleId: one.roleId, permissions: one.granted, by: acting })
  }
}

/** Applies a step to the model. */
function written({ people, roles }: Paper, one: Step): void {
  const is = 'whom' in one ? people.get(one.whom) : undefined
  if (one.does === 'add') people.set(one.whom, { role: one.role, roleId: null, more: [] })
  if (one.does === 'addCustom') people.set(one.whom, { role: 'CUSTOM', roleId: one.roleId, more: [] })
  if (one.does === 'change') people.set(one.whom, { ...is!, role: one.role, roleId: null })
  if (one.does === 'custom') people.set(one.whom, { ...is!, role: 'CUSTOM', roleId: one.roleId })
  if (one.does === 'grant') people.set(one.whom, { ...is!, more: one.granted })
  if (one.does === 'remove') people.delete(one.whom)
  if (one.does === 'leave' || one.does === 'forget') people.delete(one.who)
  if (one.does === 'transfer') people.set(one.who, { role: 'ADMIN', roleId: null, more: [] })
  if (one.does === 'transfer') people.set(one.whom, { role: 'OWNER', roleId: null, more: [] })
  if (one.does === 'claim') people.set(one.who, { role: 'OWNER', roleId: null, more: [] })
  if (one.does === 'createRole' || one.does === 'grantRole') roles.set(one.roleId, one.granted)
}

const BY_THE_OWNER_OR_NOBODY = new Set(['transfer', 'claim', 'leave', 'forget'])

test('whatever is asked in whatever order: one owner or none, and nobody gives what he does not hold', () => {
  let done = 0
  const managing = idOf('5555', 1)
  const role = projectEvents.ProjectRoleCreated({
    projectId,
    roleId: managing,
    name: 'M',
    permissions: ['members:manage', 'apps:view'],
  })
  const manager = projectEvents.ProjectMemberAdded({ ...added(third, 'VIEWER').data, role: 'CUSTOM', roleId: managing })
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 40, size: 'max' }), (steps) => {
      const paper = new Paper()
      paper.people.set(owner, { role: 'OWNER', roleId: null, more: [] })
      paper.people.set(other, { role: 'ADMIN', roleId: null, more: [] })
      paper.people.set(third, { role: 'CUSTOM', roleId: managing, more: [] })
      paper.roles.set(managing, ['members:manage', 'apps:view'])
      let events: readonly EventIn<typeof projectEvents>[] = [created, role, added(other, 'ADMIN'), manager]
      for (const one of steps) {
        const rules = given(projects, events)
        let happened: typeof events
        try {
          happened = asked(rules, one).events()
        } catch (error) {
          if (!(error instanceof Rejection)) throw error
          continue
        }
        if (happened.length === 0) continue
        done += 1
        const everybody = [1, 2, 3, 4, 5].map((nth) => idOf('aaaa', nth))
        const before = new Map(everybody.map((userId) => [userId, paper.holds(userId)]))
        const [ownersBefore, present] = [paper.owners, paper.people.has(one.who)]
        written(paper, one)
        events = [...events, ...happened]
        expect(paper.owners.length, 'one owner or none').toBeLessThanOrEqual(1)
        if (one.does !== 'forget') expect(paper.owners.length).toBeGreaterThanOrEqual(ownersBefore.length)
        if (!BY_THE_OWNER_OR_NOBODY.has(one.does)) {
          const own = before.get(one.who)!
          for (const userId of everybody) {
            const gained = paper.holds(userId).filter((each) => !before.get(userId)!.includes(each))
            expect(
              gained.filter((each) => !own.includes(each)),
              `${one.does} gives what he holds`,
            ).toEqual([])
          }
          if (one.does !== 'remove') expect(paper.holds(one.who), 'nobody changes his own rights').toEqual(own)
        }
        if (one.does === 'transfer') expect(ownersBefore).toEqual([one.who])
        if (one.does === 'claim') expect(ownersBefore).toEqual([])
        if (!present) expect(['claim'], 'a stranger does nothing').toContain(one.does)
        const { members } = given(projects, events).state as {
          members: Record<string, { userId: string; role: string }>
        }
        const roles = Object.values(members).map(({ userId, role }) => `${userId} ${role}`)
        expect(roles.toSorted()).toEqual([...paper.people].map(([userId, { role }]) => `${userId} ${role}`).toSorted())
      }
    }),
    { numRuns: 400 },
  )
  expect(done, 'the rules let enough be done to be looked at').toBeGreaterThan(1_000)
})
