/**
 * Every route gets input that no client should send. It answers what was wrong, in the standard form, and no
 * request breaks the service.
 */
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import type { Route } from '#kernel/http/route'
import { routes } from '../../../src/composition/panel.ts'
import {
  HOSTILE_BODIES,
  HOSTILE_IDS,
  HOSTILE_JSON,
  HOSTILE_QUERIES,
  HOSTILE_TEXTS,
} from '../../support/panel/hostile-strings.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { Reply } from '../../support/panel/service.ts'

const AT_ONCE = 12
const TRIES_MAX = 5
const TIMEOUT_MS = 600_000
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'
/** They would end the session that sends all other requests. */
const ENDING = ['DELETE /api/auth/sessions', 'POST /api/auth/logout']
/** Five wrong passwords end the session, so each of these requests has a session of its own. */
const PROVING = [
  'POST /api/auth/change-password',
  ...['setup', 'enable', 'disable'].map((word) => `POST /api/auth/2fa/${word}`),
]

const panel = await startPanel({ compareReadModels: false })
const floor = projectFixture(panel)
const pristine = Object.getOwnPropertyNames(Object.prototype)
afterEach(() => expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(pristine))

/** The part of JSON Schema that the panel's inputs use. */
interface Shape {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Shape[]
  readonly items?: Shape
  readonly properties?: Readonly<Record<string, Shape>>
}

const shapeOf = (schema: z.ZodType | undefined): Shape =>
  schema === undefined ? {} : (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape)

const TEXTS: Readonly<Record<string, string>> = {
  uuid: UNKNOWN_ID,
  email: 'nobody@panel.test',
  'date-time': '2027-01-01T00:00:00Z',
}

/** A valid value of a field, so that the other fields of the body are not refused. */
function usual(shape: Shape): unknown {
  if (shape.anyOf) return usual(shape.anyOf[0]!)
  if (shape.enum) return shape.enum.at(-1)
  if (shape.type === 'boolean') return true
  if (shape.type === 'integer' || shape.type === 'number') return 1
  if (shape.type === 'array') return shape.items ? [usual(shape.items)] : []
  if (shape.type === 'object') return usualBody(shape)
  return TEXTS[shape.format ?? ''] ?? 'a text like any other'
}

const usualBody = ({ properties = {} }: Shape): Record<string, unknown> =>
  Object.fromEntries(Object.entries(properties).map(([name, shape]) => [name, usual(shape)]))

/** The JSON of a body in which `text` replaces the field's JSON, valid or not. */
function withField(body: Record<string, unknown>, name: string, text: string): string {
  const others = Object.entries(body).filter(([other]) => other !== name)
  const fields = others.map(([other, value]) => `${JSON.stringify(other)}:${JSON.stringify(value)}`)
  return `{${[...fields, `${JSON.stringify(name)}:${text}`].join()}}`
}

function* bodiesOf(shape: Shape): Generator<string> {
  for (const one of shape.anyOf ?? [shape]) {
    const body = usualBody(one)
    yield withField(body, 'unknown', '1')
    for (const [name, field] of Object.entries(one.properties ?? {}))
      for (const text of textsIn(field)) if (isNextShare()) yield withField(body, name, text)
  }
}

/**
 * A field, a parameter or a body gets every third text, and the next one goes on from there: in the end each text was sent to a third of
 * them all.
 */
const SHARE = 3
let texts = 0
const isNextShare = (): boolean => (texts += 1) % SHARE === 0

/** Replacements of a field, and of its content. */
function* textsIn(field: Shape): Generator<string> {
  yield* HOSTILE_JSON
  for (const one of field.anyOf ?? [field]) {
    if (one.properties) yield* bodiesOf(one)
    if (one.items?.properties) for (const text of bodiesOf(one.items)) yield `[${text}]`
    else if (one.items) for (const text of HOSTILE_JSON) yield `[${text}]`
  }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly raw?: string
  readonly headers?: Record<string, string>
  readonly as?: string
}

type Places = Readonly<Record<string, string>>

/** By the name of the parameter; for an `:id`, by the segment before it. */
const placed = (path: string, places: Places): string =>
  path.replaceAll(/(\w[\w-]*)\/:(\w+)/g, (_all, before: string, name: string) => {
    const id = places[name === 'id' ? before : name] ?? UNKNOWN_ID
    return `${before}/${id}`
  })

