/** Each route that declares `from`, tried in every state that its record can be in. */
import { expect, test } from 'vitest'
import type { Decider } from '#kernel/events/decider'
import { customers, requireActiveCustomer, requireUnerasedCustomer } from '#licensing/customers/decider'
import { CustomerRegistered } from '#licensing/customers/events'
import { licenseSlots } from '#licensing/instances/decider'
import { InstanceActivated } from '#licensing/instances/events'
import { effectiveStatus, requireInEffect } from '#licensing/licenses/rules'
import { isLive, machineTokens } from '#licensing/machine-tokens/decider'
import { MachineTokenMinted } from '#licensing/machine-tokens/events'
import { payments } from '#licensing/payments/decider'
import { PaymentRequested } from '#licensing/payments/events'
import { plans } from '#licensing/plans/decider'
import { PlanCreated } from '#licensing/plans/events'
import { signingKeys } from '#licensing/signing-keys/decider'
import { ManifestSigned, SigningKeyCreated } from '#licensing/signing-keys/events'
import { staffAccounts } from '#licensing/staff/decider'
import { StaffAdded, StaffTotpDisabled, StaffTotpEnabled, StaffTotpSetUp } from '#licensing/staff/events'
import { subscriptions } from '#licensing/subscriptions/decider'
import { licenseIn } from '#licensing/subscriptions/license-rules'
import { isLicenseHeld, requireLive } from '#licensing/subscriptions/term-rules'
import { toSubscriptionReply } from '#licensing/subscriptions/views'
import { versions } from '#licensing/versions/decider'
import { VersionCreated } from '#licensing/versions/events'
import { requireEnabled, webhooks } from '#licensing/webhooks/decider'
import { WebhookCreated } from '#licensing/webhooks/events'
import { AT } from '#test/support/decider-spec'
import { routes } from '../../../src/composition/licensing.ts'
import {
  CUSTOMER_ID,
  LICENSE_ID,
  SUBSCRIPTION_ID,
  aPlan,
  inDays,
  licenseIssued,
  subscriptionCreated,
} from '../../support/licensing/examples.ts'
import { routesWithFrom, walkThroughStates } from '../../support/state-walk.ts'
import type { Moment, Walk } from '../../support/state-walk.ts'

const declared = routesWithFrom(routes)
const walked = new Set<string>()

function walk<D extends Decider>(name: string, decider: D, spec: Walk<D>): void {
  for (const line of Object.keys(spec.routes)) walked.add(line)
  test(`the routes of ${name}`, () => walkThroughStates(declared, decider, spec))
}

const ID = '01890000-0000-7000-8000-00000000f001'
const idOf = (number: number): string => `01890000-0000-7000-8000-${String(number).padStart(12, '0')}`
const kid = 'kid'
const asked = { reason: 'asked' }

walk('a customer', customers, {
  begins: [[CustomerRegistered({ customerId: ID, email: 'a@b.test', emailKey: 'key', name: 'Ada', company: null })]],
  moves: [
    ({ decide }) => decide('SetCustomerStatus', { status: 'SUSPENDED', reason: null }),
    ({ decide }) => decide('SetCustomerStatus', { status: 'ACTIVE', reason: null }),
    ({ decide }) => decide('EraseCustomer', { emailKey: 'key' }),
  ],
  records: ({ state }) => [{ id: ID, shown: { ...state! } }],
  routes: {
    'PATCH /api/admin/customers/:id': [({ decide, made }) => decide('ChangeCustomer', { company: `Company ${made}` })],
    'PATCH /api/admin/customers/:id/status': [
      ({ decide }) => decide('SetCustomerStatus', { status: 'SUSPENDED', reason: null }),
      ({ decide }) => decide('SetCustomerStatus', { status: 'ACTIVE', reason: null }),
    ],
    'POST /api/admin/customers/:id/reset-password': [({ state }) => void requireActiveCustomer(state)],
    'POST /api/admin/customers/:id/credits': [({ state }) => void requireUnerasedCustomer(state)],
    'POST /api/admin/customers/:id/erase': [({ decide }) => decide('EraseCustomer', { emailKey: 'key' })],
  },
})

const { id: planId, versions: _versions, version: _version, createdAt: _at, ...terms } = aPlan()
walk('a plan', plans, {
  begins: [[PlanCreated({ planId, ...terms })], [PlanCreated({ planId, ...terms, active: false })]],
  moves: [({ decide }) => decide('ActivatePlan', {}), ({ decide }) => decide('DeactivatePlan', {})],
  records: ({ state }) => [{ id: planId, shown: { ...state! } }],
  routes: {
    'POST /api/admin/plans/:id/activate': [({ decide }) => decide('ActivatePlan', {})],
    'POST /api/admin/plans/:id/deactivate': [({ decide }) => decide('DeactivatePlan', {})],
  },
})

