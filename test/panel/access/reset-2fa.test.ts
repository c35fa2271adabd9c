/** `daybook panel reset-2fa`, without its terminal output. */
import { expect, test } from 'vitest'
import { resetSecondFactor } from '#panel/access/reset-second-factor'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
const proof = { password: PASSWORD }
const code = (secret: string) => totpCode(secret, stepAt(panel.panel.clock.now()))

test('whoever has lost his second factor signs in without it, and nobody goes on with what he had', async () => {
  const { email, id, as } = await panel.somebody('SUPERADMIN')
  const { secret } = (await panel.call('POST', '/api/auth/2fa/setup', { as, body: proof })).body
  expect(
    (await panel.call('POST', '/api/auth/2fa/enable', { as, body: { ...proof, code: code(secret) } })).status,
  ).toBe(200)
  expect((await panel.login(email)).headers.get('error-code')).toBe('TOTP_REQUIRED')

  expect(await resetSecondFactor(panel.panel, email.toUpperCase())).toMatchObject({ hadSecondFactor: true })
  await panel.panel.projector.catchUp()
  expect((await panel.call('GET', '/api/auth/me', { as })).status).toBe(401)
  const me = await panel.call('GET', '/api/auth/me', { as: await panel.signIn(email) })
  expect(me.body).toMatchObject({ id, totpEnabled: false })
  const reset = (await panel.history()).find(({ type }) => type === 'UserTotpReset')
  expect(reset!.metadata).toMatchObject({ actor: { type: 'SYSTEM' } })

  const nothing = { failures: 0, wasLocked: false }
  expect(await resetSecondFactor(panel.panel, email)).toEqual({
    hadSecondFactor: false,
    password: nothing,
    secondFactor: nothing,
  })
  await expect(resetSecondFactor(panel.panel, 'nobody@panel.test')).rejects.toMatchObject({ statusCode: 404 })
})

test('wrong codes that were counted before count no more', async () => {
  const { email, as } = await panel.somebody('ADMIN')
  const { secret } = (await panel.call('POST', '/api/auth/2fa/setup', { as, body: proof })).body
  expect(
    (await panel.call('POST', '/api/auth/2fa/enable', { as, body: { ...proof, code: code(secret) } })).status,
  ).toBe(200)
  const guess = { email, password: PASSWORD, totp: '000000' }
  for (let wrong = 0; wrong < 6; wrong += 1) await panel.call('POST', '/api/auth/login', { body: guess })
  await resetSecondFactor(panel.panel, email)
  await panel.panel.projector.catchUp()
  // No time step counts twice, whatever the secret.
  panel.passTime(30_000)
  const again = await panel.signIn(email)
  const { secret: next } = (await panel.call('POST', '/api/auth/2fa/setup', { as: again, body: proof })).body
  expect(
    (await panel.call('POST', '/api/auth/2fa/enable', { as: again, body: { ...proof, code: code(next) } })).status,
  ).toBe(200)
  panel.passTime(30_000)
  const right = { email, password: PASSWORD, totp: code(next) }
  expect((await panel.call('POST', '/api/auth/login', { body: right })).status).toBe(200)
})

test('an account that wrong passwords have locked is let in again, also one without a second factor', async () => {
  const { email } = await panel.account('SUPERADMIN')
  expect((await panel.login(email, 'not the password')).status).toBe(401)
  await panel.superuser.query(
    `UPDATE telemetry.attempt SET consecutive = 100, locked_at = now() WHERE key LIKE 'password:%' AND consecutive = 1`,
  )
  expect((await panel.login(email)).status).toBe(401)
  const { password, hadSecondFactor } = await resetSecondFactor(panel.panel, email)
  expect([password, hadSecondFactor]).toEqual([{ failures: 100, wasLocked: true }, false])
  await panel.signIn(email)
})
