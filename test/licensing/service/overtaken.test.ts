/**
 * A competing process: the state that a request has read changes before the request appends. The request is
 * made over HTTP. The other process is a service of its own on the same events.
 */
import pino from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { hashPassword } from '#kernel/credentials/password'
import { parseTrustedProxies } from '#kernel/credentials/source-address'
import { newTotpSecret } from '#kernel/credentials/totp'
import { resetStaffPassword } from '#licensing/access/staff-accounts'
import { staffSessions } from '#licensing/auth/decider'
import { shopAccounts } from '#licensing/shop/accounts/decider'
import { shopSessions } from '#licensing/shop/sessions/decider'
import { staffAccounts } from '#licensing/staff/decider'
import { decideSubscription } from '#licensing/workflows/subscriptions/decide'
import { setCustomerStatus } from '#licensing/workflows/subscriptions/set-customer-status'
import { rivalWriter } from '#test/support/rival-writer'
import { openLicensing } from '../../../src/composition/licensing.ts'
import { stepAt, totpCode } from '../../support/licensing/authenticator.ts'
import { enableTotp, refreshSession, signIn, newStaff } from '../../support/licensing/people.ts'
import type { TestStaff } from '../../support/licensing/people.ts'
import { Panel } from '../../support/licensing/raw-panel.ts'
import { startService, SYSTEM } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'
import { SHOP_URL, newShopper, shopSignIn } from '../../support/licensing/shoppers.ts'
import type { Shopper } from '../../support/licensing/shoppers.ts'

const NEW_PASSWORD = 'another quite long passphrase'

const { overtaken, overtaking } = rivalWriter()

const service = await startService({
  wrapStore: overtaking,
  shopUrl: SHOP_URL,
  trustedProxies: parseTrustedProxies('127.0.0.1'),
})
const floor = await shopFixture(service)
const other = await openLicensing(service.settings, pino({ enabled: false }))
afterAll(() => other.close())

const elsewhere = <Result>(work: (unit: UnitOfWork) => Promise<Result>) => other.commands.run(SYSTEM, work)

const sessionsOf = ({ id }: TestStaff) => elsewhere((unit) => unit.load(staffSessions, id))
const shopSessionsOf = ({ id }: Shopper) => elsewhere((unit) => unit.load(shopSessions, id))

const resetElsewhere = ({ email }: TestStaff) => resetStaffPassword(other, email, NEW_PASSWORD)
const removedElsewhere = ({ id }: TestStaff) =>
  elsewhere(async (unit) => {
    await unit.decide(staffAccounts, id, 'RemoveStaff', {})
    await unit.decide(staffSessions, id, 'EndAllSessions', { reason: 'REMOVED' })
  })
const suspendedElsewhere = (customerId: string) =>
  elsewhere((unit) => setCustomerStatus(unit, customerId, { status: 'SUSPENDED', reason: 'in the middle of it' }))

async function shopPasswordElsewhere({ id: customerId }: Shopper): Promise<void> {
  const link = { purpose: 'RESET', tokenHash: `hash of ${crypto.randomUUID()}` } as const
  const passwordHash = await hashPassword(NEW_PASSWORD)
  await elsewhere(async (unit) => {
    await unit.decide(shopAccounts, customerId, 'RequestLink', { customerId, linkId: unit.newId(), ...link })
    await unit.decide(shopAccounts, customerId, 'SetPassword', { ...link, passwordHash })
    await unit.decide(shopSessions, customerId, 'EndAllSessions', { reason: 'PASSWORD_RESET' })
  })
}

describe('a member of staff signs in', () => {
  test.each([
    ['has his password reset', resetElsewhere],
    ['is removed', removedElsewhere],
  ])('and %s: 401, and no session of the old password', async (_what, act) => {
    const person = await newStaff(service)
    overtaken('StaffSessionStarted', () => act(person))
    expect((await signIn(service, person)).reply.status).toBe(401)
    expect(await sessionsOf(person)).toEqual([])
  })

  test('and gets a second factor: 401 that asks for its code', async () => {
    const person = await newStaff(service)
    overtaken('StaffSessionStarted', () => enableTotpElsewhere(person))
    const { reply } = await signIn(service, person)
    expect([reply.status, reply.headers.get('error-code')]).toEqual([401, 'TOTP_REQUIRED'])
    expect(await sessionsOf(person)).toEqual([])
  })

  test('and loses the second factor: the code that he gave is not used up', async () => {
    const person = await newStaff(service)
    const { secret } = await enableTotp(service, person)
    overtaken('StaffSessionStarted', () => elsewhere((unit) => unit.decide(staffAccounts, person.id, 'ResetTotp', {})))
    const totp = totpCode(secret, stepAt(service.licensing.clock.now()))
    expect((await signIn(service, person, { totp })).reply.status).toBe(200)
    const types = (await service.licensing.store.readStream(`staff-${person.id}`)).map(({ type }) => type)
    expect(types).not.toContain('StaffTotpUsed')
  })
})