const artifact = (made: number) => ({
  artifactId: idOf(made),
  name: `daybook-${made}.tar.gz`,
  size: 1,
  sha256: String(made),
  kid,
  signature: 'jws',
})
walk('a version', versions, {
  begins: [[VersionCreated({ versionId: ID, version: '1.0.0', channel: 'stable', notes: '', minPlan: null })]],
  moves: [
    ({ decide, made }) => decide('AddArtifact', artifact(made)),
    ({ decide }) => decide('PublishVersion', {}),
    ({ decide }) => decide('YankVersion', asked),
  ],
  records: ({ state }) => [{ id: ID, shown: { ...state! } }],
  routes: {
    'POST /api/admin/versions/:id/artifacts': [({ decide, made }) => decide('AddArtifact', artifact(made))],
    'POST /api/admin/versions/:id/publish': [({ decide }) => decide('PublishVersion', {})],
    'POST /api/admin/versions/:id/yank': [({ decide }) => decide('YankVersion', asked)],
  },
  otherReasons: ['NO_ARTIFACT'],
})

const plan = aPlan({ maxSeats: null })
const fresh = (made: number) => ({ licenseId: idOf(made), keyId: `lic_${made}`, kid, k: 'k', iss: 'https://x.test' })
const newest = ({ state }: Moment<typeof subscriptions>) => ({ licenseId: state!.licenses.at(-1)?.id ?? ID })
const changeOf = (now: Moment<typeof subscriptions>) => ({
  change: { seats: now.state!.seats + 1, proration: 'none' as const },
  plan,
  present: plan,
})
const changeTerms = [
  (now: Moment<typeof subscriptions>) =>
    now.decide('ChangeSubscription', { ...changeOf(now), license: fresh(now.made + 1) }),
  (now: Moment<typeof subscriptions>) => now.decide('ScheduleChange', changeOf(now)),
]
const cancel = [
  ({ decide }: Moment<typeof subscriptions>) => decide('CancelSubscription', asked),
  ({ decide }: Moment<typeof subscriptions>) => decide('ScheduleCancellation', { kid }),
]
const SOLD: Pick<Walk<typeof subscriptions>, 'begins' | 'moves' | 'timer'> = {
  timer: ({ decide }) => decide('EndSubscription', {}),
  begins: [
    [subscriptionCreated({ status: 'INCOMPLETE' })],
    [subscriptionCreated({ status: 'TRIALING', trialEndsAt: inDays(30) }), licenseIssued()],
    [subscriptionCreated(), licenseIssued()],
  ],
  moves: [
    ({ decide }) => decide('CancelSubscription', asked),
    ({ decide }) => decide('ScheduleCancellation', { kid }),
    ({ decide }) => decide('WithdrawCancellation', { kid }),
    ({ decide }) => decide('PauseSubscription', {}),
    ({ decide }) => decide('ResumeSubscription', {}),
    ({ decide }) => decide('RenewSubscription', { kid }),
    ({ decide }) => decide('ActivateSubscription', { status: 'ACTIVE', plan, kid }),
    ({ decide }) => decide('FailPayment', { nextAttemptAt: null }),
    ({ decide }) => decide('RecoverPayment', {}),
    ({ decide }) => decide('GiveUpCharging', {}),
    ({ decide }) => decide('ExpireSubscription', { reason: 'never paid', kid }),
    ({ decide, made }) => decide('IssueLicense', { ...fresh(made), plan }),
    (now) => now.decide('RevokeLicense', { ...newest(now), ...asked }),
    (now) => now.decide('SuspendLicense', { ...newest(now), ...asked }),
    (now) => now.decide('ResumeLicense', newest(now)),
    (now) => now.decide('ExtendLicense', { ...newest(now), days: 20, kid }),
    (now) => now.decide('NoteExpiry', newest(now)),
  ],
}

