/** The session of a surface: two of them are two tabs of one browser. The service is a double. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { operation } from '#api-client/operation'
import type { Shape } from '#api-client/operation'
import type { Account, Realm } from '../../src/web/session/realm.ts'
import { createSession } from '../../src/web/session/session.ts'

const ADA: Account = { id: 'ada', email: 'ada@example.com', name: 'Ada', totpEnabled: false }
const GRACE: Account = { ...ADA, id: 'grace', email: 'grace@example.com', name: 'Grace' }
const GIVEN = { email: 'ada@example.com', password: 'a password' }
const READ = operation<Shape>('GET /records', { openTo: ['staff'] })

/** Each test has a browser of its own: the name of the realm is the name of the channel between its tabs. */
let tests = 0
let realm: Realm
let entries: Map<string, string>
let asked: string[]
/** By operation. Each answers once; the last one stays. */
let answers: Record<string, (() => Response | Promise<Response>)[]>

beforeEach(() => {
  tests += 1
  realm = {
    kind: `staff-${tests}`,
    login: operation('POST /login', { openTo: [] }),
    refresh: operation('POST /refresh', { openTo: [] }),
    logout: operation('POST /logout', { openTo: [] }),
    me: operation('GET /me', { openTo: [] }),
  }
  entries = new Map()
  asked = []
  answers = { 'POST /login': [() => signedIn(ADA)], 'GET /records': [() => Response.json([])] }
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => entries.set(name, value),
    removeItem: (name: string) => entries.delete(name),
  })
  vi.stubGlobal('fetch', async (path: string, { method, headers }: { method: string; headers: object }) => {
    const line = `${method} ${path}`
    asked.push('Authorization' in headers ? `${line} ${String(headers.Authorization)}` : line)
    const [first, ...others] = answers[line]!
    if (others.length > 0) answers[line] = others
    return first!()
  })
})

afterEach(() => vi.unstubAllGlobals())

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
/** @param seconds below 60: it is renewed before the next call */
const tokenOf = ({ id }: Account, seconds = 900): string => `${part({ sub: id })}.${part({ iat: 0, exp: seconds })}.x`
const signedIn = (user: Account, seconds?: number) => Response.json({ accessToken: tokenOf(user, seconds), user })
const refused = (status: number, code: string) =>
  Response.json({ statusCode: status, message: 'Refused' }, { status, headers: { 'Error-Code': code } })
const unreached = (): never => {
  throw new TypeError('fetch failed')
}
const isAsked = (line: string): number => asked.filter((each) => each.startsWith(line)).length

async function tabOf(user = ADA, seconds?: number) {
  const tab = createSession(realm)
  answers['POST /login'] = [() => signedIn(user, seconds)]
  await tab.signIn(GIVEN)
  return tab
}

test('asks for no session in a browser that has had none', async () => {
  const tab = createSession(realm)
  await tab.start()
  expect(tab.state().phase).toBe('out')
  expect(asked).toEqual([])
})

test('keeps a marker and no secret in the browser', async () => {
  await tabOf()
  expect([...entries]).toEqual([[`daybook-${realm.kind}`, '1']])
})

test('renews a token that is refused, and calls again', async () => {
  const tab = await tabOf()
  answers['GET /records'] = [() => refused(401, 'AUTHENTICATION_REQUIRED'), () => Response.json(['found'])]
  answers['POST /refresh'] = [() => signedIn(ADA, 1_800)]
  await expect(tab.call(READ)).resolves.toMatchObject({ data: ['found'] })
  expect(asked.at(-1)).toBe(`GET /records Bearer ${tokenOf(ADA, 1_800)}`)
})

test.each(['INVALID_CREDENTIALS', 'TOTP_REQUIRED'])('sends what was refused as %s only once', async (code) => {
  const tab = await tabOf()
  answers['GET /records'] = [() => refused(401, code)]
  await expect(tab.call(READ)).rejects.toMatchObject({ code })
  expect(isAsked('GET /records')).toBe(1)
  expect(isAsked('POST /refresh')).toBe(0)
})

test('reads the account again once when calls are refused for want of a right', async () => {
  const tab = await tabOf()
  answers['GET /records'] = [() => refused(403, 'PERMISSION_MISSING')]
  answers['GET /me'] = [() => Response.json({ ...ADA, permissions: [] })]
  await Promise.allSettled([tab.call(READ), tab.call(READ)])
  await vi.waitFor(() => expect(tab.state().account).toEqual({ ...ADA, permissions: [] }), { timeout: 10_000 })
  expect(isAsked('GET /me')).toBe(1)
})

test('does not tell its pages of an account that is as it was, nor reads it for want of a proof', async () => {
  const tab = await tabOf()
  const told = vi.fn<() => void>()
  tab.subscribe(told)
  answers['GET /me'] = [() => Response.json(ADA)]
  await tab.reread()
  expect(told).not.toHaveBeenCalled()
  answers['GET /records'] = [() => refused(403, 'STEP_UP_REQUIRED')]
  await expect(tab.call(READ)).rejects.toMatchObject({ code: 'STEP_UP_REQUIRED' })
  expect(isAsked('GET /me')).toBe(1)
})

