/**
 * Input that is refused when an object is created is also refused by every route that changes it, and none of
 * it is written (A3).
 */
import { expect, test } from 'vitest'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { Reply, TestUser } from '../../support/panel/service.ts'

const panel = await startPanel({ compareReadModels: false })
await panel.licensed()
const floor = projectFixture(panel)
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

const [root, owner] = [await panel.somebody('SUPERADMIN'), await panel.somebody()]
const admin = await panel.somebody('ADMIN', ['users:view', 'users:manage'])
const user = await panel.somebody()
const projectId = await floor.project(owner)
const roleId = await floor.role(owner, projectId, ['apps:view'])
const envId = await floor.environment(owner, projectId, 'live')
const member = await floor.member(owner, projectId, { role: 'VIEWER' })
const someone = await panel.somebody()
const teamId = await made(owner, '/api/teams', { name: 'Team' })
const adminRoleId = await made(root, '/api/admin/roles', { name: 'Auditors', permissions: ['audit:view'] })

async function made(who: TestUser, path: string, body: object): Promise<string> {
  return ok(await panel.call('POST', path, { as: who.as, body }), 201).id
}

type Way = (body: object) => Promise<Reply>
const by =
  (who: TestUser, line: string, always: object = {}): Way =>
  (body) => {
    const [method = '', path = ''] = line.split(' ')
    return panel.call(method, path, { as: who.as, body: { ...always, ...body } })
  }

const inProject = `/api/projects/${projectId}`
const BAD_NAMES = ['', ' ', '\u0000', 'a\u0000b', 'x'.repeat(1_000), '\ud800', 7, {}, ['a']].map((name) => ({ name }))
/** Fields that can be read, and that no caller may write. */
const OTHERS_TO_SAY = [
  'id',
  'createdAt',
  'updatedAt',
  'ownerId',
  'projectId',
  'status',
  'emailVerified',
  'isVerified',
  'email',
  '__proto__',
]
const assigned = (good: object, ...but: string[]): object[] =>
  OTHERS_TO_SAY.filter((field) => !but.includes(field)).map((field) => ({ ...good, [field]: UNKNOWN_ID }))

/** The ways to write one kind of object, and the input that none of them accepts. */
const FAMILIES: readonly [what: string, ways: readonly Way[], never: readonly object[]][] = [
  [
    'a project',
    [by(owner, 'POST /api/projects'), by(owner, `PATCH ${inProject}`)],
    [
      ...BAD_NAMES,
      ...assigned({ name: 'Good' }),
      { name: 'Good', description: 7 },
      { name: 'Good', description: 'x'.repeat(60_000) },
    ],
  ],
  [
    'a team',
    [
      by(owner, 'POST /api/teams'),
      by(owner, `PATCH /api/teams/${teamId}`),
      by(root, `PATCH /api/admin/teams/${teamId}`),
    ],
    [...BAD_NAMES, ...assigned({ name: 'Good' }), { name: 'Good', colour: 'url(http://evil.test)' }],
  ],
  [
    'an environment',
    [by(owner, `POST ${inProject}/environments`), by(owner, `PATCH ${inProject}/environments/${envId}`)],
    [...BAD_NAMES, ...assigned({ name: 'good' }), { name: 'live', type: 'other' }],
  ],
  [
    'what a role is called',
    [by(owner, `POST ${inProject}/roles`), by(owner, `PATCH ${inProject}/roles/${roleId}`)],
    [...BAD_NAMES, ...assigned({ name: 'Good' })],
  ],
  [
    'what a role or a member is granted',
    [
      by(owner, `POST ${inProject}/roles`, { name: 'Another' }),
      by(owner, `PUT ${inProject}/roles/${roleId}/grants`),
      by(owner, `PUT ${inProject}/members/${member.memberId}/grants`),
    ],
    [
      ['nonsense'],
      ['*'],
      ['apps:*'],
      ['roles:manage'],
      ['APPS:VIEW'],
      ['users:view'],
      ['__proto__'],
      [7],
      'apps:view',
      {},
    ].map((permissions) => ({ permissions })),
  ],
  [
    'the role of a member',
    [
      by(owner, `POST ${inProject}/members`, { userId: someone.id }),
      by(owner, `PATCH ${inProject}/members/${member.memberId}`),
    ],
    [
      ...['OWNER', 'SUPERADMIN', 'admin', '', null].map((role) => ({ role })),
      { role: 'VIEWER', environmentIds: [UNKNOWN_ID] },
    ],
  ],
  [
    'what administrators of a role may',
    [
      by(root, 'POST /api/admin/roles', { name: 'More' }),
      by(root, `PATCH /api/admin/roles/${adminRoleId}`),
      by(root, `PATCH /api/admin/users/${admin.id}/admin-permissions`),
    ],
    [['nonsense'], ['*'], ['users:*'], ['apps:view'], ['USERS:VIEW'], [7], 'users:view', {}].map((permissions) => ({
      permissions,
    })),
  ],
  [
    'what a person is called',
    [
      by(root, 'POST /api/admin/users', { email: 'a@panel.test' }),
      by(root, `PATCH /api/users/${user.id}`),
      by(root, `PATCH /api/admin/users/${user.id}/profile`),
      by(user, 'PATCH /api/users/me'),
      by(user, 'PATCH /api/auth/profile'),
    ],
    [...BAD_NAMES, ...assigned({ name: 'Good' }, 'status', 'email')],
  ],
  [
    'the role of an account, to an ADMIN',
    [
      by(admin, 'POST /api/admin/users', { email: 'b@panel.test' }),
      by(admin, `PATCH /api/users/${user.id}`),
      by(admin, `PATCH /api/admin/users/${user.id}/role`),
    ],
    ['ADMIN', 'SUPERADMIN', 'OWNER', 'user', ''].map((role) => ({ role })),
  ],
]

test.each(FAMILIES)('%s', async (_what, ways, never) => {
  const before = (await panel.history()).length
  for (const body of never) {
    const statuses = await Promise.all(ways.map(async (way) => (await way(body)).status))
    expect(
      statuses.filter((status) => status !== 400 && status !== 403),
      JSON.stringify(body),
    ).toEqual([])
  }
  expect((await panel.history()).length, 'something was written').toBe(before)
})

test('what is good is taken by every one of these ways', async () => {
  const good: Readonly<Record<string, object>> = {
    'a project': { name: 'Good', description: 'good' },
    'a team': { name: 'Good', colour: '#00aa00' },
    'an environment': { name: 'good' },
    'what a role is called': { name: 'Good' },
    'what a role or a member is granted': { permissions: ['apps:view'] },
    'the role of a member': { role: 'DEVELOPER' },
    'what administrators of a role may': { permissions: ['users:view', 'users:manage'] },
    'what a person is called': { name: 'Good' },
    'the role of an account, to an ADMIN': { role: 'USER' },
  }
  for (const [what, ways] of FAMILIES)
    for (const [nth, way] of ways.entries()) {
      const { status, text } = await way({ ...good[what]!, ...(nth === 0 ? {} : renamed(good[what]!)) })
      expect(status, `${what} ${nth}: ${text}`).toBeLessThan(300)
    }
})

/** No two environments, and no two roles, have the same name. */
const renamed = (good: object): object => ('name' in good ? { name: `${String(good.name)}-too` } : {})