walk('a subscription', subscriptions, {
  ...SOLD,
  records: ({ state, at }) => [{ id: SUBSCRIPTION_ID, shown: { ...toSubscriptionReply(state!, at) } }],
  routes: {
    'PATCH /api/admin/subscriptions/:id': changeTerms,
    'PATCH /api/shop/subscriptions/:id': changeTerms,
    'POST /api/admin/subscriptions/:id/change-preview': changeTerms,
    'POST /api/shop/subscriptions/:id/change-preview': changeTerms,
    'POST /api/admin/subscriptions/:id/cancel': cancel,
    'POST /api/shop/subscriptions/:id/cancel': cancel,
    'POST /api/admin/subscriptions/:id/uncancel': [({ decide }) => decide('WithdrawCancellation', { kid })],
    'POST /api/admin/subscriptions/:id/pause': [({ decide }) => decide('PauseSubscription', {})],
    'POST /api/admin/subscriptions/:id/resume': [({ decide }) => decide('ResumeSubscription', {})],
    'POST /api/admin/subscriptions/:id/payments': [({ state }) => void requireLive(state)],
  },
})

const reissue = (now: Moment<typeof subscriptions>, licenseId: string) =>
  now.decide('ReissueLicense', { ...fresh(now.made), licenseId, mode: 'routine' })
const leaseFile = ({ state, at }: Moment<typeof subscriptions>, licenseId: string) =>
  void requireInEffect(licenseIn(state!, licenseId), at, isLicenseHeld(state!))
walk('a license', subscriptions, {
  ...SOLD,
  records: ({ state, at }) =>
    state!.licenses.map((license) => ({
      id: license.id,
      shown: { ...license, effectiveStatus: effectiveStatus(license, at, isLicenseHeld(state!)) },
    })),
  routes: {
    'POST /api/admin/licenses/:id/revoke': [
      ({ decide }, licenseId) => decide('RevokeLicense', { licenseId, ...asked }),
    ],
    'POST /api/admin/licenses/:id/suspend': [
      ({ decide }, licenseId) => decide('SuspendLicense', { licenseId, ...asked }),
    ],
    'POST /api/admin/licenses/:id/resume': [({ decide }, licenseId) => decide('ResumeLicense', { licenseId })],
    'POST /api/admin/licenses/:id/extend': [
      ({ decide }, licenseId) => decide('ExtendLicense', { licenseId, days: 1, kid }),
    ],
    'POST /api/admin/licenses/:id/reissue': [reissue],
    'POST /api/shop/licenses/:id/rotate': [reissue],
    'POST /api/admin/licenses/:id/offline-lease': [leaseFile],
    'POST /api/shop/licenses/:id/offline-activation': [leaseFile],
  },
  otherReasons: ['SUBSCRIPTION_ENDS'],
})

const panel = (number: number) => ({
  instanceId: idOf(number),
  subscriptionId: SUBSCRIPTION_ID,
  customerId: CUSTOMER_ID,
  licenseId: LICENSE_ID,
  keyThumbprint: `key ${number}`,
  publicKey: 'key',
  name: 'n',
  hostname: 'h',
  version: '1',
  os: 'linux',
  arch: 'x64',
  ip: null,
  fingerprintHash: `hash ${number}`,
})
const oneOf = ({ state, made }: Moment<typeof licenseSlots>) => ({
  instanceId: state.instances[made % state.instances.length]!.id,
})
const deactivate = ({ decide }: Moment<typeof licenseSlots>, instanceId: string) =>
  decide('DeactivateInstance', { instanceId, reason: null })
walk('an instance', licenseSlots, {
  begins: [[InstanceActivated({ ...panel(0), fingerprint: '{}' })]],
  moves: [
    ({ decide, made }) =>
      decide('ActivateInstance', {
        ...panel(made),
        fingerprint: { machine: `m-${made}` },
        maxActivations: 2,
        reclaimable: [],
        silent: [],
      }),
    (now) => now.decide('DeactivateInstance', { ...oneOf(now), reason: null }),
    (now) => now.decide('ReactivateInstance', { ...oneOf(now), maxActivations: 2 }),
    (now) => now.decide('MarkStale', { ...oneOf(now), lastHeartbeatAt: AT.toISOString() }),
    ({ decide }) => decide('ReleaseSlots', { subscriptionId: SUBSCRIPTION_ID, customerId: CUSTOMER_ID }),
  ],
  records: ({ state }) => state.instances.map((instance) => ({ id: instance.id, shown: { ...instance } })),
  routes: {
    'POST /api/admin/instances/:id/deactivate': [deactivate],
    'POST /api/shop/instances/:id/deactivate': [deactivate],
    'POST /api/admin/instances/:id/reactivate': [
      ({ decide }, instanceId) => decide('ReactivateInstance', { instanceId, maxActivations: 2 }),
    ],
  },
  otherReasons: ['NO_FREE_SLOT'],
})

