/**
 * Creates what a new installation needs: the first account, plan, license and token. Each is created
 * once, and not again after it was changed or removed.
 */
import { staffTable } from '#projections/licensing/staff'
import type { Licensing } from '../composition/licensing.ts'
import { SYSTEM_ACTOR } from '../composition/licensing.ts'
import type { RealmAccount } from '../kernel/auth/realm.ts'
import type { UnitOfWork } from '../kernel/commands/command-runner.ts'
import { normalisedEmail } from '../kernel/credentials/email-address.ts'
import { hashSecret, newSecret, secretPrefix } from '../kernel/credentials/secret-token.ts'
import type { CommandContext } from '../kernel/events/event.ts'
import { Rejection } from '../kernel/lib/rejection.ts'
import { addStaff } from '../licensing/access/staff-accounts.ts'
import { staffRealm } from '../licensing/access/staff-realm.ts'
import { features } from '../licensing/features/decider.ts'
import { mintLicenseToken } from '../licensing/licenses/license-token.ts'
import { machineTokens } from '../licensing/machine-tokens/decider.ts'
import { plans } from '../licensing/plans/decider.ts'
import { planEvents } from '../licensing/plans/events.ts'
import { NewPlan } from '../licensing/plans/views.ts'
import { provision } from '../licensing/workflows/provisioning/provision.ts'
import { referenceHmac } from '../licensing/workflows/subscriptions/issue-license.ts'

const FIRST_START: CommandContext = { actor: SYSTEM_ACTOR, requestId: 'first-start' }
const TOKEN_DAYS = 90
const DAY_MS = 86_400_000

export const FIRST_PLAN = 'starter'

const runIn =
  ({ commands }: Licensing) =>
  <Result>(work: (unit: UnitOfWork) => Promise<Result>) =>
    commands.run(FIRST_START, work)

const EVALUATION_PLAN = 'evaluation'
const NO_LIMITS = ['servers.max', 'projects.max', 'applications.max', 'users.max'].map((key) => ({ key, value: -1 }))

/**
 * Release 0.1.0 created the plans of an evaluation as public, so that its shop gave them away. A plan
 * that was changed since is not touched.
 */
async function takeOutOfShop({ store }: Licensing, unit: UnitOfWork, slug: string): Promise<void> {
  const planId = await unit.holderOf('planSlug', slug)
  if (planId === undefined) return
  const [created, ...changes] = await store.readStream(planEvents.nameFor(planId))
  if (created?.schemaVersion === 1 && changes.length === 0)
    await unit.decide(plans, planId, 'ChangePlan', { public: false })
}

const isStreamEmpty = async ({ store }: Licensing, stream: string): Promise<boolean> =>
  (await store.readStream(stream)).length === 0

/**
 * Creates the first SUPERADMIN.
 * @returns false if there is staff already
 */
export async function ensureFirstStaff(
  service: Licensing,
  admin: { email: string; password: string },
): Promise<boolean> {
  await service.projector.catchUp()
  if (await staffTable.queryIn(service.read).select('id').limit(1).executeTakeFirst()) return false
  const person = { ...admin, name: 'Administrator', roles: ['SUPERADMIN' as const] }
  try {
    await addStaff(runIn(service), service.vault, person)
    return true
  } catch (error) {
    if (!(error instanceof Rejection)) throw error
    if (error.statusCode === 409) return false
    throw new Error(
      `The first account cannot be created from DAYBOOK_ADMIN_EMAIL and DAYBOOK_ADMIN_PASSWORD: ${error.message}.`,
      { cause: error },
    )
  }
}

/** The oldest staff account that may sign in. */
export async function firstStaff(service: Licensing): Promise<RealmAccount | undefined> {
  const first = await staffTable
    .queryIn(service.read)
    .select('id')
    .where('status', '=', 'ACTIVE')
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return first && runIn(service)((unit) => staffRealm.account(unit, first.id))
}

/** A plan to try provisioning with; it has no price and is not public. */
export async function ensureFirstPlan(service: Licensing): Promise<void> {
  await runIn(service)(async (unit) => {
    for (const slug of [FIRST_PLAN, EVALUATION_PLAN]) await takeOutOfShop(service, unit, slug)
    if (await unit.holderOf('planSlug', FIRST_PLAN)) return
    const planId = unit.newId()
    const terms = NewPlan.parse({ slug: FIRST_PLAN, name: 'Starter', maxActivations: 3 })
    await unit.decide(plans, planId, 'CreatePlan', { planId, ...terms })
  })
}

/**
 * The license of the panel in an evaluation: provisioned like any other, and the same at every start.
 * @returns undefined if the license or the plan was removed
 */
export async function evaluationLicense(service: Licensing, baseUrl: string): Promise<string | undefined> {
  const { vault } = service
  const [email, reference] = ['panel@daybook.localhost', 'evaluation-panel']
  try {
    await ensureEvaluationPlan(service)
    const { license, signedWith } = await provision(runIn(service), {
      email,
      emailKey: await vault.hmac('pepper', normalisedEmail(email)),
      reference,
      referenceKey: await referenceHmac(vault, reference),
      requestHash: reference,
      planSlug: EVALUATION_PLAN,
      seats: 1,
      billingCycle: 'YEARLY',
      status: 'ACTIVE',
      iss: baseUrl,
    })
    return mintLicenseToken(license, signedWith)
  } catch (error) {
    if (error instanceof Rejection) return undefined
    throw error
  }
}

const ensureEvaluationPlan = (service: Licensing): Promise<void> =>
  runIn(service)(async (unit) => {
    if (await unit.holderOf('planSlug', EVALUATION_PLAN)) return
    const planId = unit.newId()
    const terms = NewPlan.parse({ slug: EVALUATION_PLAN, name: 'Evaluation', features: NO_LIMITS })
    await unit.decide(plans, planId, 'CreatePlan', { planId, ...terms })
    await unit.decide(features, undefined, 'OfferFeatures', { planId, features: terms.features })
  })

/**
 * A token for the curl command that `daybook start` prints.
 * @returns undefined if the installation has created a token before
 */
export async function firstToken(service: Licensing): Promise<string | undefined> {
  if (!(await isStreamEmpty(service, 'machineTokens'))) return undefined
  const secret = newSecret('m')
  await runIn(service)((unit) =>
    unit.decide(machineTokens, undefined, 'MintToken', {
      machineTokenId: unit.newId(),
      name: 'evaluation',
      permissions: ['licenses:manage', 'licenses:view', 'customers:view', 'subscriptions:*', 'plans:*'],
      allowedIps: [],
      expiresAt: new Date(unit.at.getTime() + TOKEN_DAYS * DAY_MS).toISOString(),
      prefix: secretPrefix(secret),
      hash: hashSecret(secret),
    }),
  )
  return secret
}
