import type { Break } from './breaks.ts'

const RULES = 'src/panel/projects/rights/decider.ts'
const ROSTER = 'src/panel/projects/roster/decider.ts'
const ENVIRONMENTS = 'src/panel/projects/environments/decider.ts'
const RIGHTS = 'src/panel/identity/rights.ts'
const ACCESS = 'src/panel/identity/project-access.ts'
const MEMBERSHIP = 'src/panel/membership.ts'
const ROUTES = 'src/panel/projects/routes.ts'
const MEMBERS = 'src/panel/projects/members/routes.ts'

const rules = 'test/panel/projects-rules.test.ts'
const http = 'test/panel/projects.test.ts'
const members = 'test/panel/projects-members.test.ts'
const environments = 'test/panel/projects-environments.test.ts'
const access = 'test/panel/projects-access.test.ts'
const mirror = 'test/panel/mirror.test.ts'
const races = 'test/panel/projects-races.test.ts'
const overtaken = 'test/panel/projects-overtaken.test.ts'

/** Projects of the panel, and who may what in them. */
export const panelProjectBreaks: readonly Break[] = [
  {
    promise: 'nobody gives what he does not hold',
    file: RULES,
    find: 'if (!covers(rights, assignmentOf(project, given, more)))',
    replace: 'if (false)',
    test: rules,
    named: 'whatever is asked in whatever order',
  },
  {
    promise: 'nobody gives beyond the environments that he holds it in',
    file: RIGHTS,
    find: 'const places = environmentIds ?? [null]',
    replace: 'const places = environmentIds?.slice(0, 1) ?? [null]',
    test: rules,
    named: 'an ADMIN of some environments',
  },
  {
    promise: 'an ADMIN is only made by an ADMIN of the whole project',
    file: RIGHTS,
    find: "if ((role === 'ADMIN' || role === 'OWNER') && !isProjectAdmin(rights)) return false",
    replace: '',
    test: rules,
    named: 'an ADMIN of some environments',
  },
  {
    promise: 'nobody changes his own role',
    file: RULES,
    find: 'if (found(project.members[memberId]).userId === by.userId)',
    replace: 'if (found(project.members[memberId]).userId === by.userId && false)',
    test: rules,
    named: 'whatever is asked in whatever order',
  },
  {
    promise: 'whoever has lost his rights since the gate let him in does nothing any more',
    file: RULES,
    find: 'if (rights.length === 0) found(undefined)',
    replace: 'if (rights.length === 0) return rights',
    test: rules,
    named: 'since the gate let him in',
  },
  {
    promise: 'the owner is not removed',
    file: RULES,
    find: "const member = found(project.members[memberId])\n  if (member.role === 'OWNER') ownerStays()",
    replace: 'const member = found(project.members[memberId])',
    test: members,
    named: 'the owner stays',
  },
  {
    promise: 'only its owner deletes a project or hands it over, even when the gate saw him as one',
    file: RULES,
    find: 'if (ownerOf(project)?.userId === userId) return project',
    replace: 'if (memberOf(project, userId)) return project',
    test: rules,
    named: 'whatever is asked in whatever order',
  },
  {
    promise: 'a project that has an owner is not claimed',
    file: 'src/panel/projects/members/decider.ts',
    find: "if (ownerOf(known)) reject('conflict', 'The project has an owner', 'OWNER_EXISTS')",
    replace: '',
    test: rules,
    named: 'claimed once',
  },
  {
    promise: 'as many projects as the license says',
    file: ROSTER,
    find: 'all.size >= projectsMax',
    replace: 'all.size > projectsMax',
    test: races,
    named: 'a hundred projects at once',
  },
  {
    promise: 'a quota counts what one owns',
    file: ROSTER,
    find: 'ownedBy(all, ownerId) >= ownedMax',
    replace: 'ownedBy(all, ownerId) > ownedMax',
    test: rules,
    named: 'a quota counts',
  },
  {
    promise: 'a project that goes makes room',
    file: ROUTES,
    find: "await unit.decide(projectRoster, undefined, 'Strike', { projectId })",
    replace: '',
    test: races,
    named: 'a hundred projects at once',
  },
  {
    promise: 'a project of another is like none',
    file: ACCESS,
    find: 'if (rights.length === 0) found(undefined)',
    replace: "if (rights.length === 0) reject('forbidden', 'Not yours')",
    test: mirror,
    named: 'GET /api/projects/:id: path.project of another',
  },
  {
    promise: 'who does not see a project is let into nothing of it',
    file: ACCESS,
    find: 'if (rights.length === 0) found(undefined)',
    replace: '',
    test: mirror,
    named: 'PATCH /api/projects/:id/roles/:roleId: ',
  },
  {
    promise: 'a role of another project is not in this one',
    file: 'src/panel/projects/roles/routes.ts',
    find: ".select('permissions')\n          .where('projectId', '=', id)",
    replace: ".select('permissions')",
    test: mirror,
    named: 'GET /api/projects/:id/roles/:roleId/grants: path.project, path.role of another',
  },
  {
    promise: 'a restricted role reaches nothing that concerns the whole project',
    file: RIGHTS,
    find: 'environmentIds === null || (environmentId !== null && environmentIds.includes(environmentId))',
    replace: 'environmentIds === null || environmentId === null || environmentIds.includes(environmentId)',
    test: members,
    named: 'a role in some environments',
  },
  {
    promise: 'roles are for an ADMIN of the project, at the gate',
    file: ACCESS,
    find: "if (!isProjectAdmin(rights)) reject('forbidden', 'Only for an ADMIN",
    replace: "if (false) reject('forbidden', 'Only for an ADMIN",
    test: 'test/panel/access.test.ts',
    named: 'DEVELOPER',
  },
  {
    promise: 'the platform makes nobody an owner',
    file: RIGHTS,
    find: "rights.some(({ role }) => role === 'OWNER')",
    replace: 'isProjectAdmin(rights)',
    test: access,
    named: 'of whoever manages projects reaches all of them',
  },
  {
    promise: 'a key reaches no project beyond those that it knows',
    file: ACCESS,
    find: 'if (only && !only.includes(projectId)) return []',
    replace: '',
    test: access,
    named: 'a key > may what its owner may',
  },
  {
    promise: 'a MACHINE key reaches no project that there is not',
    file: ACCESS,
    find: 'return isThere ? [...own, ...teams, ...platform] : []',
    replace: 'return [...own, ...teams, ...platform]',
    test: access,
    named: 'a key > of nobody',
  },
  {
    promise: 'an address that nobody has proven makes nobody a member',
    file: 'src/panel/newcomer.ts',
    find: 'return user?.isVerified ? userId : undefined',
    replace: 'return userId',
    test: members,
    named: 'an address that waits is a member once',
  },
  {
    promise: 'whoever proves an address is a member',
    file: MEMBERSHIP,
    find: "await unit.decide(projects, projectId, 'JoinMember', { memberId, userId })",
    replace: '',
    test: members,
    named: 'an address that waits is a member once',
  },
  {
    promise: 'the answer says nothing of whose an address is',
    file: MEMBERS,
    find: 'return { id: memberId, userId: body.userId ?? null,',
    replace: 'return { id: memberId, userId: whom.userId,',
    test: members,
    named: 'an address that nobody has',
  },
  {
    promise: 'an address that waits no longer cannot be read again',
    file: 'src/panel/projects/reactions.ts',
    find: "if (type === 'ProjectMemberJoined' || data.userId === null)",
    replace: "if (type === 'ProjectMemberJoined')",
    test: members,
    named: 'an address is never in clear',
  },
  {
    promise: 'what an erased account owned is nobody’s',
    file: MEMBERSHIP,
    find: "await unit.decide(projects, projectId, 'Forget', { userId })",
    replace: '',
    test: http,
    named: 'with its owner gone',
  },
  {
    promise: 'an environment with shared variables is not empty',
    file: ENVIRONMENTS,
    find: 'if (Object.values(variables).some((each) => each.environmentId === environmentId))',
    replace: 'if (false)',
    test: environments,
    named: 'is not empty',
  },
  {
    promise: 'values are masked for whoever lacks apps:env there',
    file: 'src/panel/projects/environments/routes.ts',
    find: "const masked = !holds(await rightsIn(read, caller, id), 'apps:env', place)",
    replace: "const masked = !holds(await rightsIn(read, caller, id), 'apps:view', place)",
    test: environments,
    named: 'values are masked',
  },
  {
    promise: 'a masked value sent back changes nothing',
    file: ENVIRONMENTS,
    find: 'before ? value === MASK || value === before.value',
    replace: 'before ? value === before.value',
    test: environments,
    named: 'values are masked',
  },
  {
    promise: 'a right that is lost while a change of the project is on its way changes nothing',
    file: 'src/panel/projects/decider.ts',
    find: "mustHold(rightsOf(known, ask.by), 'settings:manage')",
    replace: '',
    test: overtaken,
    named: 'PATCH > by a member who may no more than look meanwhile',
  },
  {
    promise: 'nor does one that is lost while secrets are on their way',
    file: ENVIRONMENTS,
    find: "if (environmentId !== null) found(environments[environmentId])\n      mustHold(rights, 'apps:env', environmentId)",
    replace: 'if (environmentId !== null) found(environments[environmentId])',
    test: overtaken,
    named: 'PUT shared-env of one > by a member who is removed meanwhile',
  },
  {
    promise: 'an environment that a role does not reach any more is like none',
    file: RULES,
    find: 'if (environmentId !== null && !seesEnvironment(rights, environmentId)) found(undefined)',
    replace: '',
    test: overtaken,
    named: 'an environment that somebody’s role does not reach any more',
  },
  {
    promise: 'a key that is revoked while its request is on its way writes nothing',
    file: MEMBERSHIP,
    find: 'if (!keys.some((key) => key.id === keyId && isActive(key, unit.at))) return invalidKey()',
    replace: '',
    test: overtaken,
    named: 'by an API key > that is revoked meanwhile',
  },
  {
    promise: 'no guess can be tried on what was written of an address that waits no longer',
    file: 'src/panel/projects/events.ts',
    find: 'emailKey: sealed(z.string().nullable()),',
    replace: 'emailKey: internal(z.string().nullable()),',
    test: members,
    named: 'an address is never in clear',
  },
]
