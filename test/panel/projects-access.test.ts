/** Who may what in a project: every route about one × everything that somebody can be there, and what a key makes of that. */
import { describe, expect, test } from 'vitest'
import { reachOf } from '#panel/identity/key-caller'
import { rightsIn } from '#panel/identity/project-access'
import { isProjectAdmin, isProjectOwner } from '#panel/identity/rights'
import { ACCESS } from './access-table.ts'
import { ok, projectFloor } from './project-floor.ts'
import { startPanel } from './service.ts'
import type { Reply, Somebody } from './service.ts'

const panel = await startPanel({ compareReadModels: false })
await panel.licensed()
const floor = projectFloor(panel)
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

const BEINGS = ['stranger', 'VIEWER', 'DEVELOPER', 'ADMIN', 'OWNER', 'projects:view', 'projects:manage'] as const
type Being = (typeof BEINGS)[number]

const MANAGING: readonly Being[] = ['ADMIN', 'OWNER', 'projects:manage']
const SEEING = BEINGS.filter((being) => being !== 'stranger')

/** From the contract's table. */
const ALLOWED: Readonly<Record<string, readonly Being[]>> = {
  'in project: member': SEEING,
  'in project: settings:manage': MANAGING,
  'in project: members:manage': MANAGING,
  'in project: members:manage or self': MANAGING,
  'in project: environments:manage': MANAGING,
  'in project: apps:env': ['DEVELOPER', ...MANAGING],
  'in project: ADMIN+': MANAGING,
  'in project: OWNER': ['OWNER'],
  'in project: own membership, not OWNER': ['VIEWER', 'DEVELOPER', 'ADMIN'],
}

/** What takes away what others are asked about is asked of a project of its own. */
const ENDING = ['DELETE /api/projects/:id', 'DELETE /api/projects/:id/members/me']
const about = ACCESS.filter(({ needs }) => needs.startsWith('in project'))

async function withPermission(permission: string): Promise<Somebody> {
  const [root, { id, email }] = [await panel.somebody('SUPERADMIN'), await panel.account('ADMIN')]
  const path = `/api/admin/users/${id}/admin-permissions`
  ok(await panel.call('PATCH', path, { as: root.as, body: { permissions: [permission] } }))
  return { id, email, as: await panel.signIn(email) }
}

async function somebodyWhoIs(being: Being, owner: Somebody, id: string): Promise<Pick<Somebody, 'as'>> {
  if (being === 'OWNER') return owner
  if (being === 'stranger') return panel.somebody()
  if (being === 'projects:view' || being === 'projects:manage') return withPermission(being)
  return floor.member(owner, id, { role: being })
}

/** A project of its own, since what is allowed happens. */
async function place(being: Being) {
  const owner = await panel.somebody()
  const id = await floor.project(owner)
  const envId = await floor.environment(owner, id, 'live')
  const variables = [{ name: 'A', value: '1' }]
  ok(await floor.put(owner, `/${id}/shared-env?environmentId=${envId}`, { variables }))
  const [{ id: rowId }] = ok(await floor.put(owner, `/${id}/shared-env`, { variables }))
  const { as } = await somebodyWhoIs(being, owner, id)
  return { as, ids: { id, envId, rowId } as Readonly<Record<string, string>> }
}

/** With an empty body, which a handler does not see; what is in the project otherwise is unknown. */
function ask(line: string, { as, ids }: Awaited<ReturnType<typeof place>>): Promise<Reply> {
  const [method = '', path = ''] = line.split(' ')
  return panel.call(
    method,
    path.replaceAll(/:(\w+)/g, (_all, name: string) => ids[name] ?? UNKNOWN_ID),
    { as },
  )
}

const cells = about.length * BEINGS.length

test('every route about a project is asked by everybody', () => {
  expect(about.map(({ needs }) => needs).filter((needs) => !ALLOWED[needs])).toEqual([])
  console.log(`${cells} cells of projects`)
  expect(cells).toBeGreaterThanOrEqual(28 * 7)
})

describe.each(BEINGS)('%s', (being) => {
  const made = place(being)

  test.each(about)('$line', async ({ line, needs }) => {
    const reply = await ask(line, ENDING.includes(line) ? await place(being) : await made)
    if (being === 'stranger') expect([reply.status, reply.body.message]).toEqual([404, 'Not found'])
    else if (ALLOWED[needs]!.includes(being)) expect([401, 403, 405, 500], reply.text).not.toContain(reply.status)
    else expect(reply.status, reply.text).toBe(403)
  })
})

describe('a key', () => {
  const key = (ownerId: string | null, projectIds: string[] | null = null, permissions: string[] = []) =>
    reachOf({ id: UNKNOWN_ID, ownerId, projectIds, scopes: [], role: 'ADMIN', permissions, rolePermissions: null })
  const rights = (caller: ReturnType<typeof key>, id: string) => rightsIn(panel.panel.read, caller, id)

  test('may what its owner may now, in the projects that it knows', async () => {
    const owner = await panel.somebody()
    const [id, other] = [await floor.project(owner), await floor.project(owner)]
    expect(isProjectOwner(await rights(key(owner.id), id))).toBe(true)
    expect(isProjectOwner(await rights(key(owner.id, [id]), id))).toBe(true)
    expect(await rights(key(owner.id, [id]), other)).toEqual([])
    expect(await rights(key((await panel.somebody()).id), id)).toEqual([])
    expect(await rights(key(owner.id), UNKNOWN_ID)).toEqual([])
  })

  test('of whoever manages projects reaches all of them, as an ADMIN', async () => {
    const [id, { id: admin }] = [await floor.project(await panel.somebody()), await panel.account('ADMIN')]
    const held = await rights(key(admin, null, ['projects:manage']), id)
    expect([isProjectAdmin(held), isProjectOwner(held)]).toEqual([true, false])
    expect(await rights(key(admin, null, ['users:view']), id)).toEqual([])
  })

  test('of nobody reaches every project that there is, and owns none', async () => {
    const [id, other] = [await floor.project(await panel.somebody()), await floor.project(await panel.somebody())]
    const held = await rights(key(null), id)
    expect([isProjectAdmin(held), isProjectOwner(held)]).toEqual([true, false])
    expect(await rights(key(null, [other]), id)).toEqual([])
    expect(await rights(key(null), UNKNOWN_ID)).toEqual([])
  })
})
