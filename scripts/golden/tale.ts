/**
 * Everything that can happen in the licensing service, done over HTTP, so that every event type is in its log
 * at least once.
 */
import { randomUUID } from 'node:crypto'
import { emailKeyOf } from '#kernel/auth/sign-in'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { newEd25519, thumbprint } from '#kernel/credentials/jws'
import type { CommandInputOf } from '#kernel/events/decider'
import { Rejection } from '#kernel/lib/rejection'
import { linkToken, requestLink } from '#licensing/access/customer-links'
import { addStaff, resetStaffPassword } from '#licensing/access/staff-accounts'
import { bulk } from '#licensing/bulk/decider'
import { customers } from '#licensing/customers/decider'
import { licenseSlots } from '#licensing/instances/decider'
import { payments } from '#licensing/payments/decider'
import { PaymentNoticed, paymentNotices } from '#licensing/payments/events'
import { shopAccounts } from '#licensing/shop/accounts/decider'
import type { LinkPurpose } from '#licensing/shop/accounts/events'
import { signingKeys } from '#licensing/signing-keys/decider'
import { manifestOf, recordManifest, manifestJws, currentSigningKey } from '#licensing/signing-keys/signing-key'
import { staffAccounts } from '#licensing/staff/decider'
import { subscriptions } from '#licensing/subscriptions/decider'
import { versions } from '#licensing/versions/decider'
import { webhooks } from '#licensing/webhooks/decider'
import { WebhookDeliveryRepeated, webhookRequests } from '#licensing/webhooks/events'
import { applyProviderReport } from '#licensing/workflows/billing/record-payment'
import { requestPayment } from '#licensing/workflows/billing/request-payment'
import { fingerprintHash } from '#licensing/workflows/leases/lease-signer'
import { planBySlug } from '#licensing/workflows/subscriptions/issue-license'
import type { Core, Licensing } from '../../src/composition/licensing.ts'
import { fingerprint } from '../../src/license-client/fingerprint.ts'
import { secretOf } from '../../src/license-client/license-api.ts'
import { newMemory } from '../../src/license-client/memory.ts'
import { offlineRequest } from '../../src/license-client/offline.ts'
import { caller, codesOf, GOLDEN, outdatedHash, PASSWORDS } from './telling.ts'
import type { Answered, Call, Chapters } from './telling.ts'

/** In ms. From a sale until its period ends; the clock is advanced past that. */
const SOON_MS = 1_500

export interface Teller extends Chapters {
  readonly licensing: Licensing
  readonly service: Core['pool']
  readonly url: string
  readonly baseUrl: string
}

type SubscriptionCommand = keyof typeof subscriptions.commands

async function person({ licensing }: Teller, name: string): Promise<{ id: string; email: string }> {
  const email = `${name.toLowerCase()}@staff.test`
  const person = { email, name, roles: ['SUPERADMIN' as const], password: PASSWORDS[0] }
  const { id } = await addStaff((work) => licensing.commands.run(GOLDEN, work), licensing.vault, person)
  await licensing.projector.catchUp()
  return { id, email }
}

const signIn = (call: Call, email: string, password: string, totp?: string): Promise<Answered> =>
  call('POST /api/admin/auth/login', { body: { email, password, ...(totp === undefined ? {} : { totp }) } })

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
  await resetStaffPassword(
    { commands: licensing.commands, vault: licensing.vault, pool: service },
    ada.email,
    PASSWORDS[2],
  )
  const passwordHash = await outdatedHash(PASSWORDS[2])
  await licensing.commands.run(GOLDEN, (unit) => unit.decide(staffAccounts, ada.id, 'ResetPassword', { passwordHash }))
  const last = await signIn(call, ada.email, PASSWORDS[2])
  return (await call('POST /api/admin/auth/refresh', { body: {}, cookies: last.cookies })).body.accessToken
}

