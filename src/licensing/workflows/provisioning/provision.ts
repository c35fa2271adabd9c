/**
 * Provisions a license in one call (specification, "Provisioning"). The order is fixed: credential
 * and permission, types of the body, the reference, the rules that need the time or stored state,
 * creation. A retry is therefore a replay even if the plan was closed or the date passed in
 * between.
 */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { retryConstraintViolations } from '#kernel/commands/constraint-retries'
import type { DataOf } from '#kernel/events/event'
import type { HandlerContext } from '#kernel/http/route'
import { reject } from '#kernel/lib/rejection'
import { customers } from '../../customers/decider.ts'
import type { Customer } from '../../customers/decider.ts'
import { recordKeyRead } from '../../licenses/record-key-read.ts'
import type { License } from '../../licenses/rules.ts'
import { ProvisioningReplayed, provisioningReplays } from '../../provisioning/events.ts'
import type { SigningKey } from '../../signing-keys/decider.ts'
import { signingKeyOf } from '../../signing-keys/signing-key.ts'
import { subscriptions } from '../../subscriptions/decider.ts'
import type { SubscriptionCreated } from '../../subscriptions/events.ts'
import { usableLicense } from '../../subscriptions/license-rules.ts'
import type { Subscription } from '../../subscriptions/term-rules.ts'
import { decideSubscription } from '../subscriptions/decide.ts'
import { issueLicense, planBySlug } from '../subscriptions/issue-license.ts'

/** The address and the reference: a concurrent call creates the account or takes the reference first. */
const CONSTRAINTS = 2

/** A request with valid types, and the keys that find its earlier results. */
export interface ProvisioningInput extends Pick<
  DataOf<typeof SubscriptionCreated>,
  'planSlug' | 'seats' | 'billingCycle' | 'status' | 'referenceKey'
> {
  readonly email: string
  readonly emailKey: string
  readonly reference?: string | undefined
  readonly currentPeriodEnd?: string | undefined
  readonly maxActivations?: number | undefined
  /** Hash of the whole request except the address and the reference. */
  readonly requestHash: string
  /** The base URL, which is the license's issuer. */
  readonly iss: string
}

export interface ProvisioningResult {
  readonly created: boolean
  readonly customer: Customer
  readonly customerCreated: boolean
  readonly subscription: Subscription
  readonly license: License
  readonly signedWith: SigningKey
}

/** @throws Rejection 400 or 409 by the rules */
export const provision = (run: HandlerContext['run'], ask: ProvisioningInput): Promise<ProvisioningResult> =>
  retryConstraintViolations(CONSTRAINTS, () => run((unit) => createOrReplay(unit, ask)))

async function createOrReplay(unit: UnitOfWork, ask: ProvisioningInput): Promise<ProvisioningResult> {
  const [known] = await Promise.all([
    ask.referenceKey === null ? undefined : unit.holderOf('reference', ask.referenceKey),
    // Needed for a creation, and asked for at once to save two round trips.
    unit.holderOf('customerEmail', ask.emailKey),
    unit.holderOf('planSlug', ask.planSlug),
  ])
  return known === undefined ? create(unit, ask) : replay(unit, known, ask)
}

/**
 * Reads the present state and records a replay. The license is the one in force now, which may
 * differ from the first one.
 */
async function replay(
  unit: UnitOfWork,
  subscriptionId: string,
  { reference, emailKey, requestHash }: ProvisioningInput,
): Promise<ProvisioningResult> {
  const { subscription, customer } = await loadProvisioned(unit, subscriptionId)
  // An erased customer has no address to compare and no active license.
  if (customer.status !== 'ERASED' && customer.emailKey !== emailKey)
    reject('conflict', `Reference ${reference} belongs to another customer`, 'REFERENCE_TAKEN')
  const license = requireActiveLicense({ subscription, customer, reference }, unit.at)
  const requestMismatch = subscription.requestHash !== requestHash
  const ids = { subscriptionId, customerId: customer.id, licenseId: license.id }
  unit.appendEvent(provisioningReplays, subscriptionId, ProvisioningReplayed({ ...ids, requestMismatch }))
  const signedWith = await signingKeyOf(unit, license)
  return { created: false, customer, customerCreated: false, subscription, license, signedWith }
}

/**
 * For a reply that is repeated by its Idempotency-Key: the license that a replay would return,
 * recorded as a read of the key.
 * @throws Rejection 400 if no license is active
 */
export async function readProvisionedLicense(
  unit: UnitOfWork,
  { subscriptionId, reference }: { readonly subscriptionId: string; readonly reference: string | undefined },
): Promise<Pick<ProvisioningResult, 'license' | 'signedWith'>> {
  const sold = await loadProvisioned(unit, subscriptionId)
  return recordKeyRead(unit, requireActiveLicense({ ...sold, reference }, unit.at))
}

async function loadProvisioned(unit: UnitOfWork, subscriptionId: string) {
  const subscription = (await unit.look(subscriptions, subscriptionId))!
  return { subscription, customer: (await unit.look(customers, subscription.customerId))! }
}

interface ProvisionedSubscription {
  readonly subscription: Subscription
  readonly customer: Customer
  readonly reference: string | undefined
}

/** @throws Rejection 400 if no license is active */
function requireActiveLicense({ subscription, customer, reference }: ProvisionedSubscription, at: Date): License {
  const usable = customer.status === 'SUSPENDED' ? undefined : usableLicense(subscription, at)
  const named = reference === undefined ? `Subscription ${subscription.id}` : `Reference ${reference}`
  return usable ?? reject('invalid', `${named} has no active license`, 'NO_ACTIVE_LICENSE')
}

/** One append: a failed first attempt leaves nothing behind, its unique constraints included. */
async function create(unit: UnitOfWork, ask: ProvisioningInput): Promise<ProvisioningResult> {
  const plan = await planBySlug(unit, ask.planSlug)
  const holder = await unit.holderOf('customerEmail', ask.emailKey)
  const known = holder === undefined ? undefined : await unit.load(customers, holder)
  const customerCreated = known === undefined || known.status === 'ERASED'
  const customer = customerCreated ? await registerCustomer(unit, ask) : known
  const subscriptionId = unit.newId()
  const { planSlug, seats, billingCycle, status, currentPeriodEnd, referenceKey, requestHash } = ask
  await decideSubscription(unit, subscriptionId, 'CreateSubscription', {
    subscriptionId,
    customerId: customer.id,
    plan,
    planSlug,
    seats,
    billingCycle,
    status,
    currentPeriodEnd,
    reference: ask.reference ?? null,
    referenceKey,
    requestHash,
  })
  const { iss, maxActivations } = ask
  const { license, signedWith } = await issueLicense(unit, { subscriptionId, plan, iss, maxActivations })
  await unit.decide(customers, customer.id, 'CompleteProvisioning', {
    subscriptionId,
    customerId: customer.id,
    licenseId: license.id,
    customerCreated,
    maxActivationsAsked: maxActivations ?? null,
    maxActivations: license.maxActivations,
  })
  const subscription = (await unit.load(subscriptions, subscriptionId))!
  return { created: true, customer, customerCreated, subscription, license, signedWith }
}

async function registerCustomer(unit: UnitOfWork, { email, emailKey }: ProvisioningInput): Promise<Customer> {
  const customerId = unit.newId()
  await unit.decide(customers, customerId, 'RegisterCustomer', {
    customerId,
    email,
    emailKey,
    name: null,
    company: null,
  })
  return (await unit.load(customers, customerId))!
}
