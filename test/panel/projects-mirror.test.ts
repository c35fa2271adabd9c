/**
 * Two owners with the same things, everything of each asked for by the other: an id of somebody else’s is answered to the byte like one
 * that does not exist, and nothing of his changes. Generated from the routes, so that one that is added is asked as well.
 */
import { expect, test } from 'vitest'
import { routes } from '../../src/panel-app.ts'
import { ok, projectFloor } from './project-floor.ts'
import { startPanel } from './service.ts'
import type { Reply } from './service.ts'

const panel = await startPanel({ compareReadModels: false })
await panel.licensed()
const floor = projectFloor(panel)
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'
const UNSEEN_AT_ALL = 404
const NOT_ALLOWED_ANYWHERE = 403

/** By the names of the parameters that they stand for. */
type Ids = Readonly<Record<string, string>>

interface Tenant {
  readonly as: string
  readonly ids: Ids
}

async function tenant(): Promise<Tenant> {
  const owner = await panel.somebody()
  const id = await floor.project(owner)
  const { memberId } = await floor.member(owner, id, { role: 'DEVELOPER' })
  const [roleId, envId] = [await floor.role(owner, id, ['apps:view']), await floor.environment(owner, id, 'live')]
  const variables = [{ name: 'A', value: 'secret' }]
  const [{ id: rowId }] = ok(await floor.put(owner, `/${id}/shared-env?environmentId=${envId}`, { variables }))
  const { id: teamId } = ok(await panel.call('POST', '/api/teams', { as: owner.as, body: { name: 'Team' } }), 201)
  ok(await floor.post(owner, `/${id}/teams`, { teamId }), 201)
  return { as: owner.as, ids: { id, memberId, roleId, envId, rowId, teamId } }
}

const [one, other] = [await tenant(), await tenant()]

/** Bodies that pass the types, so that nothing but the ids can be refused. */
const BODIES: Readonly<Record<string, (ids: Ids) => unknown>> = {
  'PATCH /api/projects/:id': () => ({ name: 'Taken over' }),
  'POST /api/projects/:id/transfer-ownership': ({ memberId }) => ({ memberId }),
  'POST /api/projects/:id/members': () => ({ email: 'mine@panel.test' }),
  'PATCH /api/projects/:id/members/:memberId': () => ({ role: 'VIEWER' }),
  'PATCH /api/projects/:id/members/:memberId/custom-role': () => ({ roleId: null }),
  'PUT /api/projects/:id/members/:memberId/grants': () => ({ permissions: [] }),
  'POST /api/projects/:id/roles': () => ({ name: 'Mine' }),
  'PATCH /api/projects/:id/roles/:roleId': () => ({ name: 'Mine' }),
  'PUT /api/projects/:id/roles/:roleId/grants': () => ({ permissions: [] }),
  'POST /api/projects/:id/environments': () => ({ name: 'mine' }),
  'PATCH /api/projects/:id/environments/:envId': () => ({ name: 'mine' }),
  'PUT /api/projects/:id/shared-env': () => ({ variables: [] }),
  'POST /api/projects/:id/teams': () => ({ teamId: UNKNOWN_ID }),
}

const inProjects = routes.filter(({ path, line }) => path.startsWith('/api/projects/:id') && !line.endsWith('quota'))
const nested = inProjects.filter(({ path }) => /:id\/.*:/.test(path))

function ask(line: string, ids: Ids, as: string): Promise<Reply> {
  const [method = '', path = ''] = line.split(' ')
  const body = BODIES[line]?.(ids)
  const filled = path.replaceAll(/:(\w+)/g, (_all, name: string) => ids[name] ?? UNKNOWN_ID)
  return panel.call(method, filled, { as, ...(body === undefined ? {} : { body }) })
}

function told({ status, text, headers }: Reply) {
  const shown = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name))
  return { status, text, headers: shown }
}

