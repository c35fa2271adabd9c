/** The generated access matrix: every route × every kind of credential. A changed access declaration fails it. */
import { SignJWT, generateKeyPair } from 'jose'
import { describe, expect, test } from 'vitest'
import { newSecret } from '#kernel/credentials/secret-token'
import { routes } from '../../../src/composition/licensing.ts'
import { begun } from '../../support/begun.ts'
import { ACCESS, EXEMPT, HOLDS } from '../../support/licensing/access-table.ts'
import type { Row } from '../../support/licensing/access-table.ts'
import { mintWithoutRules } from '../../support/licensing/backdated-token.ts'
import { STAFF_PASSWORD, startService } from '../../support/licensing/service.ts'
import type { Reply } from '../../support/licensing/service.ts'
import { signedInShopper } from '../../support/licensing/shoppers.ts'

const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'
const NOT_FOR_STAFF = 'This endpoint is not available to staff sessions.'
const NOT_FOR_CUSTOMERS = 'This endpoint is not available to customer sessions.'
const NOT_FOR_TOKENS = 'This endpoint is not available to machine tokens. Use a staff session.'

const service = await startService({ compareReadModels: false })
const authFree = ACCESS.filter(({ needs }) => needs !== 'public' && needs !== 'cookie' && needs !== 'signed')

/**
 * Changes nothing: bodies are refused before a handler runs, and ids are unknown. An allowed request is
 * answered 2xx, 400, 404 or 415.
 */
async function knock({ line }: Row, as?: string): Promise<Reply> {
  const [method, path] = line.split(' ') as [string, string]
  if (path.endsWith('/stream')) return begun(service.url + path, { as })
  return service.call(method, path.replace(':id', UNKNOWN_ID), { as })
}

const passed = ({ status }: Reply): boolean => ![401, 403, 405, 429].includes(status) && status < 500

function expectRefused(reply: Reply, statusCode: number, message: string): void {
  expect({ status: reply.status, body: reply.body }).toEqual({ status: statusCode, body: { statusCode, message } })
}

test('every registered route stands in the access table, and the other way round', () => {
  const registered = routes.map(({ line }) => line as string).filter((line) => !EXEMPT.includes(line))
  expect(registered.toSorted(), 'each route has a row in test/support/licensing/access-table.ts').toEqual(
    ACCESS.map(({ line }) => line).toSorted(),
  )
})

test('every declaration says what the table says', () => {
  for (const { line, needs, token } of ACCESS) {
    const { access } = routes.find((route) => route.line === line)!
    const open = needs === 'public' || needs === 'cookie'
    const sole = needs === 'signed' || needs === 'customer'
    const kinds = sole ? [needs] : token ? ['staff', 'token'] : ['staff']
    expect(access.kinds, line).toEqual(open ? [] : kinds)
    expect(access.permission, line).toBe(needs.includes(':') ? needs : undefined)
    expect(access.scheme, line).toBe(needs === 'signed' ? 'signed' : undefined)
  }
})

test.each(authFree)('$line: no credential and garbage are refused', async (row) => {
  expectRefused(await knock(row), 401, 'Authentication required')
  expectRefused(await knock(row, 'garbage'), 401, 'Invalid or expired machine token')
  expectRefused(await knock(row, newSecret('k')), 401, 'Invalid or expired machine token')
  expectRefused(await knock(row, newSecret('m')), 401, 'Invalid or expired machine token')
  expectRefused(await knock(row, 'a.b.c'), 401, 'Invalid or expired session')
})

/** Each was valid once, or is valid elsewhere. */
const withered: [string, string, () => Promise<string>][] = [
  ['a revoked machine token', 'Invalid or expired machine token', revokedToken],
  ['an expired machine token', 'Invalid or expired machine token', expiredToken],
  [
    'a machine token from a wrong address',
    'Invalid or expired machine token',
    () => service.token(['plans:view'], { allowedIps: ['192.0.2.1'] }),
  ],
  ['an ended session', 'Invalid or expired session', endedSession],
  ['an ended session of a customer', 'Invalid or expired session', endedShopSession],
  ['a session of a customer who was erased', 'Invalid or expired session', erasedShopper],
  ['a license key', 'Invalid or expired session', licenseKey],
]

describe.each(withered)('%s', (_kind, message, make) => {
  const credential = make()
  test.each(authFree)('$line', async (row) => expectRefused(await knock(row, await credential), 401, message))
})

async function revokedToken(): Promise<string> {
  const as = await service.staff()
  const body = { name: 'revoked', permissions: ['plans:view'] }
  const { token, secret } = (await service.call('POST', '/api/admin/machine-tokens', { as, body })).body
  expect((await service.call('POST', `/api/admin/machine-tokens/${token.id}/revoke`, { as })).status).toBe(200)
  return secret
}

async function expiredToken(): Promise<string> {
  const expiresAt = new Date(Date.now() - 1_000).toISOString()
  return (await mintWithoutRules(service.licensing, { grants: ['plans:view'], expiresAt })).secret
}

