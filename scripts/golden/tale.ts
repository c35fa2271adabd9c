/** Everything that can happen, told over HTTP to a service of its own, so that every event type stands in its log at least once. */
import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { CommandContext } from '#kernel/event'
import { argon2id, phcText } from '#kernel/identity/argon2'
import { addStaff, resetStaffPassword } from '#licensing/identity/staff-accounts'
import { staff } from '#licensing/staff/decider'
import { stepAt, totpCode } from '#test/licensing/authenticator'
import { SYSTEM_ACTOR } from '../../src/app.ts'
import type { Core, Licensing } from '../../src/app.ts'

const PASSWORDS = ['a long enough passphrase 42', 'another long passphrase 43', 'a third long passphrase 44'] as const
const STEP_MS = 30_000
const STEP_LEFT_MS_MIN = 5_000
const GOLDEN: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'golden' }

export interface Teller {
  readonly licensing: Licensing
  readonly service: Core['service']
  readonly url: string
  readonly baseUrl: string
}

interface Answered {
  readonly body: any
  readonly cookies: string
}

type Call = (
  line: string,
  ask?: { as?: string; body?: unknown; cookies?: string; status?: number },
) => Promise<Answered>

function caller({ url, baseUrl }: Teller): Call {
  return async (line, { as, body, cookies, status } = {}) => {
    const [method = '', path = ''] = line.split(' ')
    const response = await fetch(url + path, {
      method,
      headers: {
        origin: baseUrl,
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...(cookies === undefined ? {} : { cookie: cookies }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    assert.ok(status === undefined ? response.ok : response.status === status, `${line}: ${response.status} ${text}`)
    const set = response.headers.getSetCookie().map((each) => each.split(';')[0])
    return { body: text === '' ? undefined : JSON.parse(text), cookies: set.join('; ') }
  }
}

async function person({ licensing }: Teller, name: string): Promise<{ id: string; email: string }> {
  const email = `${name.toLowerCase()}@staff.test`
  const person = { email, name, roles: ['SUPERADMIN' as const], password: PASSWORDS[0] }
  const { id } = await addStaff((work) => licensing.commands.run(GOLDEN, work), licensing.vault, person)
  await licensing.projector.catchUp()
  return { id, email }
}

const signIn = (call: Call, email: string, password: string, totp?: string): Promise<Answered> =>
  call('POST /api/admin/auth/login', { body: { email, password, ...(totp === undefined ? {} : { totp }) } })

/** Codes of the step before and of this one; both must still be good when they are used, so the end of a step is waited for. */
async function codesOf(secret: string): Promise<readonly [string, string]> {
  const leftMs = STEP_MS - (Date.now() % STEP_MS)
  if (leftMs < STEP_LEFT_MS_MIN) await pause(leftMs)
  const step = stepAt(Date.now())
  return [totpCode(secret, step - 1), totpCode(secret, step)]
}

async function signsInAndOut(
  call: Call,
  { licensing, service }: Teller,
  ada: { id: string; email: string },
): Promise<string> {
  await call('POST /api/admin/auth/login', { body: { email: ada.email, password: 'wrong' }, status: 401 })
  const first = await signIn(call, ada.email, PASSWORDS[0])
  const refreshed = await call('POST /api/admin/auth/refresh', { body: {}, cookies: first.cookies })
  const as = refreshed.body.accessToken
  await call('POST /api/admin/auth/password', { as, body: { current: PASSWORDS[0], new: PASSWORDS[1] } })
  await call('POST /api/admin/auth/logout', { as, body: {} })
  await resetStaffPassword({ commands: licensing.commands, vault: licensing.vault, service }, ada.email, PASSWORDS[2])
  const cost = { memoryKiB: 8_192, passes: 1, lanes: 1 }
  const salt = Buffer.alloc(16, 7)
  const passwordHash = phcText({ cost, salt, hash: await argon2id(PASSWORDS[2], salt, cost) })
  await licensing.commands.run(GOLDEN, (unit) => unit.decide(staff, ada.id, 'ResetPassword', { passwordHash }))
  const last = await signIn(call, ada.email, PASSWORDS[2])
  return (await call('POST /api/admin/auth/refresh', { body: {}, cookies: last.cookies })).body.accessToken
}

async function provesSecondFactors(call: Call, teller: Teller): Promise<void> {
  for (const last of ['disable', 'step-up'] as const) {
    const { email } = await person(teller, last === 'disable' ? 'Grace' : 'Barbara')
    const as = (await signIn(call, email, PASSWORDS[0])).body.accessToken
    const { secret } = (await call('POST /api/admin/auth/2fa/setup', { as })).body
    const [before, now] = await codesOf(secret)
    const { backupCodes } = (await call('POST /api/admin/auth/2fa/enable', { as, body: { code: before } })).body
    if (last === 'disable')
      await call('POST /api/admin/auth/2fa/disable', { as, body: { password: PASSWORDS[0], code: now } })
    else {
      await call('POST /api/admin/auth/step-up', { as, body: { code: now } })
      await signIn(call, email, PASSWORDS[0], backupCodes[0])
    }
  }
}

async function offersPlans(call: Call, as: string): Promise<void> {
  const terms = {
    slug: 'team',
    name: 'Team',
    maxActivations: 3,
    features: [
      { key: 'backups', value: true },
      { key: 'projects', value: 25, validFrom: '2026-01-01T00:00:00Z' },
    ],
  }
  const { id } = (await call('POST /api/admin/plans', { as, body: terms })).body
  await call(`PATCH /api/admin/plans/${id}`, { as, body: { priceMonthly: 1_900, maxSeats: 50 } })
  await call(`POST /api/admin/plans/${id}/deactivate`, { as })
  await call(`POST /api/admin/plans/${id}/activate`, { as })
}

/** @returns the secret of the token that is left */
async function mintsTokens(call: Call, as: string): Promise<string> {
  const body = { name: 'web shop', permissions: ['licenses:manage', 'licenses:view'], allowedIps: ['127.0.0.1'] }
  const minted = await call('POST /api/admin/machine-tokens', { as, body })
  const path = `/api/admin/machine-tokens/${minted.body.token.id}`
  const rotated = await call(`POST ${path}/rotate`, { as, body: { overlapMinutes: 10 } })
  await call(`POST ${path}/revoke`, { as })
  return rotated.body.secret
}

async function sells(call: Call, as: string): Promise<void> {
  const order = { email: 'Hedy@Customer.test', planSlug: 'team', seats: 3, reference: 'order-1843', maxActivations: 9 }
  const sold = (await call('POST /api/admin/provisioning', { as, body: order })).body
  await call('POST /api/admin/provisioning', { as, body: order })
  const bare = { email: 'anonymous@customer.test', planSlug: 'team', seats: 1 }
  await call('POST /api/admin/provisioning', { as, body: bare })
  await call(`GET /api/admin/licenses/${sold.license.id}/key`, { as })
  const again = { subscriptionId: sold.subscription.id, maxActivations: 2 }
  const next = (await call('POST /api/admin/licenses', { as, body: again })).body
  await call(`POST /api/admin/licenses/${next.license.id}/revoke`, { as, body: { reason: 'payment bounced' } })
}

async function erases(call: Call, as: string): Promise<void> {
  const body = { email: 'forgotten@customer.test', planSlug: 'team', reference: 'order-1844' }
  const { customer } = (await call('POST /api/admin/provisioning', { as, body })).body
  await call(`GET /api/admin/customers/${customer.id}/export`, { as })
  await call(`POST /api/admin/customers/${customer.id}/erase`, { as, body: { confirmEmail: body.email } })
}

/** @throws AssertionError for an answer that was not the tale's */
export async function tell(teller: Teller): Promise<void> {
  const call = caller(teller)
  const session = await signsInAndOut(call, teller, await person(teller, 'Ada'))
  await provesSecondFactors(call, teller)
  await offersPlans(call, session)
  await sells(call, await mintsTokens(call, session))
  await erases(call, session)
}
