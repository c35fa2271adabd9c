import { beforeEach, describe, expect, test } from 'vitest'
import { resetStaffPassword } from '#licensing/access/staff-accounts'
import { staffRoster } from '#licensing/staff/decider'
import { StaffDemoted, StaffPromoted } from '#licensing/staff/events'
import { given } from '#test/support/decider-spec'
import { stepAt, totpCode } from '../../support/licensing/authenticator.ts'
import { STAFF_PASSWORD, startService } from '../../support/licensing/service.ts'

const PASSWORD = 'an entirely new passphrase 77'
const HOUR_MS = 3_600_000

describe('the roster', () => {
  const [one, other] = ['01890000-0000-7000-8000-00000000000a', '01890000-0000-7000-8000-00000000000b']
  const SUPERADMIN = ['SUPERADMIN']

  test('keeps its last SUPERADMIN', () => {
    const alone = given(staffRoster, [StaffPromoted({ staffId: one })])
    alone
      .when('Enrol', { staffId: one, roles: ['SUPPORT'] })
      .refused(409, 'This is the only active SUPERADMIN: make another member of staff SUPERADMIN first')
    alone.when('Enrol', { staffId: one, roles: ['SUPERADMIN', 'SUPPORT'] }).then([])
    alone.when('Enrol', { staffId: other, roles: ['SUPPORT'] }).then([])
    alone.when('Enrol', { staffId: other, roles: SUPERADMIN }).then([StaffPromoted({ staffId: other })])
  })

  test('lets any other go', () => {
    const two = given(staffRoster, [StaffPromoted({ staffId: one }), StaffPromoted({ staffId: other })])
    two.when('Enrol', { staffId: one, roles: [] }).then([StaffDemoted({ staffId: one })])
  })
})

const mute = await startService({ mail: undefined })
const mailing = await startService()
// Invalid links count for the source address, which all sign-ins here share.
beforeEach(() => mute.superuser.query('DELETE FROM telemetry.attempt'))

const caller = (service: typeof mute) => async (method: string, path: string, body?: unknown, as?: string) =>
  service.call(method, path, { as: as ?? (await service.staff()), body })
const call = caller(mute)

let people = 0
const aMail = () => `member-${(people += 1)}@staff.test`
const invite = (roles: readonly string[] = ['SUPPORT'], email = aMail()) =>
  call('POST', '/api/admin/staff', { email, name: 'New Member', roles })
const tokenIn = (link: string): string => link.split('#token=')[1]!
const setPassword = (token: string, password = PASSWORD) =>
  mute.call('POST', '/api/admin/auth/set-password', { body: { token, password } })
const signIn = (email: string, password = PASSWORD, totp?: string) =>
  mute.call('POST', '/api/admin/auth/login', { body: { email, password, ...(totp ? { totp } : {}) } })

/** A member of staff who has set a password and is signed in. */
async function member(roles: readonly string[] = ['SUPPORT']) {
  const { body } = await invite(roles)
  expect((await setPassword(tokenIn(body.link))).status).toBe(204)
  const { email, id } = body.staff
  return { id, email, as: (await signIn(email)).body.accessToken as string }
}