function* asking(route: Route, places: Places): Generator<Asked> {
  const { method, line, body } = route
  const path = placed(route.path, places)
  for (const [, name] of route.path.matchAll(/:(\w+)/g))
    for (const id of HOSTILE_IDS) yield { method, path: placed(route.path.replace(`:${name}`, id), places) }
  for (const search of HOSTILE_QUERIES) yield { method, path: `${path}?${search}` }
  for (const name of Object.keys(shapeOf(route.query).properties ?? {})) {
    for (const text of HOSTILE_TEXTS)
      if (isNextShare()) yield { method, path: `${path}?page=1&pageSize=1&${name}=${text}` }
    for (const text of HOSTILE_TEXTS) if (isNextShare()) yield { method, path: `${path}?${name}=${text}` }
    yield { method, path: `${path}?${name}=${UNKNOWN_ID}&${name}=${UNKNOWN_ID}` }
  }
  if (method === 'GET') return
  for (const [type, raw] of HOSTILE_BODIES) yield { method, path, raw, headers: { 'content-type': type } }
  if (!body || ENDING.includes(line)) return
  for (const raw of HOSTILE_JSON) if (isNextShare()) yield { method, path, raw }
  for (const raw of bodiesOf(shapeOf(body))) yield { method, path, raw }
}

/** Undefined: the answer was as expected. */
function wrong({ method, path, raw }: Asked, { status, text, body, headers }: Reply): string | undefined {
  if (status < 400) return undefined
  const isShaped = body && Object.keys(body).join() === 'statusCode,message' && body.statusCode === status
  const isMeant = status < 500 || headers.get('error-code') === 'MAIL_NOT_CONFIGURED'
  const isEcho = text.includes('naughty')
  if (isShaped && isMeant && !isEcho) return undefined
  return `${method} ${path.slice(0, 200)} ${raw?.slice(0, 200) ?? ''}: ${status} ${text.slice(0, 200)}`
}

/**
 * A request is repeated if a busy machine refuses it. It is also repeated if it used an idle connection at
 * the moment when the server closed it. Input that breaks the server breaks it every time.
 */
async function answered(as: string, { method, path, ...ask }: Asked): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await panel.call(method, path, { as, ...ask }).catch((error: unknown) => {
      if (tries === TRIES_MAX) throw error
    })
    if (reply && (tries === TRIES_MAX || reply.status !== 503 || !reply.headers.has('retry-after'))) return reply
  }
}

/** One object of each kind that paths name. */
async function furnished(as: string): Promise<Places> {
  const post = async (path: string, body: object): Promise<any> =>
    ok(await panel.call('POST', `/api/${path}`, { as, body }), 201)
  const [id, user, team] = [
    await floor.project({ as }),
    await panel.somebody('ADMIN'),
    await post('teams', { name: 'All' }),
  ]
  const member = await floor.member({ as }, id)
  return {
    projects: id,
    users: user.id,
    teams: team.id,
    teamId: team.id,
    memberUserId: UNKNOWN_ID,
    memberId: member.memberId,
    roleId: await floor.role({ as }, id, ['apps:view']),
    envId: await floor.environment({ as }, id, 'live'),
    'api-keys': (await post('api-keys', { name: 'CI', scopes: ['platform:projects:view'] })).key.id,
    key: 'platformName',
  }
}

test(
  'whatever a route is sent, it answers as it declares or says what was wrong',
  async () => {
    await panel.licensed()
    const { as } = await panel.somebody('SUPERADMIN')
    ok(await panel.call('PATCH', '/api/admin/settings/registrationOpen', { as, body: { value: true } }))
    const places = await furnished(as)
    // A stream that is accepted does not end.
    const ending = routes.filter(({ access }) => access.scheme === undefined)
    const another = await panel.somebody('SUPERADMIN')
    const asked = ending.flatMap((route) => {
      const own = PROVING.includes(route.line) ? { as: another.as } : {}
      return [...asking(route, places)].map((each) => ({ ...each, ...own }))
    })
    const failures: string[] = []
    const statuses = new Map<number, number>()
    const asker = async () => {
      for (let next = asked.pop(); next; next = asked.pop()) {
        const reply = await answered(as, next)
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1)
        failures.push(...[wrong(next, reply)].filter((each) => each !== undefined))
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, asker))
    console.log(
      [...statuses]
        .toSorted(([one], [other]) => one - other)
        .map((each) => each.join(': '))
        .join(', '),
    )
    expect(failures).toEqual([])
    for (const status of [200, 201, 400, 404, 415]) expect(statuses.get(status), `${status}`).toBeGreaterThan(0)
    expect((await panel.call('GET', '/api/auth/me', { as })).status, 'the session that asked is still good').toBe(200)
    expect(panel.logs(), 'nothing of what is sent is logged').not.toContain('naughty')
  },
  TIMEOUT_MS,
)
