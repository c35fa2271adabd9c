/** A stolen session of the panel without its password: no call changes how its owner signs in (A16). */
import { describe, expect, test } from 'vitest'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import { searchReachableStates } from '#test/support/session-thief'
import { routes } from '../../../src/composition/panel.ts'
import { cookieIn, enableTotp, fromNewAddress, REFRESH_COOKIE, signIn, typesOf } from '../../support/panel/people.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'

const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1'), compareReadModels: false })
const STALE_MS = 6 * 60_000

async function owner(hasFactor: boolean) {
  const { id, email } = await panel.account('USER')
  const code = hasFactor ? (await enableTotp(panel, id)).code : undefined
  let browser: Record<string, string> = {}
  const enter = async () => {
    const entered = await signIn(
      panel,
      { email },
      { ...(code ? { totp: code() } : {}), headers: { ...fromNewAddress(), ...browser } },
    )
    browser = { cookie: `daybook_panel_device=${cookieIn(entered.reply, 'daybook_panel_device')}` }
    return entered
  }
  const { accessToken, refreshToken } = await enter()
  panel.passTime(STALE_MS)
  return { id, email, accessToken, refreshToken, code, enter }
}

const post = (path: string, as: string, body: object) =>
  panel.call('POST', `/api/auth/${path}`, { as, body, headers: fromNewAddress() })

describe.each([
  ['without a second factor', false],
  ['with a second factor', true],
])('%s', (_what, hasFactor) => {
  test('no sequence of calls that needs no password changes how the owner signs in', async () => {
    const calls = await searchReachableStates(panel, {
      opened: panel.panel,
      authPath: '/api/auth',
      routes,
      cookie: REFRESH_COOKIE,
      origin: 'http://panel.test',
      aside: ['UserRenamed', 'UserOnboarded', 'SseTokenMade'],
      victim: () => owner(hasFactor),
      async check(victim, _as, path) {
        const { reply } = await victim.enter()
        expect(reply.status, `the owner signs in after ${path}`).toBe(200)
        expect(reply.body.user.totpEnabled, path).toBe(hasFactor)
      },
    })
    for (const line of ['2fa/setup {password}', '2fa/enable {password, code}', '2fa/disable {password, code}'])
      expect(calls).toContain(`POST /api/auth/${line}`)
  })
})

test('a thief cannot spend the codes of the owner: the session ends first, and the owner is told', async () => {
  const { id, email, accessToken, code, enter } = await owner(true)
  for (let n = 0; n < 4; n += 1)
    expect((await post('2fa/disable', accessToken, { password: `guess ${n}`, code: '000000' })).status).toBe(401)
  expect(await typesOf(panel, `userSessions-${id}`)).toEqual(['UserSessionStarted'])
  await post('2fa/disable', accessToken, { password: 'guess 5', code: '000000' })
  expect(await typesOf(panel, `userSessions-${id}`)).toEqual(['UserSessionStarted', 'UserSessionEnded'])
  expect((await post('2fa/disable', accessToken, { password: PASSWORD, code: code!() })).status).toBe(401)
  panel.passTime(STALE_MS)
  await panel.settle()
  expect(
    panel.mails
      .filter(({ to }) => to === email)
      .map(({ text }) => text)
      .join(),
  ).toContain('Too many wrong')
  expect((await enter()).reply.status, 'from the browser of the owner').toBe(200)
})

test('enrolling is told to the owner', async () => {
  const { id, email, accessToken: as } = await owner(false)
  const { secret } = (await post('2fa/setup', as, { password: PASSWORD })).body
  const code = totpCode(secret, stepAt(panel.panel.clock.now()))
  expect((await post('2fa/enable', as, { password: PASSWORD, code })).status).toBe(200)
  await panel.settle()
  expect(panel.mails.filter(({ to }) => to === email).map(({ subject }) => subject)).toEqual([
    'Your second factor is on',
  ])
  expect(await typesOf(panel, `userSessions-${id}`)).toContain('UserSessionPasswordProved')
})