const token = (number: number, expiresAt: string | null = null) => ({
  machineTokenId: idOf(number),
  name: 'CI',
  permissions: ['plans:view'],
  allowedIps: [],
  expiresAt,
  prefix: 'dbm_abcdefgh',
  hash: `hash ${number}`,
})
const rotation = (now: Moment<typeof machineTokens>, machineTokenId: string, overlapMinutes = 0) =>
  now.decide('RotateToken', {
    machineTokenId,
    successorId: idOf(10_000 + now.made),
    prefix: 'dbm_abcdefgh',
    hash: 'hash',
    overlapMinutes,
  })
/** As the read model computes it, which keeps dead tokens too. */
function tokensShown({ past, at }: Moment<typeof machineTokens>) {
  const ends = new Map<string, string | null>()
  const revoked = new Set<string>()
  for (const { type, data } of past)
    if (type === 'MachineTokenRevoked') revoked.add(data.machineTokenId)
    else ends.set(data.machineTokenId, data.expiresAt)
  return [...ends].map(([id, expiresAt]) => {
    const status = revoked.has(id) ? 'REVOKED' : isLive({ expiresAt }, at) ? 'ACTIVE' : 'EXPIRED'
    return { id, shown: { status } }
  })
}
const firstToken = ({ past }: Moment<typeof machineTokens>) => past[0]!.data.machineTokenId
walk('a machine token', machineTokens, {
  begins: [
    [MachineTokenMinted({ ...token(0), grants: ['plans:view'] })],
    [MachineTokenMinted({ ...token(0, inDays(300)), grants: ['plans:view'] })],
  ],
  moves: [
    ({ decide, made, at }) => decide('MintToken', token(made, inDays(300, at))),
    (now) => now.decide('RevokeToken', { machineTokenId: firstToken(now) }),
    (now) => rotation(now, firstToken(now), 60),
  ],
  records: tokensShown,
  routes: {
    'POST /api/admin/machine-tokens/:id/revoke': [
      ({ decide }, machineTokenId) => decide('RevokeToken', { machineTokenId }),
    ],
    'POST /api/admin/machine-tokens/:id/rotate': [(now, machineTokenId) => rotation(now, machineTokenId)],
  },
  otherReasons: ['MACHINE_TOKEN_ROTATED'],
})

const webhook = { webhookId: ID, url: 'https://one.example/' }
walk('a webhook', webhooks, {
  begins: [[WebhookCreated({ ...webhook, events: ['*'], ordering: 'subject', ed25519: false, secret: 'secret' })]],
  moves: [
    ({ decide }) => decide('VerifyWebhook', webhook),
    ({ decide }) => decide('ChangeWebhook', { webhookId: ID, active: false }),
    ({ decide }) => decide('ChangeWebhook', { webhookId: ID, active: true }),
    ({ decide }) => decide('GiveUpWebhook', { ...webhook, reason: 'GONE' }),
  ],
  records: ({ state }) => state.map((each) => ({ id: each.id, shown: { ...each } })),
  routes: { 'POST /api/admin/webhooks/:id/ping': [({ state }, id) => void requireEnabled(state, id)] },
})

const key = (number: number) => ({
  signingKeyId: idOf(number),
  kid: `kid ${number}`,
  publicJwk: { kty: 'OKP' as const, crv: 'Ed25519' as const, x: 'x' },
  privateKey: 'd',
})
const nextKid = ({ state }: Moment<typeof signingKeys>) => state.keys.find((each) => each.state === 'next')?.kid ?? ''
const lastKid = ({ state, made }: Moment<typeof signingKeys>) => state.keys[made % state.keys.length]!.kid
walk('a signing key', signingKeys, {
  begins: [[SigningKeyCreated({ ...key(0), state: 'current' })]],
  moves: [
    ({ decide, made }) => decide('CreateKey', key(made)),
    (now) => now.decide('PromoteKey', { kid: nextKid(now) }),
    (now) => now.decide('RetireKey', { kid: lastKid(now), overlapDays: 30 }),
    (now) => now.decide('CompromiseKey', { kid: lastKid(now), ...asked, fresh: key(now.made) }),
    ({ state, made, at }) => [
      ManifestSigned({
        manifestId: idOf(made),
        serial: made,
        rootKid: 'root',
        issuedAt: at.toISOString(),
        expiresAt: inDays(1, at),
        states: Object.fromEntries(state.keys.map((each) => [each.kid, each.state])),
        jws: 'jws',
      }),
    ],
  ],
  records: ({ state }) => state.keys.map((each) => ({ id: each.kid, shown: { ...each } })),
  routes: {
    'POST /api/admin/settings/signing-keys/:kid/promote': [(now, id) => now.decide('PromoteKey', { kid: id })],
    'POST /api/admin/settings/signing-keys/:kid/retire': [
      (now, id) => now.decide('RetireKey', { kid: id, overlapDays: 30 }),
    ],
    'POST /api/admin/settings/signing-keys/:kid/compromise': [
      (now, id) => now.decide('CompromiseKey', { kid: id, ...asked, fresh: key(now.made + 1) }),
    ],
  },
  otherReasons: ['SIGNING_KEY_TOO_NEW', 'SIGNING_KEY_UNLISTED', 'SIGNING_KEY_IN_USE'],
})

