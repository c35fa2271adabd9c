/**
 * The rules of a customer's account, without HTTP. The rules that staff's accounts share are tested there as
 * well.
 */
import { describe, test } from 'vitest'
import { shopAccounts } from '#licensing/shop/accounts/decider'
import {
  ShopBackupCodeUsed,
  ShopLinkRequested,
  ShopPasswordChanged,
  ShopPasswordSet,
  ShopRegistrationRepeated,
  ShopTotpEnabled,
  ShopTotpSetUp,
  ShopTotpUsed,
} from '#licensing/shop/accounts/events'
import { AT, given } from '#test/support/decider-spec'

const customerId = '01890000-0000-7000-8000-000000000001'
const linkId = '01890000-0000-7000-8000-000000000002'
const shopSessionId = '01890000-0000-7000-8000-000000000003'
const FAR = '2100-01-01T00:00:00.000Z'
const PAST = '2000-01-01T00:00:00.000Z'

const link = (tokenHash: string, purpose: 'VERIFY' | 'RESET' = 'RESET', expiresAt = FAR) =>
  ShopLinkRequested({ customerId, linkId, purpose, tokenHash, expiresAt })
const set = (passwordHash: string, tokenHash = 'token', purpose: 'VERIFY' | 'RESET' = 'RESET') =>
  ShopPasswordSet({ customerId, passwordHash, purpose, tokenHash })
const setUp = ShopTotpSetUp({ customerId, shopSessionId, secret: 'SECRET' })
const enabled = ShopTotpEnabled({ customerId, step: 10, shopSessionId, backupCodes: ['code 1', 'code 2'] })
const INVALID = 'This link is no longer valid: request a new one'

describe('a link', () => {
  const use = { purpose: 'RESET' as const, tokenHash: 'token', passwordHash: 'hash 2' }

  test('sets a password', () =>
    given(shopAccounts, [link('token')])
      .when('SetPassword', use)
      .then([set('hash 2')]))
  test('counts once', () =>
    given(shopAccounts, [link('token'), set('hash 1')])
      .when('SetPassword', use)
      .refused(400, INVALID))
  test('is good beside two newer ones, and replaced by the third', () => {
    given(shopAccounts, [link('token'), link('second'), link('third')])
      .when('SetPassword', use)
      .then([set('hash 2')])
    given(shopAccounts, [link('token'), link('second'), link('third'), link('fourth')])
      .when('SetPassword', use)
      .refused(400, INVALID)
  })
  test('is not made where one was mailed less than five minutes ago, unless who sells to the customer wants it', () => {
    const ask = { customerId, linkId, purpose: 'RESET' as const, tokenHash: 'next' }
    const known = given(shopAccounts, [[link('token'), AT]])
    const later = (minutes: number) => ({ at: new Date(AT.getTime() + minutes * 60_000) })
    const next = (minutes: number) =>
      link('next', 'RESET', new Date(AT.getTime() + (minutes + 10) * 60_000).toISOString())
    known.when('AskForLink', ask, later(4.99)).then([])
    known.when('AskForLink', ask, later(5)).then([next(5)])
    known.when('RequestLink', ask, later(1)).then([next(1)])
  })
  test('is voided by a changed password', () =>
    given(shopAccounts, [
      link('first'),
      set('hash 1', 'first'),
      link('token'),
      ShopPasswordChanged({ customerId, passwordHash: 'x' }),
    ])
      .when('SetPassword', use)
      .refused(400, INVALID))
  test('is for one purpose', () =>
    given(shopAccounts, [link('token', 'VERIFY')])
      .when('SetPassword', use)
      .refused(400, INVALID))
  test('expires', () =>
    given(shopAccounts, [link('token', 'RESET', PAST)])
      .when('SetPassword', use)
      .refused(400, INVALID))
  test('is none of an account that never asked for one', () =>
    given(shopAccounts, [ShopRegistrationRepeated({ customerId })])
      .when('SetPassword', use)
      .refused(400, INVALID))
})

describe('signing in', () => {
  const signIn = { verified: 'hash 1', sessionId: shopSessionId }
  const known = [link('token'), set('hash 1')]

  test('with the password', () => given(shopAccounts, known).when('SignIn', signIn).then([]))
  test('not with one that has changed since it was looked at', () =>
    given(shopAccounts, [...known, link('token 2'), set('hash 2', 'token 2')])
      .when('SignIn', signIn)
      .refused(401, 'Invalid credentials'))
  test('not without the second factor', () =>
    given(shopAccounts, [...known, setUp, enabled])
      .when('SignIn', signIn)
      .refused(401, 'Second factor required'))
  test('with a code, once', () => {
    const factor = { step: 11 }
    const used = ShopTotpUsed({ customerId, step: 11, shopSessionId })
    given(shopAccounts, [...known, setUp, enabled])
      .when('SignIn', { ...signIn, factor })
      .then([used])
    given(shopAccounts, [...known, setUp, enabled, used])
      .when('SignIn', { ...signIn, factor })
      .refused(401, 'Invalid credentials')
  })
  test('with a backup code, once', () => {
    const factor = { backupCode: 'code 1' }
    const used = ShopBackupCodeUsed({ customerId, backupCode: 'code 1', left: 1, shopSessionId })
    given(shopAccounts, [...known, setUp, enabled])
      .when('SignIn', { ...signIn, factor })
      .then([used])
    given(shopAccounts, [...known, setUp, enabled, used])
      .when('SignIn', { ...signIn, factor })
      .refused(401, 'Invalid credentials')
  })
  test('a link changes nothing about the second factor', () =>
    given(shopAccounts, [...known, setUp, enabled, link('again'), set('hash 1', 'again')])
      .when('SignIn', signIn)
      .refused(401, 'Second factor required'))
})
