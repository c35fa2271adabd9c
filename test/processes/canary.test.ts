/**
 * Personal values of this run pass through every route that takes them. Then all written data is searched for
 * them.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { logger } from '#kernel/logging/log'
import { parseKeyEncryptionKey } from '#kernel/vault/vault'
import { addStaff } from '#licensing/access/staff-accounts'
import { openCore, SYSTEM_ACTOR } from '../../src/composition/licensing.ts'
import { openShop, openSite, signIn, SLUG } from '../support/processes/site.ts'

const chance = randomBytes(6).toString('hex')
const groups = randomBytes(8).toString('hex').match(/..../g)!
const PERSONAL = {
  email: `canary-${chance}@customer.test`,
  staffEmail: `warden-${chance}@staff.test`,
  name: `Wanda Canary-${chance}`,
  userAgent: `CanaryBrowser/${chance}`,
  ip: `2001:db8:${groups.map((group) => group.replaceAll('0', 'a')).join(':')}:aa:bb`,
  reference: `order of canary-${chance}`,
} as const
const PASSWORD = `${randomBytes(12).toString('base64url')} is long enough`
/** Not personal: proves that the search finds a value that is stored. */
const OPEN = `plan-${chance}`

const site = await openSite({ LOG_LEVEL: 'trace', TRUSTED_PROXIES: '127.0.0.1' })
afterAll(() => site.close(), 60_000)
const service = await site.service()
const session = await signIn(service)
const shop = await openShop(service, session)
const from = { 'x-forwarded-for': PERSONAL.ip, 'user-agent': PERSONAL.userAgent }

const ask = (method: string, path: string, as?: string, body?: unknown) =>
  service.call(method, path, { ...(as === undefined ? {} : { as }), body, headers: from })

/** No route creates staff yet; the host does. */
async function hire(): Promise<void> {
  const core = await openCore(
    { databaseUrl: site.env['DATABASE_URL']!, secretKey: parseKeyEncryptionKey(site.env['DAYBOOK_SECRET_KEY']!) },
    logger({ level: 'silent' }),
  )
  const person = { email: PERSONAL.staffEmail, name: PERSONAL.name, roles: ['SUPERADMIN' as const], password: PASSWORD }
  const context = { actor: SYSTEM_ACTOR, ip: PERSONAL.ip, requestId: 'canary' }
  await addStaff((work) => core.commands.run(context, work), core.vault, person)
  await core.projector.catchUp()
  await core.close()
}

async function workAsStaff(): Promise<void> {
  const login = { email: PERSONAL.staffEmail, password: PASSWORD }
  expect((await ask('POST', '/api/admin/auth/login', undefined, { ...login, password: 'wrong' })).status).toBe(401)
  expect((await ask('POST', '/api/admin/auth/login', undefined, { ...login, email: PERSONAL.email })).status).toBe(401)
  const { status, body } = await ask('POST', '/api/admin/auth/login', undefined, login)
  expect(status).toBe(200)
  const as: string = body.accessToken
  expect((await ask('GET', '/api/admin/auth/me', as)).body.name).toBe(PERSONAL.name)
  const sessions = await ask('GET', '/api/admin/auth/sessions', as)
  expect(JSON.stringify(sessions.body)).toContain(PERSONAL.userAgent)
  await ask('POST', '/api/admin/auth/2fa/setup', as, { password: PASSWORD })
  expect((await ask('POST', '/api/admin/plans', as, { slug: OPEN, name: 'Open' })).status).toBe(201)
  await ask('DELETE', '/api/admin/auth/sessions', as)
}

async function sell(): Promise<void> {
  const order = { email: PERSONAL.email, planSlug: SLUG, reference: PERSONAL.reference }
  const provision = (body: unknown) => ask('POST', '/api/admin/provisioning', shop, body)
  expect((await provision({ ...order, planSlug: 'no-such-plan' })).status).toBe(400)
  expect((await provision({ ...order, seats: PERSONAL.email })).status).toBe(400)
  await site.superuser.query('REVOKE INSERT ON vault.data_key FROM daybook_service')
  expect((await provision(order)).status).toBe(500)
  await site.superuser.query('GRANT INSERT ON vault.data_key TO daybook_service')
  const sold = await provision(order)
  expect(sold.status).toBe(201)
  expect((await provision({ ...order, email: PERSONAL.email.toUpperCase() })).status).toBe(200)
  expect((await ask('GET', `/api/admin/licenses/${sold.body.license.id}/key`, shop)).status).toBe(200)
}

