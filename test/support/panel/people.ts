/** Accounts for tests of signing in: second factors, cookies, separate source addresses. */
import { randomBytes } from 'node:crypto'
import { newTotpSecret } from '#kernel/credentials/totp'
import { users } from '#panel/users/decider'
import { someBackupCodes } from '#test/support/backup-codes'
import { stepAt, totpCode } from '#test/support/licensing/authenticator'
import { PASSWORD } from './service.ts'
import type { Reply, TestPanel } from './service.ts'

export const REFRESH_COOKIE = 'daybook_panel_refresh'
const ORIGIN = 'http://panel.test'

/** An address without earlier requests, for panels that trust 127.0.0.1 as their proxy. */
export const fromNewAddress = (): Record<string, string> => ({
  'x-forwarded-for': `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}::1`,
})

/** A second factor that was enabled long ago: the current and the previous code are both unused. */
export async function enableTotp(panel: TestPanel, id: string) {
  const secret = newTotpSecret()
  const { codes, backupCodes } = await someBackupCodes()
  await panel.run(async (unit) => {
    const verified = (await unit.load(users, id))!.passwordHash!
    const proved = { verified, sessionId: unit.newId() }
    await unit.decide(users, id, 'SetUpTotp', { ...proved, secret })
    await unit.decide(users, id, 'EnableTotp', { ...proved, secret, step: 1, backupCodes })
  })
  await panel.panel.projector.catchUp()
  const code = () => totpCode(secret, stepAt(panel.panel.clock.now()))
  return { secret, codes, code }
}

export async function signIn(
  panel: TestPanel,
  { email, password = PASSWORD }: { email: string; password?: string },
  { totp, headers = fromNewAddress() }: { totp?: string; headers?: Record<string, string> } = {},
) {
  const body = { email, password, ...(totp === undefined ? {} : { totp }) }
  const reply = await panel.call('POST', '/api/auth/login', { body, headers })
  const accessToken: string = reply.body?.accessToken
  return { reply, accessToken, refreshToken: cookieIn(reply, REFRESH_COOKIE) ?? '' }
}

/** The value of a cookie that an answer sets. */
export function cookieIn(reply: Reply, name: string): string | undefined {
  const line = reply.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`))
  return line?.slice(name.length + 1).split(';')[0]
}

export function withCookie(token: string, origin: string | undefined = ORIGIN): Record<string, string> {
  return { cookie: `${REFRESH_COOKIE}=${token}`, ...(origin === undefined ? {} : { origin }) }
}

export const refreshSession = (panel: TestPanel, token: string): Promise<Reply> =>
  panel.call('POST', '/api/auth/refresh', { body: {}, headers: withCookie(token) })

export const isSignedIn = async (panel: TestPanel, as: string): Promise<boolean> =>
  (await panel.call('GET', '/api/auth/me', { as })).status === 200

/** The event types of a stream. */
export async function typesOf(panel: TestPanel, stream: string): Promise<string[]> {
  return (await panel.panel.store.readStream(stream)).map(({ type }) => type)
}

/** The token of the link in the newest mail to an address. */
export async function mailedToken(panel: TestPanel, email: string): Promise<{ token: string; text: string }> {
  await panel.settle()
  const text = panel.mails.findLast(({ to }) => to === email)?.text ?? ''
  return { token: /#token=(\S+)/.exec(text)?.[1] ?? '', text }
}
