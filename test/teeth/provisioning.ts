/** Breaks of provisioning, its licenses and their keys. */
import type { Break } from './breaks.ts'

const ROUTES = 'src/licensing/provisioning/routes.ts'
const FLOW = 'src/licensing/workflows/provisioning/provision.ts'
const RULES = 'src/licensing/subscriptions/decider.ts'
const TERMS = 'src/licensing/subscriptions/term-rules.ts'
const LICENSED = 'src/licensing/subscriptions/license-rules.ts'
const SUBSCRIPTION_EVENTS = 'src/licensing/subscriptions/events.ts'
const LICENSE_EVENTS = 'src/licensing/licenses/events.ts'
const CUSTOMER_EVENTS = 'src/licensing/customers/events.ts'
const AUDITED = 'src/licensing/audit/audited-read.ts'
const KEY_READ = 'src/licensing/licenses/record-key-read.ts'
const TOKEN = 'src/licensing/licenses/license-token.ts'

const PROVISIONING = 'test/licensing/provisioning/provisioning.test.ts'
const REPEATED = 'test/licensing/service/idempotency.test.ts'
const STORMS = 'test/licensing/provisioning/storms.test.ts'
const CANARY = 'test/licensing/provisioning/canary.test.ts'
const SUBSCRIPTIONS = 'test/licensing/subscriptions/rules.test.ts'
const STATES = 'test/licensing/subscriptions/states.test.ts'
const MODEL = 'test/licensing/subscriptions/model.test.ts'
const KEYS = 'test/licensing/licenses/licenses.test.ts'
const TOKENS = 'test/licensing/licenses/license-token.test.ts'
const SIGNING = 'test/licensing/signing-keys/signing-keys.test.ts'

