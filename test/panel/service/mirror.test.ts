/**
 * Two tenants with the same objects. One of them calls every route that takes an id with the ids of the
 * other, each alone and all together. The answer equals, to the byte, the answer to unknown ids, and nothing
 * is written. The requests are generated from the routes, so that a new route is included. The totals are
 * exact, so that none is missing.
 */
import { expect, test } from 'vitest'
import { ACCESS } from '../../support/panel/access-table.ts'
import { stableReply } from '../../support/panel/api-key-fixture.ts'
import {
  mirrorRequests,
  idFieldsOf,
  EXTRA_INPUT,
  ROUTES_WITHOUT_TENANT,
  ID_PLACEHOLDER,
  sendsId,
  tenantRoutes,
} from '../../support/panel/mirror-requests.ts'
import type { MirrorRequest } from '../../support/panel/mirror-requests.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { Reply } from '../../support/panel/service.ts'
import { KINDS, twoTenants, UNKNOWN_ID } from '../../support/panel/tenants.ts'
import type { Ids, Kind, Tenant } from '../../support/panel/tenants.ts'

const panel = await startPanel({ compareReadModels: false })
const [one, other] = await twoTenants(panel)
const NOBODY = Object.fromEntries(KINDS.map((kind) => [kind, UNKNOWN_ID])) as Ids

const CREDENTIALS = ['session', 'key'] as const
type Credential = (typeof CREDENTIALS)[number]

/** The places of a request that hold an id of the other tenant: each alone, and all. */
interface Cell {
  readonly asked: MirrorRequest
  readonly by: Credential
  readonly swapped: readonly number[]
}

/**
 * What a session may learn of the other tenant all the same: why, the answer for the other, and the answer
 * for an unknown id.
 */
const OPEN: Readonly<Record<string, { readonly why: string; readonly theirs: number; readonly nobody: number }>> = {
  'GET /api/users/:id/avatar: path.user': { why: 'a photo is for whoever has signed in', theirs: 200, nobody: 404 },
  'POST /api/projects/:id/members: body.user': { why: 'any account can be added', theirs: 201, nobody: 400 },
  'POST /api/servers/:id/access: body.user': { why: 'any account can be named', theirs: 201, nobody: 400 },
  'POST /api/teams/:id/members: body.user': { why: 'any account can be added', theirs: 201, nobody: 400 },
}

const openAt = ({ asked: { line, places }, by, swapped }: Cell) =>
  by === 'session' && swapped.length === 1 ? OPEN[`${line}: ${places[swapped[0]!]}`] : undefined

function cellsOf(asked: MirrorRequest): Cell[] {
  const all = asked.places.map((_place, at) => at)
  const swaps = all.length === 1 ? [all] : [...all.map((at) => [at]), all]
  return CREDENTIALS.flatMap((by) => swaps.map((swapped) => ({ asked, by, swapped })))
}

const cells = mirrorRequests.flatMap(cellsOf)
const open = cells.filter((cell) => openAt(cell))

function ask({ asked: { line, text }, by, swapped }: Cell, theirs: Ids): Promise<Reply> {
  let at = -1
  const filled = text.replaceAll(ID_PLACEHOLDER, (_all, kind: Kind) => {
    at += 1
    return (swapped.includes(at) ? theirs : one.ids)[kind]
  })
  const [path = '', query = '', raw = ''] = filled.split('\n')
  const more = raw === '' ? {} : { raw }
  return panel.call(line.split(' ')[0]!, query === '' ? path : `${path}?${query}`, { as: one[by], ...more })
}

/**
 * The answers for an unknown object: the caller may not call the route, the object is missing, or the input
 * names nothing.
 */
function refusals({ asked: { line, places }, by, swapped }: Cell): number[] {
  const { needs } = ACCESS.find((row) => row.line === line)!
  if (by === 'key' && tenantRoutes.find((route) => route.line === line)!.access.scope === undefined) return [403]
  if (/^(superadmin|any admin|[a-z]+:(view|manage))$/.test(needs)) return [403]
  if (swapped.some((at) => places[at]!.startsWith('path.'))) return [404]
  const [, instead] = INSTEAD.find(([lines]) => lines.test(line)) ?? []
  if (instead !== undefined && !line.startsWith('POST ')) return [instead, 404]
  // A list may be filtered by anything, and is empty where the caller sees nothing.
  return line.startsWith('GET ') ? [200, 400, 403, 404] : [400, 403, 404]
}

/**
 * All stored data that names the tenant's objects: events, unique constraints, rows of read models, the audit
 * trail, telemetry, keys.
 */