const enableTotpElsewhere = ({ id }: TestStaff) =>
  elsewhere(async (unit) => {
    const { passwordHash: verified } = (await unit.load(staffAccounts, id))!
    const proved = { verified, secret: newTotpSecret(), sessionId: unit.newId() }
    await unit.decide(staffAccounts, id, 'SetUpTotp', proved)
    await unit.decide(staffAccounts, id, 'EnableTotp', { ...proved, step: 1, backupCodes: [] })
  })

describe('a member of staff who is signed in', () => {
  test('renews his session and all are ended: 401, and none lives on', async () => {
    const person = await newStaff(service)
    const { refreshToken } = await signIn(service, person)
    overtaken('StaffSessionRefreshed', () => resetElsewhere(person))
    expect((await refreshSession(service, refreshToken)).status).toBe(401)
    expect(await sessionsOf(person)).toEqual([])
  })

  test('changes his password, and his session is ended: 401, and the password is the old one', async () => {
    const person = await newStaff(service)
    const { accessToken: as } = await signIn(service, person)
    const ending = () =>
      elsewhere((unit) => unit.decide(staffSessions, person.id, 'EndAllSessions', { reason: 'REVOKED' }))
    overtaken('StaffPasswordChanged', ending)
    const body = { current: person.password, new: NEW_PASSWORD }
    expect((await service.call('POST', '/api/admin/auth/password', { as, body })).status).toBe(401)
    expect((await signIn(service, person)).reply.status).toBe(200)
  })
})

describe('a customer signs in', () => {
  test.each([
    ['chooses another password', shopPasswordElsewhere],
    ['is suspended', ({ id }: Shopper) => suspendedElsewhere(id)],
  ])('and %s: 401, and no session', async (_what, act) => {
    const shopper = await newShopper(service)
    overtaken('ShopSessionStarted', () => act(shopper))
    expect((await shopSignIn(service, shopper)).reply.status).toBe(401)
    expect(await shopSessionsOf(shopper)).toEqual([])
  })
})

describe('a license', () => {
  const sold = async () => {
    const { slug } = await floor.plan()
    const { body } = await floor.provision({ email: `o${crypto.randomUUID()}@customer.test`, planSlug: slug })
    return { ...body, panel: new Panel(service, body.licenseKey) }
  }
  const slotsOf = async (subscriptionId: string) =>
    (await service.licensing.store.readStream(`licenseSlots-${subscriptionId}`)).map(({ type }) => type)

  test('is activated and its customer suspended: 403, and no slot is taken', async () => {
    const { panel, customer, subscription } = await sold()
    overtaken('InstanceActivated', () => suspendedElsewhere(customer.id))
    expect((await panel.activate()).status).toBe(403)
    expect(await slotsOf(subscription.id)).toEqual([])
  })

  test('is activated and its subscription paused: 403, and no slot is taken', async () => {
    const { panel, subscription } = await sold()
    overtaken('InstanceActivated', () =>
      elsewhere((unit) =>
        decideSubscription(unit, subscription.id, 'PauseSubscription', { reason: 'in the middle of it' }),
      ),
    )
    expect((await panel.activate()).status).toBe(403)
    expect(await slotsOf(subscription.id)).toEqual([])
  })

  test('is activated and revoked: 403, and no slot is taken', async () => {
    const { panel, subscription, license } = await sold()
    overtaken('InstanceActivated', () =>
      elsewhere((unit) =>
        decideSubscription(unit, subscription.id, 'RevokeLicense', { licenseId: license.id, reason: 'x' }),
      ),
    )
    expect((await panel.activate()).status).toBe(403)
    expect(await slotsOf(subscription.id)).toEqual(['SlotsReleased'])
  })

  test('is issued and its customer suspended: 409, and none is issued', async () => {
    const { customer, subscription } = await sold()
    overtaken('LicenseIssued', () => suspendedElsewhere(customer.id))
    const asked = await floor.post('/api/admin/licenses', { subscriptionId: subscription.id })
    expect(asked.status).toBe(409)
    const events = await service.licensing.store.readStream(`subscription-${subscription.id}`)
    expect(events.filter(({ type }) => type === 'LicenseIssued')).toHaveLength(1)
  })
})
