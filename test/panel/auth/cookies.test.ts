/** The refresh cookie: its attributes, who may send it, and that another account's cookie is of no use (A12). */
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { newSecret } from '#kernel/credentials/secret-token'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { openPanel, routes } from '../../../src/composition/panel.ts'
import {
  cookieIn,
  fromNewAddress,
  isSignedIn,
  REFRESH_COOKIE,
  refreshSession,
  signIn,
  withCookie,
} from '../../support/panel/people.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'

const OWN = 'http://panel.test'
const SID = 'sid'
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'
const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1'), compareReadModels: false })
const https = await openPanel({ ...panel.settings, baseUrl: 'https://panel.test' }, pino({ level: 'silent' }))
const { port } = await https.listen(0, '127.0.0.1')
afterAll(() => https.close())

const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString())
const entered = async (headers: Record<string, string> = {}) =>
  signIn(panel, await panel.account('USER'), { headers: { ...fromNewAddress(), ...headers } })

test('both cookies are for no script, no other site and no path but their own', async () => {
  const { reply } = await entered()
  const [refresh, device, ...others] = reply.headers.getSetCookie()
  expect(refresh).toMatch(
    /^daybook_panel_refresh=dbr_[0-9A-Za-z]{46}; Path=\/api\/auth; Max-Age=60\d{4}; HttpOnly; SameSite=Strict$/,
  )
  expect(device).toMatch(
    /^daybook_panel_device=[0-9a-f-]{36}\.[\w-]{43}; Path=\/api\/auth\/login; Max-Age=31536000; HttpOnly; SameSite=Strict$/,
  )
  expect(others).toEqual([])
})

test('under an address with https they are sent over nothing else', async () => {
  const { email } = await panel.account('USER')
  const body = JSON.stringify({ email, password: PASSWORD })
  const headers = { 'content-type': 'application/json', ...fromNewAddress() }
  const reply = await fetch(`http://127.0.0.1:${port}/api/auth/login`, { method: 'POST', body, headers })
  const cookies = reply.headers.getSetCookie()
  expect(cookies).toHaveLength(2)
  for (const cookie of cookies) expect(cookie).toMatch(/^__Secure-daybook_panel_(refresh|device)=.*; Secure$/)
})

test('signing out takes the cookie away', async () => {
  const { accessToken } = await entered()
  const reply = await panel.call('POST', '/api/auth/logout', { as: accessToken, body: {} })
  expect(reply.headers.getSetCookie()).toEqual([expect.stringMatching(/^daybook_panel_refresh=; .*Max-Age=0;/)])
})

const corpus: [string, Record<string, string>, string][] = [
  ['another origin', { origin: 'http://evil.test' }, '{}'],
  ['a longer origin', { origin: `${OWN}.evil.test` }, '{}'],
  ['a longer name', { origin: 'http://evilpanel.test' }, '{}'],
  ['a name below', { origin: 'http://x.panel.test' }, '{}'],
  ['another scheme', { origin: 'https://panel.test' }, '{}'],
  ['another port', { origin: `${OWN}:81` }, '{}'],
  ['a path', { origin: `${OWN}/` }, '{}'],
  ['another case', { origin: 'http://PANEL.test' }, '{}'],
  ['two origins', { origin: `${OWN}, http://evil.test` }, '{}'],
  ['an opaque origin', { origin: 'null' }, '{}'],
  ['an empty origin', { origin: '' }, '{}'],
  ['no origin', {}, '{}'],
  ['a referer in its place', { referer: `${OWN}/` }, '{}'],
  ['a text', { origin: OWN, 'content-type': 'text/plain' }, '{}'],
  ['a form', { origin: OWN, 'content-type': 'application/x-www-form-urlencoded' }, 'a=b'],
  ['nothing', { origin: OWN, 'content-type': '' }, ''],
]

const victim = await entered()

test.each(corpus)('from %s it is refused, and what it stands for goes on', async (_what, headers, raw) => {
  const { accessToken, refreshToken } = victim
  for (const path of ['refresh', 'logout']) {
    const ask = { raw, headers: { ...headers, cookie: `${REFRESH_COOKIE}=${refreshToken}` } }
    expect([400, 403, 415]).toContain((await panel.call('POST', `/api/auth/${path}`, ask)).status)
  }
  expect(await isSignedIn(panel, accessToken)).toBe(true)
})

test('no other method, no override and no other route takes it, and it is still good after all that', async () => {
  const { refreshToken } = victim
  const headers = { ...withCookie(refreshToken), 'x-http-method-override': 'POST', 'x-method-override': 'POST' }
  expect((await panel.call('GET', '/api/auth/refresh?_method=POST', { headers })).status).toBe(404)
  const guarded = routes.filter(({ access, method }) => access.kinds.length > 0 && method === 'GET')
  for (const { path } of guarded)
    expect((await panel.call('GET', path.replaceAll(/:\w+/g, UNKNOWN_ID), { headers })).status, path).toBe(401)
  expect((await refreshSession(panel, refreshToken)).status).toBe(200)
})

test('whoever signs in gets a session and tokens of his own, whatever he brought along', async () => {
  const attacker = await entered()
  const planted = withCookie(attacker.refreshToken)
  const own = await entered(planted)
  const { [SID]: session } = claimsOf(own.accessToken)
  expect(session).not.toBe(claimsOf(attacker.accessToken)[SID])
  expect(own.refreshToken).not.toBe(attacker.refreshToken)
  expect(claimsOf((await refreshSession(panel, own.refreshToken)).body.accessToken)[SID]).toBe(session)
  await panel.call('POST', '/api/auth/logout', { as: attacker.accessToken, body: {} })
  expect(await isSignedIn(panel, own.accessToken)).toBe(true)
})

test('the refresh cookie is no bearer, and no other secret is a refresh cookie', async () => {
  const { accessToken, refreshToken, reply } = await entered()
  expect(await isSignedIn(panel, refreshToken)).toBe(false)
  const device = cookieIn(reply, 'daybook_panel_device')!
  for (const other of [
    accessToken,
    device,
    newSecret('r'),
    newSecret('k'),
    `${refreshToken}0`,
    refreshToken.toLowerCase(),
  ])
    expect((await refreshSession(panel, other)).status).toBe(401)
  expect((await refreshSession(panel, refreshToken)).status).toBe(200)
})
