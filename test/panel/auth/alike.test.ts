/** Invalid credentials of all kinds get the same answer to the byte, so that it reveals nothing (A4). */
import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { newSecret } from '#kernel/credentials/secret-token'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { stableReply } from '../../support/panel/api-key-fixture.ts'
import {
  cookieIn,
  enableTotp,
  fromNewAddress,
  mailedToken,
  REFRESH_COOKIE,
  refreshSession,
  signIn,
} from '../../support/panel/people.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { Reply } from '../../support/panel/service.ts'

const NEW = 'quite another passphrase 77'
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'
const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1'), compareReadModels: false })

const me = (as: string) => panel.call('GET', '/api/auth/me', { as })
const post = (path: string, body: object): Promise<Reply> =>
  panel.call('POST', `/api/auth/${path}`, { body, headers: fromNewAddress() })
const root = await panel.somebody('SUPERADMIN')
const becomes = (id: string, status: string) =>
  panel.call('PATCH', `/api/admin/users/${id}/status`, { as: root.as, body: { status } })

/** All are refused with this status, and none differs from the first. */
function expectAlike(replies: readonly Reply[], status: number): void {
  expect(replies[0]!.status, replies[0]!.text).toBe(status)
  for (const reply of replies) expect(stableReply(reply)).toEqual(stableReply(replies[0]!))
}

async function forged(sub: string): Promise<string> {
  const claims = new SignJWT({ sid: UNKNOWN_ID, jti: 'x' }).setProtectedHeader({ alg: 'HS256', typ: 'at+jwt' })
  const named = claims.setSubject(sub).setIssuer(panel.settings.baseUrl).setAudience('daybook-panel')
  return named.setIssuedAt().setExpirationTime('10m').sign(Buffer.alloc(32, 1))
}

test('every refused session', async () => {
  const [ended, suspended, erased] = [await panel.somebody(), await panel.somebody(), await panel.somebody()]
  await panel.call('POST', '/api/auth/logout', { as: ended.as, body: {} })
  await becomes(suspended.id, 'SUSPENDED')
  await panel.call('DELETE', `/api/admin/users/${erased.id}`, { as: root.as })
  const good = (await panel.somebody()).as
  expect((await me(good)).status).toBe(200)
  const [head, body, mark] = good.split('.')
  const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')
  const foreign = Buffer.from(JSON.stringify({ sub: root.id })).toString('base64url')
  const refused = ['garbage', 'a.b.c', `${none}.${body}.`, `${none}.${body}.${mark}`, `${head}.${foreign}.${mark}`]
  refused.push(ended.as, suspended.as, erased.as, `${good}A`, newSecret('r'), newSecret('s'), await forged(root.id))
  const replies: Reply[] = []
  for (const token of refused) replies.push(await me(token))
  expectAlike(replies, 401)
})

test('every refused refresh token', async () => {
  const entered = async () => {
    const { id, email } = await panel.account('USER')
    return { id, ...(await signIn(panel, { email })) }
  }
  const [ended, suspended, erased, reused] = [await entered(), await entered(), await entered(), await entered()]
  await panel.call('POST', '/api/auth/logout', { as: ended.accessToken, body: {} })
  await becomes(suspended.id, 'SUSPENDED')
  await panel.call('DELETE', `/api/admin/users/${erased.id}`, { as: root.as })
  const successor = cookieIn(await refreshSession(panel, reused.refreshToken), REFRESH_COOKIE)!
  await refreshSession(panel, successor)
  const replies: Reply[] = []
  for (const { refreshToken } of [ended, suspended, erased, reused])
    replies.push(await refreshSession(panel, refreshToken))
  for (const token of [successor, newSecret('r'), 'garbage', '']) replies.push(await refreshSession(panel, token))
  expectAlike(replies, 401)
})

test('every link that leads nowhere', async () => {
  const linked = async () => {
    const { id, email } = await panel.account('USER')
    await post('forgot-password', { email })
    return { id, email, token: (await mailedToken(panel, email)).token }
  }
  const ended = await linked()
  panel.passTime(10 * 60_000)
  const [used, suspended, erased] = [await linked(), await linked(), await linked()]
  expect((await post('reset-password', { token: used.token, password: NEW })).status).toBe(204)
  await becomes(suspended.id, 'SUSPENDED')
  await panel.call('DELETE', `/api/admin/users/${erased.id}`, { as: root.as })
  const tokens = [used.token, ended.token, suspended.token, erased.token, newSecret('l'), newSecret('r'), 'garbage', '']
  const replies: Reply[] = []
  for (const token of tokens) {
    replies.push(await post('reset-password', { token, password: NEW }), await post('verify-email', { token }))
  }
  expectAlike(replies, 400)
})

test('every code that is wrong where a code is asked for', async () => {
  const { id, email } = await panel.account('USER')
  const { codes, code } = await enableTotp(panel, id)
  const { accessToken: as } = await signIn(panel, { email }, { totp: codes[0]! })
  const disable = (password: string, given: string) =>
    panel.call('POST', '/api/auth/2fa/disable', { as, body: { password, code: given }, headers: fromNewAddress() })
  const right = 'a long enough passphrase 42'
  const replies: Reply[] = []
  for (const given of ['000000', '', '12345', ' 000000', '０００００0']) replies.push(await disable(right, given))
  replies.push(await disable(NEW, code()), await disable(right, code()))
  expectAlike(replies, 401)
})
