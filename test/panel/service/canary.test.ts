/**
 * Unique secrets and personal values pass through every route that takes or gives one. None of them is stored
 * unencrypted (A9, A10).
 */
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import { apiKeyFixture } from '../../support/panel/api-key-fixture.ts'
import { cookieIn, mailedToken, REFRESH_COOKIE, refreshSession, signIn } from '../../support/panel/people.ts'
import { ok } from '../../support/panel/project-fixture.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'

const CANARY = `canary${randomBytes(6).toString('hex')}`
const IP = '198.51.100.77'
const headers = { 'x-forwarded-for': IP, 'user-agent': `Browser ${CANARY}` }
const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1') })
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')

/** The secrets that were given or received, by name. */
const secrets = new Map<string, string>()
function kept<Value extends string | undefined>(name: string, value: Value): Value {
  expect(value, name).toMatch(/.{6}/)
  secrets.set(name, String(value))
  return value
}

const send = (method: string, path: string, as: string, body?: object) =>
  panel.call(method, path, { as, headers, ...(body && { body }) })
const post = (path: string, body: object) => panel.call('POST', `/api/auth/${path}`, { body, headers })

/**
 * An account that is invited, chooses a password, enables a second factor, forgets the password and signs in
 * again.
 */
async function person(): Promise<string> {
  const email = `${CANARY}@panel.test`
  ok(await send('POST', '/api/admin/users', root.as, { email, name: `Name ${CANARY}` }), 201)
  const invited = kept('the link of an invitation', (await mailedToken(panel, email)).token)
  const chosen = `${PASSWORD} ${CANARY}`
  expect((await post('reset-password', { token: invited, password: chosen })).status).toBe(204)
  await signIn(panel, { email, password: `${CANARY} wrong` }, { headers })
  const first = await signIn(panel, { email, password: chosen }, { headers })
  const as = kept('a session', first.accessToken)
  const { secret } = ok(await send('POST', '/api/auth/2fa/setup', as, { password: chosen }))
  kept('the secret of a second factor', secret)
  const code = totpCode(secret, stepAt(panel.panel.clock.now()))
  const { backupCodes } = ok(await send('POST', '/api/auth/2fa/enable', as, { password: chosen, code }))
  for (const [nth, each] of backupCodes.entries()) kept(`backup code ${nth}`, each)
  await send('PATCH', '/api/auth/profile', as, { name: `Other ${CANARY}` })
  const change = { current: chosen, new: `${chosen} new` }
  expect((await send('POST', '/api/auth/change-password', as, change)).status).toBe(204)
  const { refreshToken } = await signIn(panel, { email, password: change.new }, { headers, totp: backupCodes[0] })
  const renewed = await refreshSession(panel, kept('a refresh token', refreshToken))
  kept('its successor', cookieIn(renewed, REFRESH_COOKIE))
  await post('forgot-password', { email })
  kept('the link for a new password', (await mailedToken(panel, email)).token)
  kept('a stream token', ok(await send('POST', '/api/auth/sse-token', as), 201).sseToken)
  const key = ok(await apiKeyFixture(panel).mint({ as }, { name: `Key ${CANARY}` }), 201)
  kept('an API key', key.secret)
  await panel.call('GET', '/api/projects', { as: key.secret, headers })
  return as
}

async function belongings(as: string): Promise<void> {
  const named = { name: `Shop ${CANARY}`, description: `About ${CANARY}` }
  const { id } = ok(await send('POST', '/api/projects', as, named), 201)
  const team = ok(await send('POST', '/api/teams', as, { name: `Team ${CANARY}` }), 201)
  ok(await send('POST', `/api/projects/${id}/members`, as, { email: `awaited-${CANARY}@panel.test` }), 201)
  ok(await send('POST', `/api/teams/${team.id}/members`, as, { email: `awaited-${CANARY}@panel.test` }), 201)
  const variables = [{ name: 'SECRET', value: `value ${CANARY}` }]
  ok(await send('PUT', `/api/projects/${id}/shared-env`, as, { variables }))
  ok(
    await send('PUT', `/api/projects/${id}/shared-env`, as, {
      variables: [{ name: 'SECRET', value: `later ${CANARY}` }],
    }),
  )
}

test('what is secret or personal stands in clear nowhere, nor in base64 or hex', async () => {
  await belongings(await person())
  await panel.settle()
  const everything = `${await panel.dump()}\n${panel.logs()}`
  secrets.set('what is personal', CANARY).set('an address', IP)
  for (const [name, value] of secrets)
    for (const spelled of [
      value,
      Buffer.from(value).toString('base64url').slice(0, -1),
      Buffer.from(value).toString('hex'),
    ])
      expect(everything.includes(spelled), `${name} as ${spelled.slice(0, 4)}…`).toBe(false)
  expect(secrets.size).toBe(20)
})
