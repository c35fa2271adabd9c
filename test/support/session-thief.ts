/**
 * A search over sequences of calls by the holder of a stolen session who does not know the password. It makes
 * every call that the session or its refresh cookie opens, with every body that the thief can fill. A call
 * without a new kind of event does not change the thief's state, so the search ends.
 */
import { expect } from 'vitest'
import { z } from 'zod'
import type { JsonObject, RecordedEvent } from '#kernel/events/store-port'
import { fieldsOf } from '#kernel/http/openapi/schema-fields'
import type { Route } from '#kernel/http/route'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import type { CallOptions, Reply } from '#test/support/serve'
import type { Service } from '../../src/composition/service.ts'

const CALLS_MAX = 4
const WRONG = 'what the thief guesses 77'

/** A session that signed in more than five minutes ago. */
export interface Victim {
  readonly id: string
  readonly accessToken: string
  readonly refreshToken: string
}

export interface ThiefRealm<V extends Victim> {
  readonly opened: Pick<Service, 'clock' | 'store'>
  readonly authPath: string
  readonly routes: readonly Route[]
  /** The refresh cookie's name, and the origin that may send it. */
  readonly cookie: string
  readonly origin: string
  /** Events that do not change how the owner signs in, and so make no new state. */
  readonly aside?: readonly string[]
  victim(): Promise<V>
  /** Expects that no route is open that needs a proof, and that the owner can sign in. */
  check(victim: V, accessToken: string, path: string): Promise<void>
}

/** A service, as `serve` runs it. */
interface Running {
  call(method: string, path: string, ask?: CallOptions): Promise<Reply>
  history(after?: number): Promise<RecordedEvent[]>
  readonly superuser: { query(sql: string): Promise<unknown> }
}

/** What the thief holds and has been shown. */
interface Thief<V> {
  readonly victim: V
  readonly since: number
  accessToken: string
  refreshToken: string
  secret: string | undefined
}

interface Move {
  readonly name: string
  readonly route: Route
  readonly body: (thief: Thief<unknown>, now: Date) => object | undefined
}

type Value = (thief: Thief<unknown>, now: Date) => unknown

const codeOf =
  (stepsBack: number): Value =>
  ({ secret }, now) =>
    secret === undefined ? '000000' : totpCode(secret, stepAt(now) - stepsBack)

/**
 * By field name: all values that the thief tries. Codes follow the order of the time steps, because each step
 * counts once.
 */
const VALUES: Readonly<Record<string, readonly Value[]>> = {
  password: [() => WRONG],
  current: [() => WRONG],
  new: [() => 'a passphrase of the thief 78'],
  code: [codeOf(1), codeOf(0)],
  refreshToken: [({ refreshToken }) => refreshToken],
  name: [() => 'Thief'],
  path: [() => '/api/events/stream'],
}

/** @returns the names of the calls that were made, each once */
export async function searchReachableStates<V extends Victim>(
  service: Running,
  realm: ThiefRealm<V>,
): Promise<string[]> {
  const moves = movesOf(realm)
  const known = new Set<string>()
  const paths: Move[][] = [[]]

  async function arrived(path: readonly Move[]): Promise<Thief<V>> {
    const victim = await realm.victim()
    const { accessToken, refreshToken } = victim
    const since = await realm.opened.store.head()
    const thief: Thief<V> = { victim, since, accessToken, refreshToken, secret: undefined }
    for (const move of path) await make(move, thief)
    return thief
  }

  async function make({ route, body }: Move, thief: Thief<V>): Promise<void> {
    // Failed guesses are forgotten, so that limits do not stop this thief.
    await service.superuser.query('DELETE FROM telemetry.attempt')
    const { accessToken: as, refreshToken } = thief
    const headers = { cookie: `${realm.cookie}=${refreshToken}`, origin: realm.origin }
    const path = route.path.replace(':id', sessionIn(as))
    const reply = await service.call(route.method, path, { as, headers, body: body(thief, realm.opened.clock.now()) })
    expect(reply.status, `${route.line}: ${reply.text}`).toBeLessThan(500)
    thief.accessToken = reply.body?.accessToken ?? as
    thief.refreshToken = refreshTokenIn(reply, realm.cookie) ?? refreshToken
    thief.secret = reply.body?.secret ?? thief.secret
  }

  async function causedBy({ victim, since }: Thief<V>): Promise<string> {
    const events = await service.history(since)
    const own = events.filter(({ metadata }) => (metadata['actor'] as { id: string }).id === victim.id)
    const types = new Set(own.map(({ type }) => type))
    for (const type of realm.aside ?? []) types.delete(type)
    return [...types].toSorted().join(' ')
  }

  for (const path of paths) {
    let thief = await arrived(path)
    const here = await causedBy(thief)
    for (const move of moves) {
      await make(move, thief)
      const there = await causedBy(thief)
      if (there === here) continue
      const calls = [...path, move]
      if (!known.has(there)) {
        known.add(there)
        await realm.check(thief.victim, thief.accessToken, calls.map(({ name }) => name).join(', then '))
        if (calls.length < CALLS_MAX) paths.push(calls)
      }
      thief = await arrived(path)
    }
  }
  return moves.map(({ name }) => name)
}

function movesOf({ authPath, routes }: Pick<ThiefRealm<Victim>, 'authPath' | 'routes'>): Move[] {
  const open = routes.filter(
    ({ path, access }) =>
      path.startsWith(`${authPath}/`) && (access.kinds.length > 0 || /\/(refresh|logout)$/.test(path)),
  )
  return open.flatMap((route) =>
    bodiesOf(route).map(({ fields, body }) => ({ route, body, name: `${route.line} {${fields.join(', ')}}` })),
  )
}

/** Every subset of the fields that a body may have, with every value of each. */
function bodiesOf({ line, body: schema }: Route): { fields: string[]; body: Move['body'] }[] {
  if (!schema) return [{ fields: [], body: () => undefined }]
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonObject
  const names = fieldsOf(json).flatMap(({ name }) => (name === 'body' ? [] : name))
  const unknown = names.filter((name) => !(name in VALUES))
  if (unknown.length > 0) throw new Error(`${line}: give the thief a value for ${unknown.join(', ')}`)
  const sets = names.reduce<[string, Value][][]>(
    (all, name) =>
      all.flatMap((set) => [set, ...VALUES[name]!.map((value) => [...set, [name, value] as [string, Value]])]),
    [[]],
  )
  return sets.map((set) => ({
    fields: set.map(([name]) => name),
    body: (thief, now) => Object.fromEntries(set.map(([name, value]) => [name, value(thief, now)])),
  }))
}

export const sessionIn = (accessToken: string): string =>
  JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString()).sid

function refreshTokenIn({ headers }: Reply, name: string): string | undefined {
  const line = headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=dbr_`))
  return line?.slice(name.length + 1).split(';')[0]
}