/** Everything that is stored of a project, and how far its history has come. */
async function stored({ ids: { id } }: Tenant): Promise<string> {
  await panel.panel.projector.catchUp()
  const tables = ['members', 'roles', 'teams', 'environments', 'variables'].map((name) => `project_${name}`)
  const queries = [`SELECT p::text AS row FROM read.projects p WHERE id = $1`].concat(
    tables.map((name) => `SELECT t::text AS row FROM read.${name} t WHERE project_id = $1 ORDER BY 1`),
  )
  const rows = []
  for (const query of queries) rows.push(...(await panel.superuser.query(query, [id])).rows)
  const events = (await panel.history()).filter(({ data }) => data['projectId'] === id)
  return JSON.stringify([rows, events.length])
}

const NONE: Ids = {}
const upper = (ids: Ids): Ids => Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, id.toUpperCase()]))

test('there is something to ask', () => {
  expect(inProjects.length).toBeGreaterThanOrEqual(29)
  expect(nested.length).toBeGreaterThanOrEqual(12)
})

test.each(inProjects)('$line: a project of another is like none', async ({ line, access }) => {
  for (const [mine, theirs] of [
    [one, other],
    [other, one],
  ] as const) {
    const before = await stored(theirs)
    const unknown = told(await ask(line, NONE, mine.as))
    expect(unknown.status, line).toBe(access.permission === undefined ? UNSEEN_AT_ALL : NOT_ALLOWED_ANYWHERE)
    for (const ids of [theirs.ids, upper(theirs.ids)])
      expect(told(await ask(line, ids, mine.as)), line).toEqual(unknown)
    expect(await stored(theirs), `${line} changed what is not his`).toBe(before)
  }
})

test.each(nested)('$line: what is in a project of another is not in mine', async ({ line }) => {
  const [mine, theirs] = [
    { ...NONE, id: one.ids['id']! },
    { ...other.ids, id: one.ids['id']! },
  ]
  const before = [await stored(one), await stored(other)]
  const unknown = told(await ask(line, mine, one.as))
  expect(unknown.status, unknown.text).toBe(404)
  expect(told(await ask(line, theirs, one.as)), line).toEqual(unknown)
  expect([await stored(one), await stored(other)], `${line} changed something`).toEqual(before)
})

test('ids of another in a query or a body are like none', async () => {
  const { id } = one.ids
  const pairs = (theirs: Ids) => [
    floor.send('GET', one, `/${id}/shared-env?environmentId=${theirs['envId'] ?? UNKNOWN_ID}`),
    floor.send('PUT', one, `/${id}/shared-env?environmentId=${theirs['envId'] ?? UNKNOWN_ID}`, { variables: [] }),
    floor.post(one, `/${id}/transfer-ownership`, { memberId: theirs['memberId'] ?? UNKNOWN_ID }),
    floor.post(one, `/${id}/members`, { email: 'a@panel.test', roleId: theirs['roleId'] ?? UNKNOWN_ID }),
    floor.post(one, `/${id}/members`, { email: 'a@panel.test', environmentIds: [theirs['envId'] ?? UNKNOWN_ID] }),
    floor.post(one, `/${id}/teams`, { teamId: theirs['teamId'] ?? UNKNOWN_ID }),
  ]
  const [unknown, theirs] = [await Promise.all(pairs(NONE)), await Promise.all(pairs(other.ids))]
  expect(unknown.map(({ status }) => status)).toEqual([404, 404, 400, 400, 400, 400])
  expect(theirs.map(told)).toEqual(unknown.map(told))
})

test('lists show what is mine and nothing else', async () => {
  const mine = await floor.send('GET', one, '')
  expect(mine.text).toContain(one.ids['id'])
  expect(mine.text).not.toContain(other.ids['id'])
})

test.each(nested.filter(({ method }) => method === 'GET'))('$line: what is mine is there', async ({ line }) => {
  expect((await ask(line, one.ids, one.as)).status).toBe(200)
})