async function endedSession(): Promise<string> {
  const { email } = await service.somebody('SUPERADMIN')
  const login = await service.call('POST', '/api/admin/auth/login', { body: { email, password: STAFF_PASSWORD } })
  const { accessToken } = login.body
  expect((await service.call('POST', '/api/admin/auth/logout', { as: accessToken, body: {} })).status).toBe(204)
  return accessToken
}

async function endedShopSession(): Promise<string> {
  const { as } = await signedInShopper(service)
  expect((await service.call('POST', '/api/shop/auth/logout', { as, body: {} })).status).toBe(204)
  return as
}

async function erasedShopper(): Promise<string> {
  const { as, id, email } = await signedInShopper(service)
  const erase = { as: await service.staff(), body: { confirmEmail: email } }
  expect((await service.call('POST', `/api/admin/customers/${id}/erase`, erase)).status).toBe(202)
  return as
}

async function licenseKey(): Promise<string> {
  const as = await service.staff()
  await service.call('POST', '/api/admin/plans', { as, body: { slug: 'matrix', name: 'Matrix' } })
  const body = { email: 'matrix@customer.test', planSlug: 'matrix' }
  return (await service.call('POST', '/api/admin/provisioning', { as, body })).body.licenseKey
}

test('a well-made session of another key, another type or another time is refused everywhere', async () => {
  const { privateKey } = await generateKeyPair('EdDSA')
  const { id } = await service.somebody('SUPERADMIN')
  const claims = { sub: id, sid: UNKNOWN_ID, jti: 'x' }
  const forged = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt' })
    .setIssuer(service.settings.baseUrl)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(privateKey)
  for (const row of authFree) expectRefused(await knock(row, forged), 401, 'Invalid or expired session')
})

describe.each(Object.keys(HOLDS))('a session of the role %s', (role) => {
  test.each(authFree)('$line', async (row) => {
    const reply = await knock(row, await service.staff(role as never))
    if (row.needs === 'customer') return expectRefused(reply, 403, NOT_FOR_STAFF)
    if (row.needs === 'own' || HOLDS[role]!(row.needs)) expect(passed(reply), reply.text).toBe(true)
    else expectRefused(reply, 403, `Missing permission ${row.needs}`)
  })
})

describe('a session of a customer', () => {
  const somebody = signedInShopper(service)

  test.each(authFree)('$line', async (row) => {
    const reply = await knock(row, (await somebody).as)
    if (row.needs === 'customer') expect(passed(reply), reply.text).toBe(true)
    else expectRefused(reply, 403, NOT_FOR_CUSTOMERS)
  })
})

describe('a machine token', () => {
  const EVERYTHING = ['customers:view', 'customers:manage', 'licenses:view', 'licenses:manage', 'instances:view']
  EVERYTHING.push('instances:manage', 'payments:view', 'versions:manage', 'plans:*', 'features:*', 'subscriptions:*')
  const in30Days = { expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString() }
  const everything = service.staff().then(() => service.token(EVERYTHING, in30Days))
  const releases = everything.then(() => service.token(['versions:manage'], in30Days))
  const payments = everything.then(() => service.token(['payments:view']))

  test.each(authFree)('$line', async (row) => {
    const all = await knock(row, await everything)
    const other = await knock(row, await (row.needs === 'versions:manage' ? payments : releases))
    if (!row.token) {
      expectRefused(all, 403, NOT_FOR_TOKENS)
      expectRefused(other, 403, NOT_FOR_TOKENS)
      return
    }
    expect(passed(all), all.text).toBe(true)
    expectRefused(other, 403, `Missing permission ${row.needs}`)
  })

  test.each(authFree.filter(({ token }) => token))('$line with just the permission', async (row) => {
    const exact = await service.token([row.needs], in30Days)
    expect(passed(await knock(row, exact))).toBe(true)
  })
})

test('what has to be signed is open to no other credential', async () => {
  const all = [
    undefined,
    'garbage',
    await service.staff(),
    await service.token(['licenses:manage']),
    await licenseKey(),
  ]
  for (const row of ACCESS.filter(({ needs }) => needs === 'signed'))
    for (const as of all) expectRefused(await knock(row, as), 401, 'Invalid license signature')
})

test('public routes answer without a credential and look at none', async () => {
  for (const row of ACCESS.filter(({ needs }) => needs === 'public')) {
    const bare = await knock(row)
    expect(passed(bare), row.line).toBe(true)
    expect((await knock(row, 'garbage')).status, row.line).toBe(bare.status)
  }
})

test('the refresh cookie alone opens refresh and logout: a session or nothing does not', async () => {
  for (const { line } of ACCESS.filter(({ needs }) => needs === 'cookie')) {
    const refused = await service.call('POST', line.replace('POST ', ''), { body: {} })
    expectRefused(refused, 401, 'Invalid or expired session')
  }
})

test('credentials in the query string open nothing', async () => {
  const token = await service.staff()
  for (const name of ['token', 'access_token', 'sseToken'])
    expect((await service.call('GET', `/api/admin/auth/me?${name}=${token}`)).status).toBe(401)
})
