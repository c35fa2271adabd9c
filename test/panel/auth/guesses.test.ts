/**
 * Every route that checks a secret counts the guess. The routes are found by their declarations, so that none
 * is forgotten (A7).
 */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import type { JsonObject } from '#kernel/events/store-port'
import { fieldsOf } from '#kernel/http/openapi/schema-fields'
import { routes } from '../../../src/composition/panel.ts'
import { enableTotp, fromNewAddress, signIn } from '../../support/panel/people.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'

const NEW = 'quite another passphrase 77'
const SECRET = /^(password|current|code|totp|token|setupToken|refreshToken)$/
const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1'), compareReadModels: false })
const known = await panel.account('USER')
const { codes, code } = await enableTotp(panel, known.id)
const { accessToken: as } = await signIn(panel, known, { totp: codes[0]! })
const enrolling = await panel.somebody()
await panel.call('POST', '/api/auth/2fa/setup', { as: enrolling.as, body: { password: PASSWORD } })

/** The account that guesses where the route needs one without a second factor. */
const OTHERS: Readonly<Record<string, string>> = {
  'POST /api/auth/2fa/setup': enrolling.as,
  'POST /api/auth/2fa/enable': enrolling.as,
}

/** A wrong guess for each of them. */
const GUESSES: Readonly<Record<string, () => object>> = {
  'POST /api/auth/login': () => ({ email: known.email, password: NEW }),
  'POST /api/auth/register': () => ({ email: 'a@panel.test', password: NEW, setupToken: 'guess' }),
  'POST /api/auth/verify-email': () => ({ token: 'guess' }),
  'POST /api/auth/reset-password': () => ({ token: 'guess', password: NEW }),
  'POST /api/auth/change-password': () => ({ current: 'guess', new: NEW }),
  'POST /api/auth/2fa/setup': () => ({ password: 'guess' }),
  'POST /api/auth/2fa/enable': () => ({ password: 'guess', code: code() }),
  'POST /api/auth/2fa/disable': () => ({ password: 'guess', code: code() }),
}

/** A guess has to find 238 bits. */
const UNCOUNTED = ['POST /api/auth/refresh']

/** They store the password or the token of a service elsewhere, and compare it with nothing. */
const OF_ELSEWHERE = ['POST /api/git-providers', 'POST /api/registries', 'PATCH /api/registries/:id']

test('the routes that look at a secret are these', () => {
  const looking = routes.filter(({ body }) => {
    const schema = body && (z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as JsonObject)
    return schema && fieldsOf(schema).some(({ name }) => SECRET.test(name))
  })
  expect(looking.map(({ line }) => line as string).toSorted()).toEqual(
    [...Object.keys(GUESSES), ...UNCOUNTED, ...OF_ELSEWHERE].toSorted(),
  )
})

/** The counters of failures by origin: of address blocks, and of sessions. */
async function counted(): Promise<Record<'address' | 'device', number>> {
  const { rows } = await panel.superuser.query(
    `SELECT coalesce(sum(cardinality(recent)) FILTER (WHERE starts_with(key, 'address:')), 0)::int AS address,
       coalesce(sum(cardinality(recent)) FILTER (WHERE starts_with(key, 'device:')), 0)::int AS device
     FROM telemetry.attempt`,
  )
  return rows[0]
}

/** An IPv6 address counts for its /64, its /56 and its /48. A signed-in caller counts for the session alone. */
const OF_A_STRANGER = { address: 3, device: 0 }
const OF_A_SESSION = { address: 0, device: 1 }
const IN_A_SESSION = [
  'POST /api/auth/change-password',
  'POST /api/auth/2fa/setup',
  'POST /api/auth/2fa/enable',
  'POST /api/auth/2fa/disable',
]

test.each(Object.entries(GUESSES))('%s counts a guess for where it came from', async (line, guess) => {
  const before = await counted()
  const [method = '', path = ''] = line.split(' ')
  const ask = { as: OTHERS[line] ?? as, body: guess(), headers: fromNewAddress() }
  const { status } = await panel.call(method, path, ask)
  expect([400, 401, 403, 409]).toContain(status)
  const now = await counted()
  expect({ address: now.address - before.address, device: now.device - before.device }).toEqual(
    IN_A_SESSION.includes(line) ? OF_A_SESSION : OF_A_STRANGER,
  )
})

test('what was right is given back', async () => {
  const [before, somebody] = [await counted(), await panel.account('USER')]
  const { accessToken } = await signIn(panel, somebody)
  const body = { current: PASSWORD, new: NEW }
  const headers = fromNewAddress()
  expect((await panel.call('POST', '/api/auth/change-password', { as: accessToken, body, headers })).status).toBe(204)
  expect(await counted()).toEqual(before)
})