async function provesSecondFactors(call: Call, teller: Teller): Promise<void> {
  for (const last of ['disable', 'step-up'] as const) {
    const { email } = await person(teller, last === 'disable' ? 'Grace' : 'Barbara')
    const as = (await signIn(call, email, PASSWORDS[0])).body.accessToken
    const { secret } = (await call('POST /api/admin/auth/2fa/setup', { as, body: { password: PASSWORDS[0] } })).body
    const [before, now] = codesOf(teller.world, secret)
    const { backupCodes } = (
      await call('POST /api/admin/auth/2fa/enable', { as, body: { password: PASSWORDS[0], code: before } })
    ).body
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

async function declaresFeatures(call: Call, as: string): Promise<void> {
  const declared = { key: 'support', name: 'Support', type: 'STRING' }
  const feature = (await call('POST /api/admin/features', { as, body: declared })).body
  await call(`PATCH /api/admin/features/${feature.id}`, { as, body: { name: 'Support hours' } })
  await call('POST /api/admin/features', { as, body: { key: 'backups', name: 'Backups' } })
  await call(`DELETE /api/admin/features/${feature.id}`, { as })
}

/** @returns the secret of the remaining token */
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

/** The states of a subscription and its licenses, and the effects of time. */
async function livesOn(call: Call, { licensing, world }: Teller, as: string): Promise<void> {
  const soon = () => new Date(Date.now() + SOON_MS).toISOString()
  async function provisioned(more: object = {}) {
    const body = { email: 'katherine@customer.test', planSlug: 'team', ...more }
    const { subscription, license } = (await call('POST /api/admin/provisioning', { as, body })).body
    return { subscriptionId: subscription.id as string, licenseId: license.id as string }
  }
  const decide = <Name extends SubscriptionCommand>(
    subscriptionId: string,
    name: Name,
    ask: CommandInputOf<typeof subscriptions, Name>,
  ) => licensing.commands.run(GOLDEN, (unit) => unit.decide(subscriptions, subscriptionId, name, ask))
  const { plan, signedWith } = await licensing.commands.run(GOLDEN, async (unit) => ({
    plan: (await planBySlug(unit, 'team'))!,
    signedWith: await currentSigningKey(unit),
  }))
  const { kid } = signedWith
  const made = (number: number) => ({
    licenseId: randomUUID(),
    keyId: `lic_golden${number}`,
    k: 'a request secret',
    kid,
    iss: 'http://licensing.test',
  })

  const first = await provisioned()
  const { subscriptionId, licenseId } = first
  await decide(subscriptionId, 'SuspendLicense', { licenseId, reason: 'looks shared' })
  await decide(subscriptionId, 'ResumeLicense', { licenseId })
  await decide(subscriptionId, 'ExtendLicense', { licenseId, days: 30, kid })
  await decide(subscriptionId, 'ReissueLicense', { ...made(1), licenseId, mode: 'leaked' })
  await decide(subscriptionId, 'ReissueLicense', { ...made(2), licenseId, mode: 'routine' })
  await decide(subscriptionId, 'PauseSubscription', { reason: 'on holiday' })
  await decide(subscriptionId, 'ResumeSubscription', {})
  const more = { seats: 7, proration: 'prorate' as const }
  await decide(subscriptionId, 'ChangeSubscription', { change: more, plan, present: plan, license: made(3) })
  await decide(subscriptionId, 'ScheduleChange', { change: { ...more, seats: 4 }, plan })
  await decide(subscriptionId, 'ScheduleChange', { change: more, plan })
  await decide(subscriptionId, 'FailPayment', { nextAttemptAt: soon() })
  await decide(subscriptionId, 'GiveUpCharging', {})
  await decide(subscriptionId, 'RecoverPayment', {})
  await decide(subscriptionId, 'RenewSubscription', { kid })
  await decide(subscriptionId, 'ScheduleCancellation', { reason: 'too expensive', kid })
  await decide(subscriptionId, 'WithdrawCancellation', { kid })

  const brief = await provisioned({ currentPeriodEnd: soon() })
  const leaving = await provisioned({ currentPeriodEnd: soon() })
  await decide(leaving.subscriptionId, 'ScheduleCancellation', { reason: 'moved away', kid })
  world.advance(SOON_MS * 2)
  await decide(brief.subscriptionId, 'NoteExpiry', brief)
  await decide(leaving.subscriptionId, 'NoteExpiry', leaving)
  await decide(leaving.subscriptionId, 'EndSubscription', {})

  const order = { seats: 1, billingCycle: 'MONTHLY' as const, plan, planSlug: 'team', status: 'INCOMPLETE' as const }
  const nobody = { reference: null, referenceKey: null, requestHash: null, customerId: randomUUID() }
  const bought = { ...order, ...nobody, subscriptionId: randomUUID() }
  await decide(bought.subscriptionId, 'CreateSubscription', bought)
  await decide(bought.subscriptionId, 'ActivateSubscription', { status: 'TRIALING', plan, kid })
  await decide(bought.subscriptionId, 'ExpireSubscription', { reason: 'trial ended', kid })
}

/** What customers do themselves: links, passwords, second factors, sessions. */
async function shops(call: Call, teller: Teller): Promise<void> {
  const { licensing } = teller
  for (const name of ['Margaret', 'Radia', 'Frances']) {
    const email = `${name.toLowerCase()}@customer.test`
    const emailKey = await emailKeyOf(licensing.vault, email)
    const customerId = randomUUID()
    await licensing.commands.run(GOLDEN, async (unit) => {
      await unit.decide(customers, customerId, 'RegisterCustomer', { customerId, email, emailKey, name, company: null })
      await requestLink(unit, licensing.vault, customerId, 'VERIFY')
    })
    await byLink(call, licensing, { customerId, purpose: 'VERIFY', password: PASSWORDS[0] })
    if (name === 'Margaret') await changesPasswords(call, licensing, { customerId, email })
    else await provesItself(call, teller, { email, last: name === 'Radia' ? 'step-up' : 'disable' })
  }
}

async function byLink(
  call: Call,
  { store, vault }: Licensing,
  { password, ...link }: { customerId: string; purpose: LinkPurpose; password: string },
): Promise<void> {
  const events = await store.readStream(`shopAccount-${link.customerId}`)
  const { linkId } = events.findLast(({ type }) => type === 'ShopLinkRequested')!.data as { linkId: string }
  const path = link.purpose === 'VERIFY' ? 'verify-email' : 'reset-password'
  await call(`POST /api/shop/auth/${path}`, { body: { token: await linkToken(vault, { ...link, linkId }), password } })
}

const shopSignIn = (call: Call, email: string, password: string, totp?: string): Promise<Answered> =>
  call('POST /api/shop/auth/login', { body: { email, password, ...(totp === undefined ? {} : { totp }) } })

async function changesPasswords(
  call: Call,
  licensing: Licensing,
  { customerId, email }: { customerId: string; email: string },
): Promise<void> {
  await licensing.commands.run(GOLDEN, (unit) =>
    unit.decide(shopAccounts, customerId, 'RepeatRegistration', { customerId }),
  )
  await call('POST /api/shop/auth/login', { body: { email, password: 'wrong' }, status: 401 })
  const { cookies } = await shopSignIn(call, email, PASSWORDS[0])
  const as = (await call('POST /api/shop/auth/refresh', { body: {}, cookies })).body.accessToken
  await call('PATCH /api/shop/me', { as, body: { company: 'Apollo' } })
  await call('POST /api/shop/auth/password', { as, body: { current: PASSWORDS[0], new: PASSWORDS[1] } })
  await call('POST /api/shop/auth/step-up', { as, body: { password: PASSWORDS[1] } })
  await call('POST /api/shop/auth/logout', { as, body: {} })
  await licensing.commands.run(GOLDEN, (unit) => requestLink(unit, licensing.vault, customerId, 'RESET'))
  await byLink(call, licensing, { customerId, purpose: 'RESET', password: PASSWORDS[2] })
  const tokenHash = 'a link of former times'
  const passwordHash = await outdatedHash(PASSWORDS[2])
  await licensing.commands.run(GOLDEN, async (unit) => {
    const linkId = randomUUID()
    await unit.decide(shopAccounts, customerId, 'RequestLink', { customerId, linkId, purpose: 'RESET', tokenHash })
    await unit.decide(shopAccounts, customerId, 'SetPassword', { purpose: 'RESET', tokenHash, passwordHash })
  })
  await shopSignIn(call, email, PASSWORDS[2])
}

async function provesItself(
  call: Call,
  teller: Teller,
  { email, last }: { readonly email: string; readonly last: 'disable' | 'step-up' },
): Promise<void> {
  const as = (await shopSignIn(call, email, PASSWORDS[0])).body.accessToken
  const { secret } = (await call('POST /api/shop/auth/2fa/setup', { as, body: { password: PASSWORDS[0] } })).body
  const [before, now] = codesOf(teller.world, secret)
  const { backupCodes } = (
    await call('POST /api/shop/auth/2fa/enable', { as, body: { password: PASSWORDS[0], code: before } })
  ).body
  if (last === 'disable')
    await call('POST /api/shop/auth/2fa/disable', { as, body: { password: PASSWORDS[0], code: now } })
  else {
    await call('POST /api/shop/auth/step-up', { as, body: { code: now } })
    await shopSignIn(call, email, PASSWORDS[0], backupCodes[0])
  }
}

/** What happens to the panels of a license; a real panel would sign each of these requests. */
async function runsPanels(call: Call, { licensing }: Teller, as: string): Promise<void> {
  const body = { email: 'radia@customer.test', planSlug: 'team' }
  const { customer, subscription, license } = (await call('POST /api/admin/provisioning', { as, body })).body
  const decide = <Name extends keyof typeof licenseSlots.commands>(
    name: Name,
    ask: CommandInputOf<typeof licenseSlots, Name>,
  ) => licensing.commands.run(GOLDEN, (unit) => unit.decide(licenseSlots, subscription.id, name, ask))
  const sold = { subscriptionId: subscription.id, customerId: customer.id, licenseId: license.id }
  const machine = (name: string) => {
    const fingerprint = { install: `${name}-install`, machine: `${name}-machine`, board: `${name}-board` }
    return { fingerprint, fingerprintHash: fingerprintHash(fingerprint) }
  }
  const panel = (name: string) => ({
    ...sold,
    ...machine(name),
    instanceId: randomUUID(),
    name,
    hostname: `${name}.customer.test`,
    version: '1.0.0',
    os: 'linux',
    arch: 'x64',
    ip: '192.0.2.7',
    keyThumbprint: `thumbprint of ${name}`,
    publicKey: `public key of ${name}`,
    maxActivations: 3,
    reclaimable: [],
    silent: [],
  })
  const web = panel('web')
  const { instanceId } = web
  await decide('ActivateInstance', web)
  const silent = [{ instanceId, lastHeartbeatAt: new Date(Date.now()).toISOString() }]
  await decide('ActivateInstance', { ...panel('web-anew'), ...machine('web'), silent })
  await decide('ActivateInstance', panel('worker'))
  await decide('HearFromInstance', { instanceId, version: '1.1.0', ...machine('other') })
  await decide('MarkStale', { instanceId, lastHeartbeatAt: new Date(Date.now()).toISOString() })
  await decide('HearFromInstance', { instanceId, version: '1.1.0', ...machine('other') })
  await decide('FlagInstance', { instanceId, flag: 'CLONE_SUSPECTED' })
  await call(`POST /api/admin/instances/${instanceId}/deactivate`, { as, body: { reason: 'rebuilt' } })
  await call(`POST /api/admin/instances/${instanceId}/reactivate`, { as })
  await decide('ReleaseSlots', { subscriptionId: subscription.id, customerId: customer.id })
}

/** What staff do to a subscription over HTTP. */
async function changesTerms(call: Call, as: string): Promise<void> {
  const order = { email: 'dorothy@customer.test', planSlug: 'team' }
  const { customer } = (await call('POST /api/admin/provisioning', { as, body: order })).body
  const sale = { customerId: customer.id, planSlug: 'team', seats: 2, billingCycle: 'MONTHLY' }
  const path = `/api/admin/subscriptions/${(await call('POST /api/admin/subscriptions', { as, body: sale })).body.id}`
  const more = { seats: 5, proration: 'invoice' }
  const { previewToken } = (await call(`POST ${path}/change-preview`, { as, body: more })).body
  await call(`PATCH ${path}`, { as, body: { ...more, previewToken } })
  await call(`PATCH ${path}`, { as, body: { seats: 7 } })
  await call(`PATCH ${path}`, { as, body: { seats: 3, effective: 'period_end' } })
  const leaving = { reason: 'no longer needed', comment: 'Dorothy has retired' }
  await call(`POST ${path}/cancel`, { as, body: { mode: 'period_end', ...leaving } })
  await call(`POST ${path}/uncancel`, { as, body: { reason: 'she is back' } })
  await call(`POST ${path}/cancel`, { as, body: { mode: 'now', ...leaving } })
}

/** As for a panel without a network. */
async function leasesOffline(call: Call, as: string): Promise<void> {
  const order = { email: 'hopper@customer.test', planSlug: 'team', reference: 'order-1906' }
  const { licenseKey } = (await call('POST /api/admin/provisioning', { as, body: order })).body
  const about = { name: 'lab', hostname: 'lab.local', version: '1.0.0', os: 'linux', arch: 'x64' }
  const asking = { licenseKey, fingerprint: fingerprint('anchor', { machine: 'lab' }), about }
  const request = offlineRequest(newMemory(), asking, Math.floor(Date.now() / 1_000))
  const { keyId } = secretOf(licenseKey)
  const { items } = (await call(`GET /api/admin/licenses?keyId=${keyId}`, { as })).body
  await call(`POST /api/admin/licenses/${items[0].id}/offline-lease`, { as, body: { request, days: 90 } })
}

/** All states of a signing key, except those that take an hour. */
async function keepsKeys(call: Call, { licensing }: Teller, as: string): Promise<void> {
  const keys = '/api/admin/settings/signing-keys'
  const { kid } = (await call(`GET ${keys}`, { as })).body.items[0]
  await call(`POST ${keys}`, { as })
  await call(`POST ${keys}/${kid}/compromise`, { as, body: { reason: 'found on a lost laptop' } })
  const withdrawn = (await call(`POST ${keys}`, { as })).body
  await call(`POST ${keys}/${withdrawn.kid}/retire`, { as })
  const { d, ...publicJwk } = newEd25519()
  const rootKid = thumbprint(publicJwk)
  await licensing.commands.run(GOLDEN, async (unit) => {
    await unit.decide(signingKeys, undefined, 'AdoptRoot', { rootKeyId: unit.newId(), kid: rootKid, publicJwk })
    const manifest = manifestOf(await unit.load(signingKeys), unit.at, 400)
    await recordManifest(unit, { manifest, jws: manifestJws(manifest, { ...publicJwk, d }), rootKid })
  })
}

function onlyRefused(error: unknown): void {
  if (!(error instanceof Rejection)) throw error
}

/** Money that is owed, collected by hand and by a provider, given back and credited. */
async function pays(call: Call, { licensing, baseUrl }: Teller, as: string): Promise<void> {
  const { read, services } = licensing
  const run = <Result>(work: (unit: UnitOfWork) => Promise<Result>) => licensing.commands.run(GOLDEN, work)
  const place = { run, read, service: services, baseUrl }
  await call('POST /api/admin/plans', { as, body: { slug: 'paid', name: 'Paid', priceYearly: 1_000 } })
  const order = { email: 'edith@customer.test', planSlug: 'paid' }
  const { customer, subscription } = (await call('POST /api/admin/provisioning', { as, body: order })).body
  const ids = { customerId: customer.id as string, subscriptionId: subscription.id as string }
  const arrived = { amount: 1_000, currency: 'EUR', method: 'BANK_TRANSFER', note: 'of Edith’s sister' }
  const { id } = (await call(`POST /api/admin/subscriptions/${ids.subscriptionId}/payments`, { as, body: arrived }))
    .body
  await call(`POST /api/admin/payments/${id}/refund`, { as, body: { amount: 200, reason: 'Edith was unhappy' } })
  const credit = { amount: 400, reason: 'Edith waited' }
  await call(`POST /api/admin/customers/${ids.customerId}/credits`, { as, body: credit })

  const due = { ...ids, currency: 'EUR', lines: [{ label: 'A period: paid, 1 seat, yearly', amount: 1_000 }] }
  const { id: paymentId } = await run((unit) =>
    requestPayment(unit, { ...due, purpose: 'RENEWAL', occurrence: 'period/2027' }),
  )
  await applyProviderReport(place, 'stripe', { what: 'failed', paymentId, attempt: 1, code: 'card_declined' })
  const other = { what: 'paid', paymentId, amount: 500, currency: 'EUR', ref: 'pi_golden' } as const
  await applyProviderReport(place, 'stripe', other).catch(onlyRefused)
  const billing = { customerRef: 'cus_golden', methodRef: 'pm_golden' }
  const notice = { paymentId, provider: 'stripe', notice: 'evt_golden', kind: 'payment_intent.succeeded' }
  const paid = { what: 'paid', paymentId, amount: 600, currency: 'EUR', ref: 'pi_golden', billing } as const
  await applyProviderReport(place, 'stripe', paid, (unit) =>
    unit.appendEvent(paymentNotices, paymentId, PaymentNoticed(notice)),
  )
  const refundId = randomUUID()
  await run((unit) => unit.decide(payments, paymentId, 'RequestRefund', { refundId, reason: 'Edith again' }))
  await applyProviderReport(place, 'stripe', { what: 'refunded', paymentId, refundId, ref: 're_golden' })
  await applyProviderReport(place, 'stripe', {
    what: 'refundFailed',
    paymentId,
    refundId,
    code: 'expired_or_canceled_card',
  })
  const dispute = { providerRef: 'dp_golden', amount: 600, currency: 'EUR', reason: 'fraudulent' }
  const disputed = { what: 'disputed', paymentId, ref: 'pi_golden' } as const
  await applyProviderReport(place, 'stripe', {
    ...disputed,
    dispute: { ...dispute, status: 'OPEN', holdsRefunds: true },
  })
  await applyProviderReport(place, 'stripe', {
    ...disputed,
    dispute: { ...dispute, status: 'LOST', holdsRefunds: false },
  })

  await call(`POST /api/admin/customers/${ids.customerId}/credits`, { as, body: credit })
  const open = await run((unit) =>
    requestPayment(unit, { ...due, purpose: 'CHANGE', occurrence: 'once', checkoutAt: 'stripe' }),
  )
  await run((unit) => unit.decide(payments, open.id, 'OpenCheckout', { providerRef: 'cs_golden' }))
  await applyProviderReport(place, 'stripe', { what: 'expired', paymentId: open.id })
  const trying = { ...due, lines: [], purpose: 'TRIAL', trialOf: 'paid', checkoutAt: 'stripe' } as const
  const left = await run((unit) => requestPayment(unit, { ...trying, occurrence: 'TRIAL' }))
  await applyProviderReport(place, 'stripe', { what: 'expired', paymentId: left.id })
  await run((unit) => requestPayment(unit, { ...trying, occurrence: 'TRIAL' }))
}

/** No webhook is delivered: no worker runs during this part. */
async function tellsOthers(call: Call, { licensing }: Teller, as: string): Promise<void> {
  const body = { url: 'https://receiver.test/hook', events: ['license.revoked'] }
  const { webhook } = (await call('POST /api/admin/webhooks', { as, body })).body
  const path = `/api/admin/webhooks/${webhook.id}`
  const { id: webhookId, url } = webhook as { id: string; url: string }
  await licensing.commands.run(GOLDEN, (unit) => unit.decide(webhooks, undefined, 'VerifyWebhook', { webhookId, url }))
  await call(`POST ${path}/ping`, { as })
  await licensing.commands.run(GOLDEN, async (unit) =>
    unit.appendEvent(webhookRequests, undefined, WebhookDeliveryRepeated({ webhookId, deliveryId: unit.newId() })),
  )
  await call(`POST ${path}/rotate-secret`, { as })
  await call(`PATCH ${path}`, { as, body: { url: 'https://receiver.test/other', ed25519: true, events: ['*'] } })
  await call(`PATCH ${path}`, { as, body: { active: false } })
  await call(`PATCH ${path}`, { as, body: { active: true } })
  const second = (await call('POST /api/admin/webhooks', { as, body })).body.webhook
  await call(`DELETE /api/admin/webhooks/${second.id}`, { as })
}

async function knowsCustomers(call: Call, as: string): Promise<void> {
  const body = { email: 'rosalind@customer.test', name: 'Rosalind', company: 'Crystals Ltd' }
  const { id } = (await call('POST /api/admin/customers', { as, body })).body
  await call(`PATCH /api/admin/customers/${id}/status`, { as, body: { status: 'SUSPENDED', reason: 'chargeback' } })
  await call(`PATCH /api/admin/customers/${id}/status`, { as, body: { status: 'ACTIVE' } })
}

async function keepsStaff(call: Call, teller: Teller, as: string): Promise<void> {
  const member = { email: 'joan@staff.test', name: 'Joan', roles: ['SUPERADMIN'] }
  const { staff: joan, link } = (await call('POST /api/admin/staff', { as, body: member })).body
  const password = PASSWORDS[1]
  await call('POST /api/admin/auth/set-password', { body: { token: link.split('#token=')[1], password } })
  await call(`PATCH /api/admin/staff/${joan.id}`, { as, body: { name: 'Joan C.', roles: ['SUPPORT', 'AUDITOR'] } })
  const hers = (await signIn(call, member.email, password)).body.accessToken
  const { secret } = (await call('POST /api/admin/auth/2fa/setup', { as: hers, body: { password } })).body
  const [, now] = codesOf(teller.world, secret)
  await call('POST /api/admin/auth/2fa/enable', { as: hers, body: { password, code: now } })
  await call(`POST /api/admin/staff/${joan.id}/reset-2fa`, { as })
  await call(`DELETE /api/admin/staff/${joan.id}`, { as })
}

async function releases(call: Call, { licensing }: Teller, as: string): Promise<void> {
  const body = { version: '1.0.0', notes: 'The first one', minPlan: 'team' }
  const { id } = (await call('POST /api/admin/versions', { as, body })).body
  const file = { artifactId: randomUUID(), name: 'panel-linux-x64.tgz', size: 7, sha256: 'ab'.repeat(32) }
  const artifact = { ...file, kid: 'a key', signature: 'a signature' }
  await licensing.commands.run(GOLDEN, (unit) => unit.decide(versions, id, 'AddArtifact', artifact))
  await call(`POST /api/admin/versions/${id}/publish`, { as })
  await call(`POST /api/admin/versions/${id}/yank`, { as, body: { reason: 'it breaks backups' } })
}

const changesSettings = (call: Call, as: string) =>
  call('PATCH /api/admin/settings/shopRegistration', { as, body: { value: false } })

const exportsPlans = (call: Call, as: string) => call('GET /api/admin/exports/plans', { as })

async function announces(call: Call, as: string): Promise<void> {
  const announcement = { title: 'Maintenance', body: 'The shop is closed for an hour.', level: 'WARNING' }
  const period = { visibleFrom: '2026-01-01T00:00:00Z', visibleUntil: '2026-02-01T00:00:00Z' }
  const at = '/api/admin/announcements'
  const { id: first } = (await call(`POST ${at}`, { as, body: { ...announcement, ...period } })).body
  const { id: second } = (await call(`POST ${at}`, { as, body: { ...announcement, ...period } })).body
  await call(`PATCH ${at}/${first}`, { as, body: { level: 'INFO' } })
  await call(`DELETE ${at}/${second}`, { as })
}

/** No worker runs, so the end is told. */
async function changesMany(call: Call, { licensing }: Teller, as: string): Promise<void> {
  const filter = { createdBefore: '2026-01-01T00:00:00Z' }
  const { id } = (await call('POST /api/admin/bulk', { as, body: { action: 'customers.activate', filter } })).body
  const result = { done: 0, skipped: 0, failed: 0 }
  await licensing.commands.run(GOLDEN, (unit) => unit.decide(bulk, id, 'CompleteBulk', result))
}

async function erases(call: Call, as: string): Promise<void> {
  const body = { email: 'forgotten@customer.test', planSlug: 'team', reference: 'order-1844' }
  const { customer } = (await call('POST /api/admin/provisioning', { as, body })).body
  await call(`GET /api/admin/customers/${customer.id}/export`, { as })
  await call(`POST /api/admin/customers/${customer.id}/erase`, { as, body: { confirmEmail: body.email } })
}

/** @throws AssertionError for an unexpected answer */
export async function tell(teller: Teller): Promise<void> {
  const call = caller(teller)
  const { chapter } = teller
  const session = await chapter('auth', async () => {
    const as = await signsInAndOut(call, teller, await person(teller, 'Ada'))
    await provesSecondFactors(call, teller)
    return as
  })
  await chapter('plans', () => offersPlans(call, session))
  await chapter('features', () => declaresFeatures(call, session))
  const token = await chapter('machine-tokens', () => mintsTokens(call, session))
  await chapter('provisioning', () => sells(call, token))
  await chapter('subscriptions', async () => {
    await livesOn(call, teller, session)
    await changesTerms(call, session)
  })
  await chapter('shop', () => shops(call, teller))
  await chapter('instances', () => runsPanels(call, teller, session))
  await chapter('payments', () => pays(call, teller, session))
  await chapter('webhooks', () => tellsOthers(call, teller, session))
  await chapter('staff', () => keepsStaff(call, teller, session))
  await chapter('versions', () => releases(call, teller, session))
  await chapter('settings', () => changesSettings(call, session))
  await chapter('exports', () => exportsPlans(call, session))
  await chapter('announcements', () => announces(call, session))
  await chapter('bulk', () => changesMany(call, teller, session))
  await chapter('customers', async () => {
    await knowsCustomers(call, session)
    await erases(call, session)
  })
  await chapter('licenses', () => leasesOffline(call, session))
  await chapter('signing-keys', () => keepsKeys(call, teller, session))
}
