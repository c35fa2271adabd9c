import type { Break } from './breaks.ts'

const RULES = 'src/panel/users/decider.ts'
const ACCOUNTS = 'src/panel/access/accounts.ts'
const TABLES = 'projections/panel/users.ts'

const rules = 'test/panel/users/rules.test.ts'
const hierarchy = 'test/panel/users/hierarchy.test.ts'
const http = 'test/panel/users/users.test.ts'
const roles = 'test/panel/roles/roles.test.ts'
const avatars = 'test/panel/users/avatars.test.ts'
const erasure = 'test/panel/users/erasure.test.ts'
const paging = 'test/panel/service/paging.test.ts'

/** Accounts of the panel, what administrators are granted, and the shape of lists. */
export const panelUserBreaks: readonly Break[] = [
  {
    promise: 'an ADMIN changes no ADMIN and no SUPERADMIN',
    file: RULES,
    find: 'return known.id === by.id || isAbove(by.role, known.role) ? known : rejectHierarchy()',
    replace: 'return known',
    test: hierarchy,
    named: 'no path lets an ADMIN change',
  },
  {
    promise: 'only a SUPERADMIN gives a role',
    file: RULES,
    find: "if (by.role !== 'SUPERADMIN' && role !== user.role) rejectHierarchy()",
    replace: '',
    test: hierarchy,
    named: 'no path lets an ADMIN make',
  },
  {
    promise: 'only a SUPERADMIN makes accounts of administrators',
    file: RULES,
    find: 'if (!isAbove(by.role, ask.role)) rejectHierarchy()',
    replace: '',
    test: rules,
    named: 'of a USER > the role is given and taken by a SUPERADMIN alone, not by a ADMIN',
  },
  {
    promise: 'whoever was shown the link of an account does not come into what it is raised to',
    file: RULES,
    find: '      links: user!.links.filter(({ mailed }) => mailed),\n',
    replace: '',
    test: 'test/panel/users/links.test.ts',
    named: 'does not lead into what the account has become since',
  },
  {
    promise: 'one more account copies little of what is known of all others, or a panel of many would stand still',
    file: 'src/kernel/lib/persistent-map.ts',
    find: 'return hash & (BUCKETS - 1)',
    replace: 'return 0',
    test: 'test/kernel/lib/wide-map.test.ts',
    named: 'the next one copies little',
  },
  {
    promise: 'nobody changes his own role or status',
    file: RULES,
    find: "if (id === by.id) reject('forbidden'",
    replace: "if (id === by.role) reject('forbidden'",
    test: rules,
    named: 'of a SUPERADMIN > nobody changes his own role or status',
  },
  {
    promise: 'the last active SUPERADMIN stays, under races too',
    file: RULES,
    find: 'if (ruling.includes(userId) && ruling.length === 1)',
    replace: 'if (ruling.includes(userId) && ruling.length === 0)',
    test: hierarchy,
    named: 'the last active SUPERADMIN stays',
  },
  {
    promise: 'an address that nobody proved is not active after a suspension',
    file: RULES,
    find: "if (wanted !== 'ACTIVE' || isVerified) return wanted",
    replace: "if (wanted !== 'ACTIVE' || isVerified || status !== 'PENDING_VERIFICATION') return wanted",
    test: rules,
    named: 'who never opened a link',
  },
  {
    promise: 'the role that counts is the one at that moment',
    file: ACCOUNTS,
    find: "return user?.status === 'ACTIVE' ? user : invalidSession()",
    replace: "return user?.status === 'ACTIVE' ? { id: user.id, role: userCallerOf(caller).role } : invalidSession()",
    test: hierarchy,
    named: 'whoever acts has the role',
  },
  {
    promise: 'a changed role ends the sessions',
    file: ACCOUNTS,
    find: "await endUserSessions(unit, userId, role === before.role ? 'SUSPENDED' : 'ROLE_CHANGED')",
    replace: '',
    test: http,
    named: 'a changed role or status ends the sessions',
  },
  {
    promise: 'accounts that administrators make are counted against the license',
    file: ACCOUNTS,
    find: 'isActive: false, plan, usersMax }',
    replace: 'isActive: false, plan, usersMax: usersMax && undefined }',
    test: http,
    named: 'accounts are made up to what the license allows',
  },
  {
    promise: 'an administrator holds what his admin role gives him',
    file: 'src/panel/access/user-caller.ts',
    find: '...(session.rolePermissions ?? [])',
    replace: '',
    test: roles,
    named: 'an administrator holds what he is granted',
  },
  {
    promise: 'a deleted admin role takes its permissions away',
    file: 'src/kernel/resource/resource-table.ts',
    find: 'rows.remove(where(idIn(data)))',
    replace: 'rows.update(where(idIn(data)), {})',
    test: roles,
    named: 'a deleted role takes its permissions away',
  },
  {
    promise: 'what an ADMIN was granted goes with the role',
    file: TABLES,
    find: "role === 'ADMIN' ? { role } : { role, permissions: [], adminRoleId: null }",
    replace: '{ role }',
    test: roles,
    named: 'who is made an administrator again',
  },
  {
    promise: 'a photo is a picture by its content',
    file: 'src/panel/users/avatars.ts',
    find: "imageOf(bytes)?.type ?? reject('invalid', 'The body is not a PNG, JPEG or WebP image', 'NOT_AN_IMAGE')",
    replace: "imageOf(bytes)?.type ?? 'image/png'",
    test: avatars,
    named: 'SVG is not taken',
  },
  {
    promise: 'photos that are replaced are kept no longer, and none that is shown goes with them',
    file: 'src/panel/users/avatars.ts',
    find: 'if (before) await telemetry.query(DROP, [before.id])',
    replace: 'if (before) await telemetry.query(FORGET, [userId])',
    test: avatars,
    named: 'a newer photo takes the place',
  },
  {
    promise: 'keys of the erased are destroyed by whoever is there',
    file: TABLES,
    find: 'rows.flatMap(({ id }) => erasedSubjects(id)) : undestroyedKeyAddresses(read)',
    replace: 'rows.flatMap(() => []) : undestroyedKeyAddresses(read)',
    test: erasure,
    named: 'an erasure whose process did not live',
  },
  {
    promise: 'API keys end with their owner, and where they called from is nobody’s to know',
    file: 'src/panel/workflows/erase-account.ts',
    find: 'await revokeKeysOf(unit, userId)',
    replace: '',
    test: erasure,
    named: 'his API keys end with him',
  },
  {
    promise: 'by what an address was known is sealed like the address',
    file: 'src/panel/users/events.ts',
    find: 'const emailKey = sealed(z.string())',
    replace: 'const emailKey = internal(z.string())',
    test: erasure,
    named: 'what he was stays nowhere',
  },
  {
    promise: 'page and pageSize come together',
    file: 'src/kernel/resource/array-lists.ts',
    find: '(page === undefined) === (pageSize === undefined)',
    replace: 'page !== pageSize || page === undefined',
    test: paging,
    named: 'is no page',
  },
  {
    promise: 'a list that is cut says where it goes on',
    file: 'src/kernel/resource/array-lists.ts',
    find: 'before + pageSize < total ? { Link: nextPageLink(asked) } : {}',
    replace: 'before + pageSize > total ? { Link: nextPageLink(asked) } : {}',
    test: paging,
    named: 'an array is cut after a thousand',
  },
]