export const provisioningBreaks: readonly Break[] = [
  {
    promise: 'an existing account is reused',
    file: FLOW,
    find: `const holder = await unit.holderOf('customerEmail', ask.emailKey)`,
    replace: `const holder = undefined as string | undefined`,
    test: PROVISIONING,
    named: 'is reused and never modified',
  },
  {
    promise: 'every spelling of an address is one account',
    file: 'src/kernel/credentials/email-address.ts',
    find: `.normalize('NFKC').toLowerCase()`,
    replace: `.normalize('NFKC')`,
    test: PROVISIONING,
    named: 'in whatever spelling',
  },
  {
    promise: 'an inactive plan is refused',
    file: TERMS,
    find: `return plan.active ? plan :`,
    replace: `return plan.active || plan.slug ? plan :`,
    test: PROVISIONING,
    named: 'must be active',
  },
  {
    promise: 'seats default to 1',
    file: ROUTES,
    find: `.max(COUNT_MAX).default(1)`,
    replace: `.max(COUNT_MAX).default(2)`,
    test: PROVISIONING,
    named: 'sells one seat',
  },
  {
    promise: 'the status defaults to ACTIVE',
    file: ROUTES,
    find: `.default('ACTIVE')`,
    replace: `.default('TRIALING')`,
    test: PROVISIONING,
    named: 'sells one seat',
  },
  {
    promise: 'a period lasts a year by default',
    file: RULES,
    find: `yearsAfter(at, 1)`,
    replace: `yearsAfter(at, 2)`,
    test: PROVISIONING,
    named: 'sells one seat',
  },
  {
    promise: 'the license expires with the period',
    file: LICENSED,
    find: `const end = new Date(currentPeriodEnd)`,
    replace: `const end = new Date(at.getTime() + 31_536_000_000)`,
    test: PROVISIONING,
    named: 'expire with the period',
  },
  {
    promise: 'the cap of activations is never lowered',
    file: LICENSED,
    find: `Math.max(plan.maxActivations, subscription.maxActivations)`,
    replace: `plan.maxActivations`,
    test: KEYS,
    named: 'never lowers the cap',
  },
  {
    promise: 'the cap of activations is never lowered in any sequence',
    file: LICENSED,
    find: `Math.max(plan.maxActivations, subscription.maxActivations)`,
    replace: `plan.maxActivations`,
    test: MODEL,
  },
  {
    promise: 'the cap of activations is granted whatever is asked',
    file: LICENSED,
    find: `maxActivations: Math.max(`,
    replace: `maxActivations: ask.maxActivations ?? Math.max(`,
    test: PROVISIONING,
    named: 'caps the activations',
  },
  {
    promise: 'the replay check comes first',
    file: FLOW,
    find: `  return known === undefined ? create(unit, ask) : replay(unit, known, ask)`,
    replace: `  if (!(await planBySlug(unit, ask.planSlug))?.active) reject('invalid', 'The plan is not active')
  return known === undefined ? create(unit, ask) : replay(unit, known, ask)`,
    test: PROVISIONING,
    named: 'comes first',
  },
  {
    promise: 'a replay returns the current license',
    file: FLOW,
    find: `: usableLicense(subscription, at)`,
    replace: `: usableLicense(subscription, at) && subscription.licenses[0]`,
    test: PROVISIONING,
    named: 'returns the current license',
  },
  {
    promise: 'a replay is audited as a replay',
    file: FLOW,
    find: `  unit.appendEvent(provisioningReplays, subscriptionId, ProvisioningReplayed({ ...ids, requestMismatch }))`,
    replace: `  void [ids, requestMismatch, provisioningReplays, ProvisioningReplayed]`,
    test: PROVISIONING,
    named: 'is audited as a replay',
  },
  {
    promise: 'a replay after the grace is refused',
    file: LICENSED,
    find: `['ACTIVE', 'GRACE'].includes(effectiveStatus(license, at, isLicenseHeld(subscription)))`,
    replace: `license.id !== ''`,
    test: PROVISIONING,
    named: 'is refused when the grace is over',
  },
  {
    promise: 'a known reference is not answered to another address',
    file: FLOW,
    find: `customer.emailKey !== emailKey)`,
    replace: `customer.emailKey === emailKey && customer.id === '')`,
    test: PROVISIONING,
    named: 'is refused to another address',
  },
  {
    promise: 'a different request under one reference is noted',
    file: FLOW,
    find: `subscription.requestHash !== requestHash`,
    replace: `subscription.requestHash === ''`,
    test: PROVISIONING,
    named: 'when something else was asked',
  },
  {
    promise: 'issuing revokes the previous license',
    file: LICENSED,
    find: `return previous ? [revokeLicense(subscription, previous.id, 'superseded', ask.licenseId), issued] : [issued]`,
    replace: `return previous ? [issued] : [issued]`,
    test: SUBSCRIPTIONS,
    named: 'revokes the previous license',
  },
  {
    promise: 'a license is revoked once',
    file: RULES,
    find: `if (license.status === 'REVOKED') reject(`,
    replace: `if (license.id === '') reject(`,
    test: KEYS,
    named: 'is refused a second time',
  },
  {
    promise: 'the install command carries the key in DAYBOOK_LICENSE_KEY',
    file: ROUTES,
    find: `DAYBOOK_LICENSE_KEY=`,
    replace: `LICENSE_KEY=`,
    test: PROVISIONING,
    named: 'carries the license key',
  },
  {
    promise: 'one reference makes one subscription under 1,000 concurrent calls',
    file: SUBSCRIPTION_EVENTS,
    find: `(referenceKey === null ? [] : [{ scope: 'reference', key: referenceKey }])`,
    replace: `(referenceKey === '' ? [{ scope: 'reference', key: referenceKey }] : [])`,
    test: STORMS,
    named: 'with one reference',
  },
  {
    promise: 'one address makes one customer under 200 concurrent calls',
    file: CUSTOMER_EVENTS,
    find: `[{ scope: 'customerEmail', key: emailKey }]`,
    replace: `(emailKey ? [] : [])`,
    test: STORMS,
    named: 'with one e-mail',
  },
  {
    promise: 'whoever loses the race for a reference gets the replay, not an error',
    file: FLOW,
    find: `retryConstraintViolations(CONSTRAINTS,`,
    replace: `retryConstraintViolations(0,`,
    test: STORMS,
    named: 'with one reference',
  },
  {
    promise: 'a provisioning that is repeated by its Idempotency-Key is a read of the key',
    file: FLOW,
    find: 'return recordKeyRead(unit, requireActiveLicense({ ...sold, reference }, unit.at))',
    replace:
      'const license = requireActiveLicense({ ...sold, reference }, unit.at)\n  return { license, signedWith: await signingKeyOf(unit, license) }',
    test: REPEATED,
    named: 'is repeated whole',
  },
  {
    promise: 'a provisioning is not repeated once its license does not count',
    file: FLOW,
    find: 'return recordKeyRead(unit, requireActiveLicense({ ...sold, reference }, unit.at))',
    replace: 'return recordKeyRead(unit, sold.subscription.licenses.at(-1)!)',
    test: REPEATED,
    named: 'is refused as a repetition by its reference is',
  },
  {
    promise: 'a license key is not shown again while that cannot be recorded',
    file: ROUTES,
    find: `await auditedRead(run, (unit) =>
        readProvisionedLicense(unit, { subscriptionId, reference }),
      )`,
    replace: 'await run((unit) => readProvisionedLicense(unit, { subscriptionId, reference }))',
    test: REPEATED,
    named: 'the cause is unknown',
  },
  {
    promise: 'a key read is audited',
    file: KEY_READ,
    find: `  unit.appendEvent(licenseReads, licenseId, LicenseKeyRead({ licenseId, subscriptionId, customerId, keyId }))`,
    replace: `  void [LicenseKeyRead, licenseReads, subscriptionId, customerId, keyId]`,
    test: KEYS,
    named: 'is audited with the reader',
  },
  {
    promise: 'a key read fails closed',
    file: KEY_READ,
    find: `  unit.appendEvent(licenseReads, licenseId, LicenseKeyRead({ licenseId, subscriptionId, customerId, keyId }))`,
    replace: `  void [LicenseKeyRead, licenseReads, subscriptionId, customerId, keyId]`,
    test: KEYS,
    named: 'fails closed',
  },
  {
    promise: 'no key is answered whose read could not be recorded',
    file: AUDITED,
    find: `    return await run(work)
  } catch (error) {`,
    replace: `    let unrecorded: Result | undefined
    return await run(async (unit) => (unrecorded = await work(unit))).catch(() => unrecorded!)
  } catch (error) {`,
    test: KEYS,
    named: 'fails closed',
  },
  {
    promise: 'a key read fails closed with 503 for whatever reason',
    file: AUDITED,
    find: `throw error instanceof Rejection ? error : new StoreUnavailable(error)`,
    replace: `throw error instanceof Rejection ? new StoreUnavailable(error) : error`,
    test: KEYS,
    named: 'fails closed',
  },
  {
    promise: 'what time makes of a license is the same in SQL and in the rules',
    file: 'projections/licensing/licenses.ts',
    find: `licenseTable.ref('graceEndsAt')} <=`,
    replace: `licenseTable.ref('graceEndsAt')} <`,
    test: KEYS,
    named: 'is said alike',
  },
  {
    promise: 'a license token has a type of its own',
    file: TOKEN,
    find: `typ: LICENSE_TOKEN_TYPE`,
    replace: `typ: 'JWT'`,
    test: TOKENS,
    named: 'is verified offline',
  },
  {
    promise: 'a license token is minted again byte for byte',
    file: TOKEN,
    find: `nbf: unixSeconds(license.issuedAt),`,
    replace: `nbf: Math.floor(performance.timeOrigin + performance.now()),`,
    test: TOKENS,
    named: 'byte for byte',
  },
  {
    promise: 'a license token is for panels and for nobody else',
    file: TOKEN,
    find: `aud: LICENSE_AUDIENCE`,
    replace: `aud: 'daybook'`,
    test: TOKENS,
    named: 'is verified offline',
  },
  {
    promise: 'a license token ends when the license does',
    file: TOKEN,
    find: `exp: unixSeconds(license.expiresAt)`,
    replace: `exp: unixSeconds(license.expiresAt) + license.graceDays * DAY_SECONDS`,
    test: TOKENS,
    named: 'is verified offline',
  },
  {
    promise: 'a license token names the plan’s features',
    file: TOKEN,
    find: `ft: sorted(license.features)`,
    replace: `ft: sorted({})`,
    test: TOKENS,
    named: 'is verified offline',
  },
  {
    promise: 'the first signing key stays the only one',
    file: 'src/licensing/signing-keys/decider.ts',
    find: `currentKey(ring) ? [] :`,
    replace: `currentKey(ring) && !ask.kid ? [] :`,
    test: SIGNING,
    named: 'stays the only one',
  },
  {
    promise: 'a signing key is sealed',
    file: 'src/licensing/signing-keys/events.ts',
    find: `privateKey: sealed(z.string()),\n    state`,
    replace: `privateKey: z.string(),\n    state`,
    test: SIGNING,
    named: 'on first start',
  },
  ...(['email: sealed(z.string())', 'name: sealed(z.string().nullable())'] as const).map((find) => ({
    promise: `a customer’s ${find.split(':')[0]} is nowhere in clear`,
    file: CUSTOMER_EVENTS,
    find,
    replace: find.replace('sealed(', '').slice(0, -1),
    test: CANARY,
  })),
  {
    promise: 'a reference is nowhere in clear',
    file: SUBSCRIPTION_EVENTS,
    find: `reference: sealed(z.string().nullable())`,
    replace: `reference: z.string().nullable()`,
    test: CANARY,
  },
  {
    promise: 'a request secret is nowhere in clear',
    file: LICENSE_EVENTS,
    find: `/** The request secret, 32 bytes as base64url. */
    k: sealed(z.string())`,
    replace: `k: z.string()`,
    test: CANARY,
    named: 'request secret',
  },
  {
    promise: 'what holds a license holds it in every reading',
    file: 'src/licensing/licenses/rules.ts',
    find: `if (license.status === 'SUSPENDED' || isHeld)`,
    replace: `if (license.status === 'SUSPENDED')`,
    test: STATES,
    named: 'while the subscription is',
  },
  {
    promise: 'another plan is no way around a suspension',
    file: LICENSED,
    find: `if (isOtherPlan) refuseSuspended(subscription)`,
    replace: ``,
    test: STATES,
    named: 'no new license for a suspended one',
  },
  {
    promise: 'the end of a license is written down once',
    file: 'src/licensing/licenses/rules.ts',
    find: `noted !== 'EXPIRED' && isPast(graceEndsAt)`,
    replace: `isPast(graceEndsAt)`,
    test: STATES,
    named: 'is written down once',
  },
  {
    promise: 'a scheduled cancellation waits for the end of the period',
    file: RULES,
    find: `if (!cancellation || Date.parse(cancellation.endsAt) > at.getTime()) return []`,
    replace: `if (!cancellation) return []`,
    test: STATES,
    named: 'not a moment too soon',
  },
]