describe('adding', () => {
  test('answers a link once where no mail is sent; with it the person sets a password and signs in', async () => {
    const made = await invite(['SUPPORT', 'AUDITOR', 'SUPPORT'])
    expect(made.status, made.text).toBe(201)
    expect(made.body).toEqual({
      staff: {
        id: expect.any(String),
        email: made.body.staff.email,
        name: 'New Member',
        roles: ['SUPPORT', 'AUDITOR'],
        status: 'INVITED',
        totpEnabled: false,
        createdAt: expect.any(String),
      },
      link: expect.stringMatching(/^http:\/\/licensing\.test\/console\/set-password#token=dbl_[0-9A-Za-z]{46}$/),
    })
    expect(made.headers.get('cache-control')).toBe('no-store')
    const { email } = made.body.staff
    expect((await setPassword(tokenIn(made.body.link))).status).toBe(204)
    const { body } = await signIn(email)
    expect(body.user.roles).toEqual(['SUPPORT', 'AUDITOR'])
    const { items } = (await call('GET', `/api/admin/staff?q=${email.toUpperCase()}`)).body
    expect(items).toEqual([{ ...made.body.staff, status: 'ACTIVE' }])
  })

  test('a repeated call with its Idempotency-Key adds nobody and shows no link', async () => {
    const body = { email: aMail(), name: 'Once', roles: ['SUPPORT'] }
    const ask = { as: await mute.staff(), body, headers: { 'idempotency-key': 'invite-1' } }
    const [first, second] = [
      await mute.call('POST', '/api/admin/staff', ask),
      await mute.call('POST', '/api/admin/staff', ask),
    ]
    expect(first.body.link).toContain('#token=dbl_')
    expect([second.status, second.body]).toEqual([201, { staff: first.body.staff }])
    expect(second.headers.get('idempotent-replayed')).toBe('true')
  })

  test('mails the link to the person where mails are sent, and shows it to nobody else', async () => {
    const email = 'mailed@staff.test'
    const made = await caller(mailing)('POST', '/api/admin/staff', { email, name: 'Mailed', roles: ['SUPPORT'] })
    expect(made.body.link).toBeNull()
    await mailing.settle()
    const [mail, ...others] = mailing.mails.filter(({ to }) => to === email)
    expect(others).toEqual([])
    const [, token] = /set-password#token=(dbl_\w+)/.exec(mail!.text)!
    const body = { token, password: PASSWORD }
    expect((await mailing.call('POST', '/api/admin/auth/set-password', { body })).status).toBe(204)
    expect(mailing.logs()).not.toContain(token)
    expect(await mailing.dump()).not.toContain(token)
  })

  test('409 for an address that is on the staff, in any spelling; it is free again when the person is removed', async () => {
    const email = aMail()
    const { body } = await invite(['SUPPORT'], email)
    expect((await invite(['SUPPORT'], email.toUpperCase())).headers.get('error-code')).toBe('EMAIL_TAKEN')
    await call('DELETE', `/api/admin/staff/${body.staff.id}`)
    expect((await invite(['SUPPORT'], email)).status).toBe(201)
  })

  test.each([
    ['no role', { roles: [] }],
    ['a role that is none', { roles: ['ROOT'] }],
    ['no name', { name: ' ' }],
    ['a password', { password: PASSWORD }],
  ])('400 for %s', async (_what, more) => {
    const body = { email: aMail(), name: 'x', roles: ['SUPPORT'], ...more }
    expect((await call('POST', '/api/admin/staff', body)).status).toBe(400)
  })
})

describe('a one-time link', () => {
  const refused = { statusCode: 400, message: 'The link is no longer valid: ask an administrator for a new one' }

  test('works once, also for 20 at once', async () => {
    const { body } = await invite()
    const token = tokenIn(body.link)
    const all = await Promise.all(Array.from({ length: 20 }, (_, nth) => setPassword(token, `${PASSWORD} ${nth}`)))
    expect(all.filter(({ status }) => status === 204)).toHaveLength(1)
    for (const reply of all) if (reply.status !== 204) expect([400, 503]).toContain(reply.status)
    expect((await setPassword(token)).body).toEqual(refused)
  })

  test('is refused in the same words when it is unknown, misspelled, expired or of somebody removed', async () => {
    const { body: removed } = await invite()
    await call('DELETE', `/api/admin/staff/${removed.staff.id}`)
    const { body: late } = await invite()
    for (const token of ['', 'x', tokenIn(removed.link), `${tokenIn(late.link)}x`])
      expect((await setPassword(token)).body, token).toEqual(refused)
    mute.passTime(24 * HOUR_MS + 1)
    expect((await setPassword(tokenIn(late.link))).body).toEqual(refused)
  })

  test('sets no weak password, and stays good', async () => {
    const { body } = await invite()
    const token = tokenIn(body.link)
    expect((await setPassword(token, 'short')).headers.get('error-code')).toBe('PASSWORD_TOO_SHORT')
    expect((await setPassword(token)).status).toBe(204)
  })
})

describe('changing', () => {
  test('roles hold from the next request on', async () => {
    const { id, as } = await member(['SUPPORT'])
    expect((await call('GET', '/api/admin/licenses', undefined, as)).status).toBe(200)
    const changed = await call('PATCH', `/api/admin/staff/${id}`, { roles: ['RELEASE'], name: 'Renamed' })
    expect(changed.body).toMatchObject({ id, roles: ['RELEASE'], name: 'Renamed', status: 'ACTIVE' })
    expect((await call('GET', '/api/admin/licenses', undefined, as)).status).toBe(403)
    expect((await call('GET', '/api/admin/auth/me', undefined, as)).body).toMatchObject({ name: 'Renamed' })
  })

  test('nothing is recorded for what already is; unknown people are not found', async () => {
    const { id } = await member(['SUPPORT', 'BILLING'])
    const before = await mute.licensing.store.head()
    await call('PATCH', `/api/admin/staff/${id}`, { roles: ['BILLING', 'SUPPORT'], name: 'New Member' })
    expect(await mute.licensing.store.head()).toBe(before)
    const nobody = '/api/admin/staff/01890000-0000-7000-8000-00000000dead'
    expect((await call('PATCH', nobody, {})).status).toBe(404)
    expect((await call('DELETE', nobody)).status).toBe(404)
    expect((await call('POST', `${nobody}/reset-2fa`)).status).toBe(404)
  })
})

describe('removing', () => {
  test('ends every session at once and leaves the trail readable', async () => {
    const { id, email, as } = await member(['SUPPORT', 'AUDITOR'])
    expect((await call('GET', '/api/admin/auth/me', undefined, as)).status).toBe(200)
    expect((await call('DELETE', `/api/admin/staff/${id}`)).status).toBe(204)
    expect((await call('GET', '/api/admin/auth/me', undefined, as)).status).toBe(401)
    expect((await signIn(email)).status).toBe(401)
    expect((await call('GET', `/api/admin/staff?q=${email}`)).body.items).toEqual([])
    const { items } = (await call('GET', `/api/admin/audit?actor=${id}`)).body
    expect(items[0].actor).toMatchObject({ id, label: email })
  })
})

describe('the last SUPERADMIN', () => {
  test('of two who remove or demote each other at once, one stays', async () => {
    // The account that the tests create first is a third SUPERADMIN, so it is removed first.
    const [one, other] = [await member(['SUPERADMIN']), await member(['SUPERADMIN'])]
    const { id: third } = await mute.somebody('SUPERADMIN')
    expect((await call('DELETE', `/api/admin/staff/${third}`, undefined, one.as)).status).toBe(204)
    const [first, second] = await Promise.all([
      call('DELETE', `/api/admin/staff/${other.id}`, undefined, one.as),
      call('PATCH', `/api/admin/staff/${one.id}`, { roles: ['SUPPORT'] }, other.as),
    ])
    expect([first.status === 204, second.status === 200].filter(Boolean)).toHaveLength(1)
    const left = first.status === 204 ? one : other
    // An invited member who has not used the link yet.
    const late = aMail()
    await call('POST', '/api/admin/staff', { email: late, name: 'Late', roles: ['SUPERADMIN'] }, left.as)
    const alone = await call('DELETE', `/api/admin/staff/${left.id}`, undefined, left.as)
    expect(alone.body).toEqual({
      statusCode: 409,
      message: 'This is the only active SUPERADMIN: make another member of staff SUPERADMIN first',
    })
    const demoted = await call('PATCH', `/api/admin/staff/${left.id}`, { roles: ['BILLING'] }, left.as)
    expect(demoted.headers.get('error-code')).toBe('LAST_SUPERADMIN')
    // A password that is set on the host activates the account, as a link does.
    const { commands, vault } = mute.licensing
    await resetStaffPassword({ commands, vault, pool: mute.superuser }, late, PASSWORD)
    expect((await call('DELETE', `/api/admin/staff/${left.id}`, undefined, left.as)).status).toBe(204)
  })
})

describe('the second factor', () => {
  const post = caller(mailing)
  const proof = { password: STAFF_PASSWORD }

  test('is taken from somebody by somebody else, who proves his own; sessions end', async () => {
    const as = (await mailing.somebody('SUPPORT')).accessToken
    const { id, email } = await mailing.somebody('SUPPORT')
    const path = `/api/admin/staff/${id}/reset-2fa`
    expect((await post('POST', path)).headers.get('error-code')).toBe('TOTP_NOT_ENABLED')
    const { secret } = (await post('POST', '/api/admin/auth/2fa/setup', proof, as)).body
    const code = totpCode(secret, stepAt(Date.now()))
    expect((await post('POST', '/api/admin/auth/2fa/enable', { ...proof, code }, as)).status).toBe(200)
    const reset = await post('POST', path)
    expect(reset.body).toMatchObject({ id, totpEnabled: false })
    expect((await post('GET', '/api/admin/auth/me', undefined, as)).status).toBe(401)
    const login = { body: { email, password: STAFF_PASSWORD } }
    expect((await mailing.call('POST', '/api/admin/auth/login', login)).status).toBe(200)
  })

  test('nobody takes his own so, nor anything here without a fresh code', async () => {
    const { id, accessToken: as } = await mailing.somebody('SUPERADMIN')
    expect((await post('POST', `/api/admin/staff/${id}/reset-2fa`)).headers.get('error-code')).toBe('OWN_ACCOUNT')
    const { secret } = (await post('POST', '/api/admin/auth/2fa/setup', proof, as)).body
    const code = totpCode(secret, stepAt(Date.now()))
    await post('POST', '/api/admin/auth/2fa/enable', { ...proof, code }, as)
    const other = (await mailing.somebody('BILLING')).id
    for (const [method, path, body] of [
      ['POST', '/api/admin/staff', { email: aMail(), name: 'x', roles: ['SUPPORT'] }],
      ['PATCH', `/api/admin/staff/${other}`, { name: 'x' }],
      ['DELETE', `/api/admin/staff/${other}`],
      ['POST', `/api/admin/staff/${other}/reset-2fa`],
    ] as const)
      expect((await post(method, path, body, as)).headers.get('error-code'), path).toBe('STEP_UP_REQUIRED')
  })
})
