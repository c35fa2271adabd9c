/**
 * From one call to a licensed machine (seed, "Provisioning"). Always in this order: credential and permission, types of the
 * body, the reference, every rule that needs the time or stored state, creation. So a retry is still a replay when the plan
 * was closed or the date has passed in between.
 */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { Unit } from '#kernel/command'
import { answer, everyone, route, textReply } from '#kernel/http/route'
import { email, normalisedEmail } from '#kernel/identity/email'
import { reject } from '#kernel/rejection'
import { ClaimRefused } from '#kernel/store/port'
import type { Vault } from '#kernel/vault'
import { staffOrToken } from '../access.ts'
import { customers } from '../customers/decider.ts'
import type { Customer } from '../customers/decider.ts'
import { issueLicense, planCalled, referenceHmac } from '../issuing.ts'
import { mintLicenseToken } from '../license-token.ts'
import { slug } from '../plans/events.ts'
import { signingKeyOf } from '../signing-key.ts'
import type { SigningKey } from '../signing-keys/decider.ts'
import { subscriptions, usableLicense } from '../subscriptions/decider.ts'
import type { License, Subscription } from '../subscriptions/decider.ts'
import { BILLING_CYCLES } from '../subscriptions/events.ts'
import { ProvisioningCompleted, provisioningEvents, ProvisioningReplayed, provisioningReplays } from './events.ts'

const COUNT_MAX = 1_000_000
/** One claim is refused for the address and one for the reference; a third refusal has another cause. */
const REFUSED_CLAIMS_MAX = 2

const ProvisioningRequest = z.strictObject({
  email,
  planSlug: slug,
  seats: z.int().min(1).max(COUNT_MAX).default(1),
  billingCycle: z.enum(BILLING_CYCLES).default('YEARLY'),
  status: z.enum(['ACTIVE', 'TRIALING']).default('ACTIVE'),
  currentPeriodEnd: z.iso.datetime({ offset: true }).optional(),
  maxActivations: z.int().min(1).max(COUNT_MAX).optional(),
  reference: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters')
    .optional(),
})
type ProvisioningRequest = z.output<typeof ProvisioningRequest>

const ProvisioningReply = z.object({
  created: z.boolean(),
  customer: z.object({ id: z.uuid(), email: z.string(), created: z.boolean() }),
  subscription: z.object({
    id: z.uuid(),
    planSlug: z.string(),
    seats: z.int(),
    status: z.enum(['ACTIVE', 'TRIALING']),
  }),
  license: z.object({ id: z.uuid(), keyId: z.string(), expiresAt: z.iso.datetime() }),
  licenseKey: z.string(),
  installCommand: z.string(),
})

const INSTALL_SCRIPT = `#!/bin/sh
echo 'The panel is not released yet, so there is nothing to install.' >&2
echo 'Your license key is valid: keep it for the day of the release.' >&2
exit 1
`

export const provisioningRoutes = [
  route('POST /api/admin/provisioning', {
    does: 'Create or reuse a customer, create a subscription and issue a license, all or nothing. With a `reference` the call can be repeated safely: 200 and created=false with the subscription’s current license.',
    access: staffOrToken('licenses:manage'),
    status: [201, 200],
    body: ProvisioningRequest,
    reply: ProvisioningReply,
    handle: async ({ run, vault, body, baseUrl }) => {
      const ask: Ask = { ...body, ...(await keysOf(vault, body)), iss: baseUrl }
      const provisioned = await untilClaimed(() => run((unit) => provision(unit, ask)))
      return answer(await replyOf(provisioned, baseUrl), provisioned.created ? 201 : 200)
    },
  }),

  route('GET /install.sh', {
    does: 'The script that an installCommand runs. Until the panel is released it says so and exits with 1.',
    access: everyone,
    reply: textReply('text/x-shellscript'),
    handle: async () => INSTALL_SCRIPT,
  }),
]

interface Keys {
  readonly emailKey: string
  readonly referenceKey: string | null
  readonly requestHash: string
}

interface Ask extends ProvisioningRequest, Keys {
  readonly iss: string
}

interface Provisioned {
  readonly created: boolean
  readonly customer: Customer
  readonly customerCreated: boolean
  readonly subscription: Subscription
  readonly license: License
  readonly signedWith: SigningKey
}