const ids = { paymentId: ID, customerId: CUSTOMER_ID, subscriptionId: SUBSCRIPTION_ID }
const by = { provider: 'manual', providerRef: null, method: 'CASH', note: null }
/** As the read model computes it. */
function paymentStatus({ past }: Moment<typeof payments>): string {
  let status = 'PENDING'
  for (const { type, data } of past) {
    if (type === 'PaymentSettled') status = 'PAID'
    if (type === 'PaymentFailed' || type === 'PaymentCancelled') status = 'FAILED'
    if (type === 'PaymentRefunded') status = data.left === 0 ? 'REFUNDED' : 'PARTIALLY_REFUNDED'
    if (type === 'PaymentRefundFailed') status = data.refunded === 0 ? 'PAID' : 'PARTIALLY_REFUNDED'
  }
  return status
}
const oneRefund = ({ state, made }: Moment<typeof payments>) =>
  state!.refunds[made % Math.max(1, state!.refunds.length)]?.id ?? ID
walk('a payment', payments, {
  begins: [
    [
      PaymentRequested({
        ...ids,
        purpose: 'RENEWAL',
        amount: 900,
        credited: 0,
        currency: 'EUR',
        lines: [{ label: 'A period', amount: 900 }],
        provider: 'manual',
        occurrence: null,
        atCheckout: false,
        trialOf: null,
      }),
    ],
  ],
  moves: [
    ({ decide }) => decide('SettlePayment', by),
    ({ decide, state }) => decide('FailPayment', { attempt: state!.failed + 1, code: 'declined' }),
    ({ decide }) => decide('CancelPayment', asked),
    ({ decide, made }) => decide('RequestRefund', { refundId: idOf(made), amount: 300, reason: null }),
    ({ decide, made }) => decide('RequestRefund', { refundId: idOf(made), reason: null }),
    (now) => now.decide('SettleRefund', { refundId: oneRefund(now), providerRef: null, invoiceNumber: 'C-1' }),
    (now) => now.decide('FailRefund', { refundId: oneRefund(now), code: 'lost', invoiceNumber: null }),
    ({ decide }) =>
      decide('NoteDispute', {
        disputeId: ID,
        amount: 600,
        currency: 'EUR',
        reason: 'fraudulent',
        providerRef: 'dp_1',
        holdsRefunds: true,
        status: 'OPEN',
      }),
  ],
  records: (now) => [{ id: ID, shown: { type: 'CHARGE', status: paymentStatus(now) } }],
  routes: {
    'POST /api/admin/payments/:id/refund': [
      ({ decide, made }) => decide('RequestRefund', { refundId: idOf(made + 1), amount: 1, reason: null }),
    ],
  },
  otherReasons: ['NOTHING_LEFT', 'PAYMENT_DISPUTED'],
  unreachable: ['type REFUND', 'type CREDIT'],
})

const totp = { staffId: ID, staffSessionId: idOf(1) }
walk('a member of staff', staffAccounts, {
  begins: [
    [StaffAdded({ staffId: ID, email: 'r@s.test', emailKey: 'key', name: 'Robin', roles: [], passwordHash: 'hash' })],
  ],
  moves: [
    () => [StaffTotpSetUp({ ...totp, secret: 'secret' }), StaffTotpEnabled({ ...totp, step: 1, backupCodes: [] })],
    () => [StaffTotpDisabled({ ...totp, step: 2 })],
    ({ decide }) => decide('ResetTotp', {}),
  ],
  records: ({ state }) => [{ id: ID, shown: { totpEnabled: state!.totp !== undefined } }],
  routes: { 'POST /api/admin/staff/:id/reset-2fa': [({ decide }) => decide('ResetTotp', {})] },
})

test('every route that declares from is tried', () => {
  expect([...walked].toSorted()).toEqual([...declared.keys()].toSorted())
})