async function stateOf({ ids }: Tenant): Promise<string[]> {
  await panel.panel.projector.catchUp()
  const lines = (await panel.dump()).split('\n')
  return lines.filter((line) => Object.values(ids).some((id) => line.includes(id))).toSorted()
}

test('every route that takes an id is asked, in every place that takes one', () => {
  const taking = tenantRoutes.filter((route) => route.path.includes(':') || idFieldsOf(route).length > 0)
  const asked = new Set(mirrorRequests.map(({ line }) => line))
  expect(taking.map(({ line }) => line).filter((line) => !asked.has(line))).toEqual(ROUTES_WITHOUT_TENANT)
  const left = tenantRoutes.flatMap((route) =>
    idFieldsOf(route)
      .filter((name) => !(EXTRA_INPUT[route.line] ?? []).some((more) => sendsId(more, name)))
      .map((name) => `${name} of ${route.line}`),
  )
  expect(left).toEqual([])
  expect(Object.keys(EXTRA_INPUT).filter((line) => !asked.has(line))).toEqual([])
  expect({ routes: asked.size, cells: cells.length, open: open.length }).toEqual({ routes: 177, cells: 616, open: 4 })
})

const upper = (ids: Ids): Ids =>
  Object.fromEntries(Object.entries(ids).map(([kind, id]) => [kind, id.toUpperCase()])) as Ids

/** After the last of these requests, and so before the next one. */
let left: string[] | undefined

test.each(mirrorRequests)('$line: $where of another is like nothing', async (asked) => {
  const [before, head] = [left ?? (await stateOf(other)), await panel.panel.store.head()]
  expect(before.length).toBeGreaterThan(KINDS.length)
  for (const cell of cellsOf(asked).filter((each) => !openAt(each)))
    for (const [theirs, nobody] of [[other.ids, NOBODY] as const, [upper(other.ids), upper(NOBODY)] as const]) {
      const unknown = stableReply(await ask(cell, nobody))
      expect(refusals(cell), unknown.text).toContain(unknown.status)
      expect(stableReply(await ask(cell, theirs)), `${cell.by} ${cell.swapped.join()}`).toEqual(unknown)
      expect(await panel.panel.store.head(), 'nothing was written').toBe(head)
    }
  left = await stateOf(other)
  expect(left).toEqual(before)
})

test.each(open)('$asked.line: what anybody may know changes nothing that was there', async (cell) => {
  const { theirs, nobody } = openAt(cell)!
  const before = await stateOf(other)
  expect((await ask(cell, NOBODY)).status).toBe(nobody)
  const reply = await ask(cell, other.ids)
  expect(reply.status, reply.text).toBe(theirs)
  expect(await stateOf(other)).toEqual(expect.arrayContaining(before))
})

const isOwn = (line: string): boolean =>
  /^(session|in (project|team)|on (server|task))/.test(ACCESS.find((row) => row.line === line)!.needs)

/** No agent of the server answers for its engine, and the git provider is of a kind that nothing is read of. */
const INSTEAD: readonly (readonly [RegExp, number])[] = [
  [/^GET \/api\/engine\//, 503],
  [/^GET \/api\/git-providers\/:id\//, 409],
  [/^GET \/api\/applications\/:id\/(logs|stats)/, 503],
  // The application is of an image.
  [/^GET \/api\/applications\/:id\/branches/, 409],
]

test.each(mirrorRequests.filter(({ line }) => line.startsWith('GET ') && isOwn(line)))(
  '$line: $where is there',
  async (asked) => {
    const reply = await ask({ asked, by: 'session', swapped: [] }, NOBODY)
    const [, instead = 200] = INSTEAD.find(([lines]) => lines.test(asked.line)) ?? []
    expect(reply.status, reply.text).toBe(instead)
  },
)

const lists = tenantRoutes.filter(
  ({ line, access }) => line.startsWith('GET ') && !line.includes(':') && access.scheme === undefined,
)

test.each(lists)('$line shows nothing of another', async ({ path }) => {
  for (const by of CREDENTIALS) {
    const { text } = await panel.call('GET', path, { as: one[by] })
    expect(Object.values(other.ids).filter((id) => text.includes(id))).toEqual([])
  }
})

test('lists show what is mine, so that they could show what is not', async () => {
  const replies = await Promise.all(lists.map(({ path }) => panel.call('GET', path, { as: one.session })))
  const shown = replies.map(({ text }) => text).join()
  const listed: Kind[] = ['user', 'session', 'notification', 'key', 'project', 'team', 'spareTeam']
  expect(listed.filter((kind) => !shown.includes(one.ids[kind]))).toEqual([])
})