async function askAround(): Promise<void> {
  const email = encodeURIComponent(PERSONAL.email)
  expect((await ask('GET', `/api/admin/customers?q=${email}`, session)).body.items[0].email).toBe(PERSONAL.email)
  for (const list of ['licenses', 'subscriptions', 'audit']) {
    const { status } = await ask('GET', `/api/admin/${list}?pageSize=100`, session)
    expect(status).toBe(200)
  }
  expect((await ask('GET', '/api/admin/audit?sort=-position&pageSize=100', session)).body.items[0].actor.ip).toBe(
    PERSONAL.ip,
  )
  expect((await ask('GET', `/api/admin/audit?actor=${email}`, session)).status).toBe(200)
  expect((await ask('GET', '/api/admin/audit/export?format=csv', session)).body).toContain(PERSONAL.ip)
  expect((await ask('GET', `/api/admin/${email}`, session)).status).toBe(404)
  expect((await ask('GET', `/api/admin/customers?${email}=1`, session)).status).toBe(400)
  expect((await ask('GET', '/api/admin/plans', PERSONAL.email)).status).toBe(401)
}

async function dump(): Promise<string> {
  const { rows: tables } = await site.superuser.query(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  )
  const lines: string[] = []
  for (const { name } of tables) {
    const { rows } = await site.superuser.query(`SELECT t::text AS line FROM ${name} t`)
    lines.push(...rows.map(({ line }) => `${name} ${line}`))
  }
  return lines.join('\n')
}

/** The log of a server of DAYBOOK_TEST_DATABASE_URL is not available. */
async function postgresLog(): Promise<string> {
  const { rows } = await site.superuser.query(`SELECT current_setting('data_directory') AS pgdata`)
  const path = join(dirname(rows[0].pgdata), 'postgres.log')
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** The value as it is, in hexadecimal, and in base64 at each of the three offsets within a group of bytes. */
function traces(value: string): string[] {
  const bytes = Buffer.from(value)
  const shifted = [0, 1, 2].map((skip) => {
    const whole = bytes.subarray(skip, bytes.length - ((bytes.length - skip) % 3))
    return whole.toString('base64').slice(0, 24)
  })
  const url = shifted.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [value, encodeURIComponent(value), bytes.toString('hex').toLowerCase(), ...shifted, ...url]
}

function found(text: string): string[] {
  const lower = text.toLowerCase()
  return Object.entries(PERSONAL).flatMap(([name, value]) =>
    traces(value)
      .filter((trace) => text.includes(trace) || lower.includes(trace.toLowerCase()))
      .map((trace) => `${name} as ${trace}: ${text.slice(text.indexOf(trace) - 120).slice(0, 300)}`),
  )
}

test('e-mail, name, user agent, address and reference stand nowhere in clear, nor in base64 or hex', async () => {
  await hire()
  await workAsStaff()
  await sell()
  await askAround()
  await site.settled()
  await service.stop()
  const database = await dump()
  expect(database).toContain(OPEN)
  expect(found(database)).toEqual([])
  expect(service.said()).toContain('"level":50')
  expect(found(service.said() + service.complained())).toEqual([])
  expect(found(await postgresLog())).toEqual([])
}, 60_000)

test.each(Object.entries(PERSONAL))('the search would find the %s', (_name, value) => {
  for (const text of [value, value.toUpperCase()]) expect(found(`before ${text} after`)).not.toEqual([])
  for (const skew of ['', 'x', 'xy']) {
    const bytes = Buffer.from(`${skew}${value}.`)
    expect(found(bytes.toString('base64'))).not.toEqual([])
    expect(found(bytes.toString('base64url'))).not.toEqual([])
    expect(found(`\\x${bytes.toString('hex')}`)).not.toEqual([])
  }
})
