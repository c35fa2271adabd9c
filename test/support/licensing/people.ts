/** Members of staff for tests of signing in: known passwords, known second factors, separate source addresses. */
import { randomBytes } from 'node:crypto'
import { newTotpSecret } from '#kernel/credentials/totp'
import type { Role } from '#licensing/access/permissions'
import { addStaff } from '#licensing/access/staff-accounts'
import { staffAccounts } from '#licensing/staff/decider'
import { someBackupCodes } from '#test/support/backup-codes'
import { STAFF_PASSWORD } from '#test/support/licensing/service'
import type { Reply, TestService } from '#test/support/licensing/service'

const BASE_URL = 'http://licensing.test'
export const REFRESH_COOKIE = 'daybook_staff_refresh'

export interface TestStaff {
  readonly id: string
  readonly email: string
  readonly password: string
}

/** An address without earlier requests, for services that trust 127.0.0.1 as their proxy. */
export const fromNewAddress = (): Record<string, string> => ({
  'x-forwarded-for': `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`,
})

export async function newStaff(service: TestService, roles: readonly Role[] = ['SUPERADMIN']): Promise<TestStaff> {
  const email = `p${randomBytes(6).toString('hex')}@staff.test`
  const person = { email, name: 'Robin', roles, password: STAFF_PASSWORD }
  const { id } = await addStaff(service.run, service.licensing.vault, person)
  return { id, email, password: STAFF_PASSWORD }
}

/** A second factor that was enabled long ago: the current and the previous code are both unused. */
export async function enableTotp(service: TestService, { id }: TestStaff) {
  const secret = newTotpSecret()
  const { codes, backupCodes } = await someBackupCodes()
  await service.run(async (unit) => {
    const { passwordHash: verified } = (await unit.load(staffAccounts, id))!
    const proved = { verified, sessionId: unit.newId() }
    await unit.decide(staffAccounts, id, 'SetUpTotp', { ...proved, secret })
    await unit.decide(staffAccounts, id, 'EnableTotp', { ...proved, secret, step: 1, backupCodes })
  })
  await service.licensing.projector.catchUp()
  return { secret, codes }
}

export interface SignedIn {
  readonly accessToken: string
  readonly refreshToken: string
  readonly reply: Reply
}

export async function signIn(
  service: TestService,
  { email, password }: Pick<TestStaff, 'email' | 'password'>,
  { totp, headers = fromNewAddress() }: { totp?: string; headers?: Record<string, string> } = {},
): Promise<SignedIn> {
  const body = { email, password, ...(totp === undefined ? {} : { totp }) }
  const reply = await service.call('POST', '/api/admin/auth/login', { body, headers })
  return { reply, accessToken: reply.body?.accessToken, refreshToken: cookieIn(reply, REFRESH_COOKIE) ?? '' }
}

/** The value of a cookie that an answer sets. */
export function cookieIn(reply: Reply, name: string): string | undefined {
  const line = reply.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
  return line?.slice(name.length + 1).split(';')[0]
}

export function withCookie(token: string, origin: string | undefined = BASE_URL): Record<string, string> {
  return { cookie: `${REFRESH_COOKIE}=${token}`, ...(origin === undefined ? {} : { origin }) }
}

export const refreshSession = (service: TestService, token: string): Promise<Reply> =>
  service.call('POST', '/api/admin/auth/refresh', { body: {}, headers: withCookie(token) })

export const isSignedIn = async (service: TestService, accessToken: string): Promise<boolean> =>
  (await service.call('GET', '/api/admin/auth/me', { as: accessToken })).status === 200

/** The event types of a person's stream, as the audit trail shows them. */
export async function eventsOf(service: TestService, stream: string): Promise<{ type: string; data: any }[]> {
  const events = await service.licensing.store.readStream(stream)
  return events.map(({ type, data }) => ({ type, data }))
}
