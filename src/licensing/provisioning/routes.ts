import { hash } from 'node:crypto'
import { z } from 'zod'
import { email, normalisedEmail } from '#kernel/credentials/email-address'
import { answer, everyone, cachedReply, route } from '#kernel/http/route'
import type { Vault } from '#kernel/vault/vault'
import { staffOrToken } from '../access/access.ts'
import { installScript } from '../adapters/install-script.ts'
import { auditedRead } from '../audit/audited-read.ts'
import { BILLING_CYCLES } from '../licenses/events.ts'
import { mintLicenseToken } from '../licenses/license-token.ts'
import { slug } from '../plans/events.ts'
import { rootKey } from '../signing-keys/signing-key.ts'
import { SUBSCRIPTION_STATUSES } from '../subscriptions/events.ts'
import { provision, readProvisionedLicense } from '../workflows/provisioning/provision.ts'
import type { ProvisioningResult } from '../workflows/provisioning/provision.ts'
import { referenceHmac } from '../workflows/subscriptions/issue-license.ts'

const COUNT_MAX = 1_000_000

const ProvisioningRequest = z.strictObject({
  email: email.describe(
    'The end customer. An existing account with this address, in any spelling, is reused and never modified.',
  ),
  planSlug: slug,
  seats: z
    .int()
    .min(1)
    .max(COUNT_MAX)
    .default(1)
    .meta({ examples: [5] }),
  billingCycle: z.enum(BILLING_CYCLES).default('YEARLY'),
  status: z.enum(['ACTIVE', 'TRIALING']).default('ACTIVE'),
  currentPeriodEnd: z.iso
    .datetime({ offset: true })
    .optional()
    .describe(
      'In the future, at most ten years ahead; one year from now if absent. The license expires at the same time.',
    ),
  maxActivations: z
    .int()
    .min(1)
    .max(COUNT_MAX)
    .optional()
    .describe('Only recorded: the license gets the cap of the plan.'),
  reference: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters')
    .optional()
    .describe('Such as the number of the order. A repeated reference never creates a second subscription.')
    .meta({ examples: ['order-1842'] }),
})

const ProvisioningReply = z
  .object({
    created: z.boolean(),
    customer: z.object({ id: z.uuid(), email: z.string(), created: z.boolean() }),
    subscription: z.object({
      id: z.uuid(),
      planSlug: z.string(),
      seats: z.int(),
      status: z.enum(SUBSCRIPTION_STATUSES),
    }),
    license: z.object({ id: z.uuid(), keyId: z.string(), expiresAt: z.iso.datetime() }),
    licenseKey: z.string(),
    installCommand: z.string(),
  })
  .meta({ id: 'Provisioning' })
const StoredReply = ProvisioningReply.pick({ subscription: true })

const script = cachedReply('text/x-shellscript')

export const provisioningRoutes = [
  route('POST /api/admin/provisioning', {
    does: 'Create or reuse a customer, create a subscription and issue a license, all or nothing. A `reference` makes the call repeatable.',
    access: staffOrToken('licenses:manage'),
    status: [201, 200],
    body: ProvisioningRequest,
    reply: ProvisioningReply,
    shownOnce: ['licenseKey', 'installCommand'],
    async showAgain({ run, body: { reference }, baseUrl }, kept) {
      const { id: subscriptionId } = StoredReply.parse(kept).subscription
      const { license, signedWith } = await auditedRead(run, (unit) =>
        readProvisionedLicense(unit, { subscriptionId, reference }),
      )
      return { license, ...licenseKeyReply({ license, signedWith }, baseUrl) }
    },
    handle: async ({ run, vault, body, baseUrl }) => {
      const provisioned = await provision(run, { ...body, ...(await lookupKeysOf(vault, body)), iss: baseUrl })
      return answer(replyOf(provisioned, baseUrl), provisioned.created ? 201 : 200)
    },
  }),

  route('GET /install.sh', {
    does: 'Get the script that an installCommand runs: it installs the panel with Docker Compose from the image named by DAYBOOK_IMAGE.',
    access: everyone,
    reply: script,
    handle: async ({ run, baseUrl }) => script.of(installScript({ baseUrl, rootKey: (await rootKey(run)).x })),
  }),
]

async function lookupKeysOf(vault: Vault, ask: z.output<typeof ProvisioningRequest>) {
  const { planSlug, seats, billingCycle, status, currentPeriodEnd, maxActivations = null } = ask
  const end = currentPeriodEnd === undefined ? null : Date.parse(currentPeriodEnd)
  const request = JSON.stringify([planSlug, seats, billingCycle, status, end, maxActivations])
  return {
    emailKey: await vault.hmac('pepper', normalisedEmail(ask.email)),
    referenceKey: ask.reference === undefined ? null : await referenceHmac(vault, ask.reference),
    requestHash: hash('sha256', request, 'base64url'),
  }
}

function replyOf({ created, customerCreated, ...made }: ProvisioningResult, baseUrl: string) {
  const { customer, subscription, license } = made
  return {
    created,
    customer: { ...customer, created: customerCreated },
    subscription,
    license,
    ...licenseKeyReply(made, baseUrl),
  }
}

function licenseKeyReply({ license, signedWith }: Pick<ProvisioningResult, 'license' | 'signedWith'>, baseUrl: string) {
  const licenseKey = mintLicenseToken(license, signedWith)
  // A compact JWS has only letters, digits, dashes, underscores and dots, so quoting it in a shell
  // is safe.
  return { licenseKey, installCommand: `curl -fsSL ${baseUrl}/install.sh | DAYBOOK_LICENSE_KEY='${licenseKey}' sh` }
}
