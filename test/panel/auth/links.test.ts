/** Registering, verifying an address and choosing a new password by mailed links, over HTTP. */
import { describe, expect, test, vi } from 'vitest'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { requestUserLink } from '#panel/access/user-links'
import { userRoster, users } from '#panel/users/decider'
import { userEvents } from '#panel/users/events'
import {
  cookieIn,
  enableTotp,
  fromNewAddress,
  isSignedIn,
  mailedToken,
  REFRESH_COOKIE,
  signIn,
  typesOf,
} from '../../support/panel/people.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import type { Reply } from '../../support/panel/service.ts'

const setting = vi.hoisted(() => ({ isOpen: true }))
vi.mock(import('#panel/access/registration-setting'), () => ({ isRegistrationOpen: async () => setting.isOpen }))

const NEW = 'quite another passphrase 77'
const panel = await startPanel({ trustedProxies: parseTrustedProxies('127.0.0.1') })
const mailless = await startPanel({ mail: undefined })
await panel.licensed()

const post = (path: string, body: unknown, headers = fromNewAddress()): Promise<Reply> =>
  panel.call('POST', `/api/auth/${path}`, { body, headers })
let made = 0
const newAddress = () => `new-${(made += 1)}@panel.test`
const mailsTo = (email: string) => panel.mails.filter(({ to }) => to === email)

const headersOf = ({ headers }: Reply) =>
  [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)).map(([name, value]) => `${name}: ${value}`)
const bytesOf = (reply: Reply) => JSON.stringify([reply.status, reply.text, headersOf(reply)])

/** The events that one request has recorded. */
const recordedBy = async ({ headers }: Reply): Promise<string[]> => {
  const id = headers.get('x-request-id')
  return (await panel.history()).filter(({ metadata }) => (metadata as any).requestId === id).map(({ type }) => type)
}

async function idOf(email: string): Promise<string> {
  const key = await emailKeyOf(panel.panel.vault, email)
  return (await panel.run((unit) => unit.holderOf('userEmail', key)))!
}