test('renews once for calls that come together', async () => {
  const tab = await tabOf(ADA, 30)
  answers['POST /refresh'] = [() => signedIn(ADA)]
  await Promise.all([tab.call(READ), tab.call(READ)])
  expect(isAsked('POST /refresh')).toBe(1)
})

test('keeps the session if it cannot be renewed for want of a connection', async () => {
  const tab = await tabOf(ADA, 30)
  answers['POST /refresh'] = [unreached]
  await expect(tab.call(READ)).rejects.toThrow(TypeError)
  expect(tab.state()).toEqual({ phase: 'in', account: ADA })
})

test('says that the session is lost, and keeps the account for the sheet', async () => {
  const tab = await tabOf(ADA, 30)
  answers['POST /refresh'] = [() => refused(401, 'SESSION_INVALID')]
  await tab.call(READ)
  expect(tab.state()).toEqual({ phase: 'lost', account: ADA })
  expect([...entries]).toEqual([])
})

test('shows no sign-in while the service does not answer', async () => {
  entries.set(`daybook-${realm.kind}`, '1')
  const tab = createSession(realm)
  answers['POST /refresh'] = [unreached, () => refused(503, 'BUSY'), () => signedIn(ADA)]
  for (const phase of ['unreached', 'unreached', 'in']) {
    await tab.start()
    expect(tab.state().phase).toBe(phase)
  }
})

test('tells the other tabs who has signed in', async () => {
  const first = await tabOf(ADA)
  const second = await tabOf(GRACE)
  await vi.waitFor(() => expect(first.state().account).toEqual(GRACE), { timeout: 10_000 })
  await first.call(READ)
  expect(asked.at(-1)).toBe(`GET /records Bearer ${tokenOf(GRACE)}`)
  expect(second.state().account).toEqual(GRACE)
})

test('does not repeat for another account what the first one asked for', async () => {
  const tab = await tabOf(ADA)
  answers['GET /records'] = [() => refused(401, 'AUTHENTICATION_REQUIRED')]
  answers['POST /refresh'] = [() => signedIn(GRACE)]
  await expect(tab.call(READ)).rejects.toMatchObject({ statusCode: 401 })
  expect(isAsked('GET /records')).toBe(1)
})

test('signs out in every tab', async () => {
  const [first, second] = [await tabOf(), await tabOf()]
  answers['POST /logout'] = [() => new Response(null, { status: 204 })]
  await first.signOut()
  await vi.waitFor(() => expect(second.state()).toEqual({ phase: 'out', account: undefined }), { timeout: 10_000 })
  expect([...entries]).toEqual([])
})

test('is signed out after a renewal that was under way', async () => {
  const tab = await tabOf(ADA, 30)
  const answering = Promise.withResolvers<Response>()
  answers['POST /refresh'] = [() => answering.promise]
  const calling = tab.call(READ)
  await vi.waitFor(() => expect(isAsked('POST /refresh')).toBe(1), { timeout: 10_000 })
  const channel = new BroadcastChannel(`daybook-${realm.kind}`)
  channel.postMessage({ signedOut: true })
  await vi.waitFor(() => expect(tab.state().phase).toBe('out'), { timeout: 10_000 })
  answering.resolve(signedIn(ADA))
  await calling
  await pause(0)
  channel.close()
  expect(tab.state().phase).toBe('out')
})

test.each([
  ['no answer', unreached],
  ['a busy service', () => refused(503, 'BUSY')],
])('stays signed in if %s ends no session', async (_, answer) => {
  const tab = await tabOf()
  answers['POST /logout'] = [answer]
  await expect(tab.signOut()).rejects.toThrow(Error)
  expect(tab.state().phase).toBe('in')
})

test('signs out of a session that has ended already', async () => {
  const tab = await tabOf()
  answers['POST /logout'] = [() => refused(401, 'SESSION_INVALID')]
  answers['POST /refresh'] = [() => refused(401, 'SESSION_INVALID')]
  await tab.signOut()
  expect(tab.state().phase).toBe('out')
})

test('works in a browser that blocks storage, and over plain http, where there are no locks', async () => {
  vi.stubGlobal('localStorage', { setItem: unreached, getItem: unreached, removeItem: unreached })
  vi.stubGlobal('navigator', {})
  const tab = createSession(realm)
  await tab.start()
  expect(tab.state().phase).toBe('out')
  answers['POST /login'] = [() => signedIn(ADA, 30)]
  answers['POST /refresh'] = [() => signedIn(ADA)]
  await tab.signIn(GIVEN)
  await tab.call(READ)
  expect(asked.at(-1)).toBe(`GET /records Bearer ${tokenOf(ADA)}`)
})
