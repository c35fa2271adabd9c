/** Customers for the tests of the shop: known passwords, known second factors, and calls as from a browser. */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { emailKeyOf } from '#kernel/auth/sign-in'
import { hashPassword } from '#kernel/credentials/password'
import { newTotpSecret } from '#kernel/credentials/totp'
import { customers } from '#licensing/customers/decider'
import { shopAccounts } from '#licensing/shop/accounts/decider'
import { someBackupCodes } from '#test/support/backup-codes'
import { cookieIn, fromNewAddress } from '#test/support/licensing/people'
import type { Reply, TestService } from '#test/support/licensing/service'

export const SHOP_URL = 'https://shop.test/store'
export const SHOPPER_PASSWORD = 'a long enough passphrase 43'
export const SHOP_REFRESH_COOKIE = 'daybook_shop_refresh'

let hashed: Promise<string> | undefined

export interface Shopper {
  readonly id: string
  readonly email: string
  readonly password: string
}

/** An active customer with a password, as if registered long ago. */
export async function newShopper(service: TestService, more: { name?: string; email?: string } = {}): Promise<Shopper> {
  const { email = `c${randomBytes(6).toString('hex')}@customer.test`, name = null } = more
  const passwordHash = await (hashed ??= hashPassword(SHOPPER_PASSWORD))
  const emailKey = await emailKeyOf(service.licensing.vault, email)
  const id = await service.run(async (unit) => {
    const customerId = unit.newId()
    const tokenHash = randomBytes(32).toString('hex')
    await unit.decide(customers, customerId, 'RegisterCustomer', { customerId, email, emailKey, name, company: null })
    await unit.decide(shopAccounts, customerId, 'RequestLink', {
      customerId,
      linkId: unit.newId(),
      purpose: 'VERIFY',
      tokenHash,
    })
    await unit.decide(shopAccounts, customerId, 'SetPassword', { purpose: 'VERIFY', tokenHash, passwordHash })
    return customerId
  })
  await service.licensing.projector.catchUp()
  return { id, email, password: SHOPPER_PASSWORD }
}

/** A second factor that was enabled long ago: the current and the previous code are both unused. */
export async function enableShopTotp(service: TestService, { id }: Shopper) {
  const secret = newTotpSecret()
  const { codes, backupCodes } = await someBackupCodes()
  await service.run(async (unit) => {
    const verified = (await unit.load(shopAccounts, id))!.passwordHash!
    const proved = { verified, sessionId: unit.newId() }
    await unit.decide(shopAccounts, id, 'SetUpTotp', { ...proved, secret })
    await unit.decide(shopAccounts, id, 'EnableTotp', { ...proved, secret, step: 1, backupCodes })
  })
  await service.licensing.projector.catchUp()
  return { secret, codes }
}

export interface ShopSession {
  readonly reply: Reply
  readonly accessToken: string
  readonly refreshToken: string
}

export async function shopSignIn(
  service: TestService,
  { email, password }: Pick<Shopper, 'email' | 'password'>,
  { totp, headers = fromNewAddress() }: { totp?: string; headers?: Record<string, string> } = {},
): Promise<ShopSession> {
  const body = { email, password, ...(totp === undefined ? {} : { totp }) }
  const reply = await service.call('POST', '/api/shop/auth/login', { body, headers })
  return { reply, accessToken: reply.body?.accessToken, refreshToken: cookieIn(reply, SHOP_REFRESH_COOKIE) ?? '' }
}

/** A new customer, signed in. */
export async function signedInShopper(
  service: TestService,
  more: { name?: string } = {},
): Promise<Shopper & { as: string }> {
  const shopper = await newShopper(service, more)
  const { reply, accessToken } = await shopSignIn(service, shopper)
  expect(reply.status, reply.text).toBe(200)
  return { ...shopper, as: accessToken }
}

/** The token of the newest link that was mailed to an address. */
export async function mailedToken(service: TestService, email: string): Promise<string | undefined> {
  await service.settle()
  const text = service.mails.findLast(({ to, text }) => to === email && text.includes('#token='))?.text
  return text === undefined ? undefined : /#token=([\w-]+)/.exec(text)?.[1]
}