describe('registering', () => {
  test('makes a pending account, and its link an active one that is signed in', async () => {
    const email = newAddress()
    expect((await post('register', { email, password: PASSWORD, name: 'Robin' })).status).toBe(202)
    expect((await signIn(panel, { email })).reply.status).toBe(401)
    const { token, text } = await mailedToken(panel, email)
    expect(text).toContain('http://panel.test/verify-email#token=')
    const { status, body, headers } = await post('verify-email', { token })
    expect(status).toBe(200)
    expect(body.user).toMatchObject({ email, name: 'Robin', role: 'USER', status: 'ACTIVE' })
    expect(headers.get('set-cookie')).toContain(REFRESH_COOKIE)
    expect(await isSignedIn(panel, body.accessToken)).toBe(true)
    expect((await signIn(panel, { email })).reply.status).toBe(200)
    expect((await post('verify-email', { token })).headers.get('error-code'), 'it counts once').toBe('LINK_INVALID')
  })

  test('is answered alike for an address that has an account, which stays as it is and whose owner is told', async () => {
    const { id, email } = await panel.account('SUPERADMIN')
    const before = await typesOf(panel, `user-${id}`)
    const known = await post('register', { email, password: NEW, name: 'Mallory' })
    const unknown = await post('register', { email: newAddress(), password: NEW, name: 'Mallory' })
    expect(bytesOf(known)).toBe(bytesOf(unknown))
    expect(await recordedBy(known)).toEqual(['UserRegistrationRepeated'])
    expect(await typesOf(panel, `user-${id}`)).toEqual(before)
    await panel.settle()
    expect(mailsTo(email).map(({ subject }) => subject)).toEqual(['You already have an account'])
    expect((await signIn(panel, { email })).reply.status).toBe(200)
  })

  test('again before the address is proved: no password counts but the one that is chosen by the link', async () => {
    const [email, chosen] = [newAddress(), 'chosen by who reads the mails']
    await post('register', { email, password: PASSWORD, name: 'Mallory' })
    const { token: older } = await mailedToken(panel, email)
    await post('register', { email, password: NEW, name: 'Owner' })
    const { token, text } = await mailedToken(panel, email)
    expect(text).toContain('/reset-password#token=')
    for (const each of [older, token]) expect((await post('verify-email', { token: each })).status).toBe(400)
    expect((await post('reset-password', { token, password: chosen })).status).toBe(204)
    for (const password of [PASSWORD, NEW]) expect((await signIn(panel, { email, password })).reply.status).toBe(401)
    const { body } = (await signIn(panel, { email, password: chosen })).reply
    expect(body.user).toMatchObject({ name: null, status: 'ACTIVE' })
  })

  test('before its owner does, and filling his mailbox, gives nobody an account with a password of his own', async () => {
    const email = newAddress()
    await post('register', { email, password: NEW })
    for (let n = 0; n < 4; n += 1) await post('resend-verification', { email })
    const before = await mailedToken(panel, email)
    expect(before.text).toContain('/verify-email#token=')
    expect((await post('register', { email, password: PASSWORD })).status).toBe(202)
    const after = await mailedToken(panel, email)
    expect(after.text, 'the owner is not muted').toContain('/reset-password#token=')
    for (const { token } of [before, after]) expect((await post('verify-email', { token })).status).toBe(400)
    for (const password of [NEW, PASSWORD]) expect((await signIn(panel, { email, password })).reply.status).toBe(401)
    expect((await post('reset-password', { token: after.token, password: PASSWORD })).status).toBe(204)
    expect((await signIn(panel, { email })).reply.status).toBe(200)
  })

  test('with the address of somebody who was invited gives no password to his account', async () => {
    const email = newAddress()
    const emailKey = await emailKeyOf(panel.panel.vault, email)
    const userId = await panel.run(async (unit) => {
      const about = { email, emailKey, name: null, role: 'ADMIN', status: 'PENDING_VERIFICATION' } as const
      const id = unit.newId()
      await unit.decide(users, id, 'AddUser', { userId: id, passwordHash: null, ...about })
      return id
    })
    expect((await post('register', { email, password: NEW })).status).toBe(202)
    const { token, text } = await mailedToken(panel, email)
    expect(text).toContain('/reset-password#token=')
    expect((await post('verify-email', { token })).status).toBe(400)
    expect(await typesOf(panel, `user-${userId}`)).toEqual(['UserAdded', 'UserLinkMade'])
    expect((await post('reset-password', { token, password: PASSWORD })).status).toBe(204)
    expect((await signIn(panel, { email, password: NEW })).reply.status).toBe(401)
    expect((await signIn(panel, { email })).reply.body.user).toMatchObject({ role: 'ADMIN', status: 'ACTIVE' })
  })

  test('is closed unless the installation says otherwise, and needs mail', async () => {
    setting.isOpen = false
    expect((await post('register', { email: newAddress(), password: PASSWORD })).status).toBe(403)
    setting.isOpen = true
    const body = { email: newAddress(), password: PASSWORD }
    const { status, headers } = await mailless.call('POST', '/api/auth/register', { body })
    expect([status, headers.get('error-code')]).toEqual([503, 'MAIL_NOT_CONFIGURED'])
    expect(await mailless.history()).toEqual([])
  })

  test('at the limit of the license is refused, whatever is known of the address', async () => {
    const { email } = await panel.account('USER')
    await panel.licensed({ 'users.max': 3 })
    for (let n = 0; n < 3; n += 1) await panel.account('USER')
    const full = await Promise.all(
      [email, newAddress()].map((each) => post('register', { email: each, password: NEW })),
    )
    expect(full.map(({ status, headers }) => [status, headers.get('error-code')])).toEqual([
      [402, 'LIMIT_REACHED'],
      [402, 'LIMIT_REACHED'],
    ])
    expect(full[0]!.text).toBe(full[1]!.text)
    await panel.licensed()
  })

  test('at once by 20 fills what room there is, exactly', async () => {
    const enrolled = async () => (await panel.run((unit) => unit.look(userRoster))).all.size
    const usersMax = (await enrolled()) + 5
    await panel.licensed({ 'users.max': usersMax })
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post('register', { email: newAddress(), password: NEW })),
    )
    expect(replies.filter(({ status }) => status === 202)).toHaveLength(5)
    expect(replies.filter(({ status }) => status !== 202 && status !== 402)).toEqual([])
    expect(await enrolled()).toBe(usersMax)
    await panel.licensed()
  })
})