async function keysOf(vault: Vault, ask: ProvisioningRequest): Promise<Keys> {
  const { planSlug, seats, billingCycle, status, currentPeriodEnd, maxActivations = null } = ask
  const end = currentPeriodEnd === undefined ? null : Date.parse(currentPeriodEnd)
  const request = JSON.stringify([planSlug, seats, billingCycle, status, end, maxActivations])
  return {
    emailKey: await vault.hmac('pepper', normalisedEmail(ask.email)),
    referenceKey: ask.reference === undefined ? null : await referenceHmac(vault, ask.reference),
    requestHash: createHash('sha256').update(request).digest('base64url'),
  }
}

/** A refused claim means that somebody else made the account or took the reference just now: the next try finds it. */
async function untilClaimed<Result>(work: () => Promise<Result>, refused = 0): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ClaimRefused && refused < REFUSED_CLAIMS_MAX) return untilClaimed(work, refused + 1)
    throw error
  }
}

async function provision(unit: Unit, ask: Ask): Promise<Provisioned> {
  const known = ask.referenceKey === null ? undefined : await unit.holderOf('reference', ask.referenceKey)
  return known === undefined ? create(unit, ask) : replay(unit, known, ask)
}

/** A pure read of state, recorded as a replay: the license of now, which may not be the one that was issued first. */
async function replay(
  unit: Unit,
  subscriptionId: string,
  { reference, emailKey, requestHash }: Ask,
): Promise<Provisioned> {
  const subscription = (await unit.look(subscriptions, subscriptionId))!
  const customer = (await unit.look(customers, subscription.customerId))!
  if (customer.emailKey !== emailKey)
    reject('conflict', `Reference ${reference} belongs to another customer`, 'REFERENCE_TAKEN')
  const license =
    usableLicense(subscription, unit.at) ??
    reject('invalid', `Reference ${reference} has no active license`, 'NO_ACTIVE_LICENSE')
  const requestMismatch = subscription.requestHash !== requestHash
  const ids = { subscriptionId, customerId: customer.id, licenseId: license.id }
  unit.record(provisioningReplays, subscriptionId, ProvisioningReplayed({ ...ids, requestMismatch }))
  const signedWith = await signingKeyOf(unit, license)
  return { created: false, customer, customerCreated: false, subscription, license, signedWith }
}

/** Everything in one append: a first attempt that fails leaves nothing behind, its claims included. */
async function create(unit: Unit, ask: Ask): Promise<Provisioned> {
  const plan = await planCalled(unit, ask.planSlug)
  const holder = await unit.holderOf('customerEmail', ask.emailKey)
  const customer = holder === undefined ? await register(unit, ask) : (await unit.look(customers, holder))!
  const subscriptionId = unit.newId()
  const { planSlug, seats, billingCycle, status, currentPeriodEnd, referenceKey, requestHash } = ask
  await unit.decide(subscriptions, subscriptionId, 'CreateSubscription', {
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
  const completed = {
    subscriptionId,
    customerId: customer.id,
    licenseId: license.id,
    customerCreated: holder === undefined,
    maxActivationsAsked: maxActivations ?? null,
    maxActivations: license.maxActivations,
  }
  unit.record(provisioningEvents, subscriptionId, ProvisioningCompleted(completed))
  const subscription = (await unit.load(subscriptions, subscriptionId))!
  return { created: true, customer, customerCreated: holder === undefined, subscription, license, signedWith }
}

async function register(unit: Unit, { email, emailKey }: Ask): Promise<Customer> {
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

async function replyOf({ created, customerCreated, ...made }: Provisioned, baseUrl: string) {
  const { customer, subscription, license, signedWith } = made
  const licenseKey = await mintLicenseToken(license, signedWith)
  return {
    created,
    customer: { ...customer, created: customerCreated },
    subscription,
    license,
    licenseKey,
    // A compact JWS holds letters, digits, dashes, underscores and dots only: nothing that a shell could read otherwise.
    installCommand: `curl -fsSL ${baseUrl}/install.sh | DAYBOOK_LICENSE_KEY='${licenseKey}' sh`,
  }
}
