/** The first account of a panel, over HTTP. Each test has a panel without accounts. */
import { expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { setupToken } from '#panel/access/setup-token'
import { fromNewAddress, typesOf } from '../../support/panel/people.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import type { TestPanel } from '../../support/panel/service.ts'

const options = { trustedProxies: parseTrustedProxies('127.0.0.1') }
const begun = await startPanel({ ...options, mail: undefined })
const raced = await startPanel(options)
const guessed = await startPanel(options)

const isRequired = async (panel: TestPanel) => (await panel.call('GET', '/api/auth/setup-status')).body.setupRequired
const register = (panel: TestPanel, body: Record<string, unknown>) =>
  panel.call('POST', '/api/auth/register', { body: { password: PASSWORD, ...body }, headers: fromNewAddress() })

test('with the setup token the first account is a SUPERADMIN at once, without a mail; then the token is good for nothing', async () => {
  const token = await setupToken(begun.panel)
  expect(token).toMatch(/^dbu_[0-9A-Za-z]{46}$/)
  expect(await setupToken(begun.panel), 'the same after every restart').toBe(token)
  expect(await isRequired(begun)).toBe(true)
  const email = 'first@panel.test'
  expect((await register(begun, { email, setupToken: token, name: 'Robin' })).status).toBe(201)
  expect(await isRequired(begun)).toBe(false)
  expect(await setupToken(begun.panel)).toBeUndefined()
  const { body } = await begun.login(email)
  expect(body.user).toMatchObject({ email, name: 'Robin', role: 'SUPERADMIN', status: 'ACTIVE' })
  const again = await register(begun, { email: 'second@panel.test', setupToken: token })
  expect([again.status, again.headers.get('error-code')]).toEqual([409, 'SETUP_DONE'])
  expect(await begun.dump()).not.toContain(token)
  expect(begun.logs()).not.toContain(token)
})

test('of 100 who are first at once, one is', async () => {
  const token = await setupToken(raced.panel)
  const replies = await Promise.all(
    Array.from({ length: 100 }, (_, n) => register(raced, { email: `p${n % 50}@panel.test`, setupToken: token })),
  )
  const statuses = replies.map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(1)
  expect(statuses.filter((status) => ![201, 409, 503].includes(status))).toEqual([])
  expect(await typesOf(raced, 'userRoster')).toEqual(['UserEnrolled'])
})

test('without the token, with another, or with a weak password nobody is first, and nothing is recorded', async () => {
  const token = (await setupToken(guessed.panel))!
  const email = 'stranger@panel.test'
  const other = `${token.startsWith('A') ? 'B' : 'A'}${token.slice(1)}`
  const refusals = [
    await register(guessed, { email }),
    await register(guessed, { email, setupToken: other }),
    await register(guessed, { email, setupToken: '' }),
    await register(guessed, { email, setupToken: token, password: 'password' }),
    await register(guessed, { email, setupToken: token, role: 'SUPERADMIN' }),
  ]
  expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 400, 400])
  expect(refusals.slice(0, 3).map(({ headers }) => headers.get('error-code'))).toEqual([
    'REGISTRATION_CLOSED',
    'SETUP_TOKEN_INVALID',
    'SETUP_TOKEN_INVALID',
  ])
  expect(await isRequired(guessed)).toBe(true)
  expect(await guessed.history()).toEqual([])
})