describe('asking for a link', () => {
  test.each(['forgot-password', 'resend-verification'])('%s: one answer and one event, whoever asks', async (path) => {
    const [active, pending, suspended] = [
      await panel.account('USER'),
      await panel.account('USER', 'PENDING_VERIFICATION'),
      await panel.account('USER', 'SUSPENDED'),
    ]
    const replies: Reply[] = []
    for (const email of [active.email, pending.email, suspended.email, newAddress(), 'not an address'])
      replies.push(await post(path, { email }))
    expect(new Set(replies.map(bytesOf)).size).toBe(1)
    expect(replies[0]!.status).toBe(202)
    for (const reply of replies) expect(await recordedBy(reply)).toEqual(['UserLinkAsked'])
    await panel.settle()
    const told = [active, pending, suspended].map(({ email }) => mailsTo(email).length)
    expect(told).toEqual(path === 'forgot-password' ? [1, 1, 0] : [0, 1, 0])
  })

  test('leaves nothing of the address that could be guessed: it is sealed, and two days later nobody can read it', async () => {
    const [stranger, { email }] = [newAddress(), await panel.account('USER')]
    for (const each of [stranger, email]) await post('forgot-password', { email: each })
    await panel.settle()
    expect(mailsTo(email)).toHaveLength(1)
    const asks = (await panel.history()).filter(({ type }) => type === 'UserLinkAsked').slice(-2)
    for (const each of [stranger, email]) {
      const emailKey = await emailKeyOf(panel.panel.vault, each)
      expect(asks.filter(({ data }) => JSON.stringify(data).includes(emailKey))).toEqual([])
    }
    const sql = 'SELECT wrapped IS NULL AS gone FROM vault.data_key WHERE subject = $1'
    const day = asks[0]!.data['day'] as string
    const isGone = async () => (await panel.superuser.query(sql, [`link-asks/${day}`])).rows.map(({ gone }) => gone)
    expect(await isGone()).toEqual([false])
    panel.passTime(3 * 86_400_000)
    await panel.settle()
    expect(await isGone()).toEqual([true])
    await post('forgot-password', { email })
    await panel.settle()
    expect(mailsTo(email)).toHaveLength(2)
  })

  test('is answered alike where no mail is sent', async () => {
    const { email } = await mailless.account('USER')
    const reply = await mailless.call('POST', '/api/auth/forgot-password', { body: { email } })
    expect(bytesOf(reply)).toBe(bytesOf(await post('forgot-password', { email })))
  })

  test('without end fills no mailbox: one link is mailed in five minutes', async () => {
    const { email } = await panel.account('USER')
    for (let n = 0; n < 7; n += 1) expect((await post('forgot-password', { email })).status).toBe(202)
    await panel.settle()
    expect(mailsTo(email)).toHaveLength(1)
    expect(await typesOf(panel, `user-${await idOf(email)}`)).toEqual(['UserAdded', 'UserLinkMade'])
  })

  test('by a stranger neither mutes the owner nor takes a link away', async () => {
    const { email } = await panel.account('USER')
    const stranger = fromNewAddress()
    for (let n = 0; n < 12; n += 1) {
      expect((await post('forgot-password', { email }, stranger)).status).toBe(202)
      await panel.settle()
      panel.passTime(4 * 60_000)
    }
    await post('forgot-password', { email })
    const { token } = await mailedToken(panel, email)
    for (let n = 0; n < 3; n += 1) {
      await post('forgot-password', { email }, stranger)
      await panel.settle()
      panel.passTime(90_000)
    }
    expect((await post('reset-password', { token, password: NEW })).status).toBe(204)
  })

  test('for an address that nobody has keeps nobody from registering with it', async () => {
    const email = newAddress()
    for (let n = 0; n < 8; n += 1) await post('forgot-password', { email })
    await panel.settle()
    expect((await post('register', { email, password: PASSWORD })).status).toBe(202)
    const { token } = await mailedToken(panel, email)
    expect((await post('verify-email', { token })).status).toBe(200)
  })

  test('is refused to an address block that asks for everybody', async () => {
    const headers = fromNewAddress()
    const statuses: number[] = []
    for (let n = 0; n < 31; n += 1)
      statuses.push((await post('forgot-password', { email: newAddress() }, headers)).status)
    expect(statuses.slice(0, 30)).toEqual(Array(30).fill(202))
    expect(statuses[30]).toBe(429)
  })

  test('leads nowhere but to the configured address, whatever the request says of itself', async () => {
    const { email } = await panel.account('USER')
    const evil = {
      host: 'evilpanel.test',
      'x-forwarded-host': 'evilpanel.test',
      'x-forwarded-proto': 'http',
      forwarded: 'host=evilpanel.test',
      origin: 'http://evilpanel.test',
      referer: 'http://evilpanel.test/',
    }
    const { email: pending } = await panel.account('USER', 'PENDING_VERIFICATION')
    const stranger = newAddress()
    const headers = () => ({ ...fromNewAddress(), ...evil })
    await post('forgot-password', { email }, headers())
    await post('resend-verification', { email: pending }, headers())
    await post('register', { email: stranger, password: NEW }, headers())
    for (const to of [email, pending, stranger]) {
      const { text } = await mailedToken(panel, to)
      expect(text).not.toContain('evilpanel')
      expect(text.match(/https?:\/\/[^/\s]+/g)).toEqual(['http://panel.test'])
    }
  })
})

describe('a new password by a link', () => {
  test('ends every session and keeps the second factor; the link counts once', async () => {
    const { id, email } = await panel.account('USER')
    const { code } = await enableTotp(panel, id)
    const { accessToken } = await signIn(panel, { email }, { totp: code() })
    await post('forgot-password', { email })
    const { token } = await mailedToken(panel, email)
    expect((await post('reset-password', { token, password: 'password' })).status).toBe(400)
    expect((await post('reset-password', { token, password: NEW })).status).toBe(204)
    expect(await isSignedIn(panel, accessToken)).toBe(false)
    expect((await signIn(panel, { email, password: NEW })).reply.headers.get('error-code')).toBe('TOTP_REQUIRED')
    expect((await post('reset-password', { token, password: PASSWORD })).status).toBe(400)
    await panel.settle()
    expect(mailsTo(email).at(-1)!.subject).toBe('Your password was used without a code')
  })

  test('holds for ten minutes, beside a newer one', async () => {
    const { email } = await panel.account('USER')
    const asked = async () => {
      await post('forgot-password', { email })
      return (await mailedToken(panel, email)).token
    }
    const first = await asked()
    panel.passTime(5 * 60_000)
    const second = await asked()
    expect(second).not.toBe(first)
    panel.passTime(5 * 60_000)
    expect((await post('reset-password', { token: first, password: NEW })).status).toBe(400)
    expect((await post('reset-password', { token: second, password: NEW })).status).toBe(204)
  })

  test('takes 20 tries in a quarter of an hour, wherever they come from', async () => {
    const { email } = await panel.account('USER')
    await post('forgot-password', { email })
    const { token } = await mailedToken(panel, email)
    for (let n = 0; n < 20; n += 1)
      expect((await post('reset-password', { token, password: 'passwordpassword' })).status).toBe(400)
    expect((await post('reset-password', { token, password: NEW })).status).toBe(429)
  })

  test('is set in a block whose guesses are used up', async () => {
    const { email } = await panel.account('USER')
    await post('forgot-password', { email })
    const { token } = await mailedToken(panel, email)
    const headers = fromNewAddress()
    for (let n = 0; n < 25; n += 1) await post('reset-password', { token: 'garbage', password: NEW }, headers)
    expect((await signIn(panel, { email }, { headers })).reply.status, 'the block is blocked').toBe(401)
    expect((await post('reset-password', { token, password: NEW }, headers)).status).toBe(204)
  })

  test('is for its own purpose: neither a session nor a proof', async () => {
    const { email } = await panel.account('USER')
    await post('forgot-password', { email })
    const { token } = await mailedToken(panel, email)
    expect((await post('verify-email', { token })).status).toBe(400)
    expect((await post('reset-password', { token, password: NEW })).status).toBe(204)
  })

  test('lets nobody back who was suspended meanwhile', async () => {
    const { id, email } = await panel.account('USER')
    await post('forgot-password', { email })
    const { token } = await mailedToken(panel, email)
    const suspended = userEvents.UserStatusChanged({ userId: id, status: 'SUSPENDED' })
    await panel.run(async (unit) => unit.appendEvent(userEvents, id, suspended))
    expect((await post('reset-password', { token, password: NEW })).status).toBe(400)
    expect((await signIn(panel, { email, password: NEW })).reply.status).toBe(401)
  })

  test('is raced by 20: one wins', async () => {
    const { id, email } = await panel.account('USER')
    await post('forgot-password', { email })
    const { token } = await mailedToken(panel, email)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => post('reset-password', { token, password: NEW })),
    )
    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(replies.filter(({ status }) => ![204, 400, 503].includes(status))).toEqual([])
    expect((await typesOf(panel, `user-${id}`)).filter((type) => type === 'UserPasswordReset')).toHaveLength(1)
  })
})

test('proving an address takes a code of a second factor; without a right one the link is not used up', async () => {
  const { id, email } = await panel.account('USER', 'PENDING_VERIFICATION')
  const { code } = await enableTotp(panel, id)
  const { vault } = panel.panel
  await panel.run((unit) => requestUserLink(unit, vault, { userId: id, userLinkId: unit.newId(), purpose: 'VERIFY' }))
  const { token } = await mailedToken(panel, email)
  const without = await post('verify-email', { token })
  expect([without.status, without.headers.get('error-code')]).toEqual([401, 'TOTP_REQUIRED'])
  expect((await post('verify-email', { token, totp: '000000' })).status).toBe(401)
  expect(cookieIn(without, REFRESH_COOKIE)).toBeUndefined()
  const right = await post('verify-email', { token, totp: code() })
  expect(right.status).toBe(200)
  expect(await isSignedIn(panel, right.body.accessToken)).toBe(true)
})

test('secrets of links lie nowhere in clear', async () => {
  const { email } = await panel.account('USER')
  await post('forgot-password', { email })
  const { token } = await mailedToken(panel, email)
  const kept = `${await panel.dump()}\n${panel.logs()}`
  for (const secret of [token, email]) expect(kept.includes(secret)).toBe(false)
})
