import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { UniqueConstraintViolation } from '#kernel/events/store-port'
import { inState } from '#kernel/http/in-state'
import { listReply, pagination } from '#kernel/http/pagination'
import { recordVersion } from '#kernel/http/record-version'
import { route } from '#kernel/http/route'
import type { HandlerContext } from '#kernel/http/route'
import { flag } from '#kernel/lib/flag'
import { found, reject } from '#kernel/lib/rejection'
import { containsText } from '#kernel/lib/text-search'
import { findRow } from '#kernel/projections/lookup'
import { planTable } from '#projections/licensing/plans'
import { staffOrToken } from '../access/access.ts'
import { features } from '../features/decider.ts'
import { CLOSED_PLAN, OPEN_PLAN, plans } from './decider.ts'
import { slug } from './events.ts'
import type { PlanTerms } from './rules.ts'
import { NewPlan, name, shownTerms } from './views.ts'

const Plan = z
  .object({
    id: z.uuid(),
    slug,
    active: z.boolean(),
    version: z.int(),
    ...shownTerms,
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Plan' })

const Version = z
  .object({
    version: z.int(),
    currency: shownTerms.currency,
    priceMonthly: shownTerms.priceMonthly,
    priceYearly: shownTerms.priceYearly,
    free: shownTerms.free,
    features: shownTerms.features,
  })
  .meta({ id: 'PlanVersion' })

const version = recordVersion(Plan, (unit, { params }) => unit.look(plans, params['id']))

/** Without defaults, so that a change of one term leaves the others unchanged. */
const PlanChange = z.strictObject({ ...shownTerms, name }).partial()

const Clone = z.strictObject({ slug, name: name.optional() })

const planList = pagination({
  filters: { active: flag.optional(), slug: slug.optional(), q: z.string().min(1).max(100).optional() },
  sort: ['createdAt', 'slug', 'name'],
})

function changePlan(
  run: HandlerContext['run'],
  id: string,
  command: 'ChangePlan' | 'ActivatePlan' | 'DeactivatePlan',
  ask: z.output<typeof PlanChange>,
) {
  return run(async (unit) => {
    await unit.decide(plans, id, command, ask)
    if (ask.features) await unit.decide(features, undefined, 'OfferFeatures', { planId: id, features: ask.features })
    return (await unit.load(plans, id))!
  })
}

type NewPlanFields = PlanTerms & { readonly slug: string; readonly active: boolean }

/**
 * @param termsOf reads the new plan's terms in the same unit of work.
 * @throws Rejection 409 for a taken slug · 400 for its features
 */
function createPlan(run: HandlerContext['run'], slug: string, termsOf: (unit: UnitOfWork) => Promise<NewPlanFields>) {
  return run(async (unit) => {
    const planId = unit.newId()
    const terms = await termsOf(unit)
    await unit.decide(plans, planId, 'CreatePlan', { planId, ...terms })
    if (terms.features.length > 0)
      await unit.decide(features, undefined, 'OfferFeatures', { planId, features: terms.features })
    return (await unit.load(plans, planId))!
  }).catch((error) => {
    if (error instanceof UniqueConstraintViolation) reject('conflict', `Plan ${slug} already exists`, 'SLUG_TAKEN')
    throw error
  })
}

export const planRoutes = [
  route('GET /api/admin/plans', {
    does: 'List plans. `q` finds a part of the slug or the name.',
    access: staffOrToken('plans:view'),
    query: planList.query,
    reply: listReply(Plan),
    handle: ({ read, query }) =>
      planList.list(planTable.queryIn(read).selectAll(), query, {
        q: (rows, text) => rows.where(containsText(['slug', 'name'], text)),
      }),
  }),

  route('POST /api/admin/plans', {
    does: 'Create a plan. Only slug and name are required; the slug never changes. A cycle without a price is not offered.',
    access: staffOrToken('plans:manage'),
    status: 201,
    body: NewPlan,
    reply: Plan,
    handle: ({ run, body }) => createPlan(run, body.slug, async () => body),
  }),

  route('GET /api/admin/plans/:id', {
    does: 'Read a plan.',
    access: staffOrToken('plans:view'),
    version,
    reply: Plan,
    handle: async ({ read, params }) => found(await findRow(read, planTable, params)),
  }),

  route('GET /api/admin/plans/:id/versions', {
    does: 'List the versions of a plan, newest first, the present one included: its prices and features at each.',
    access: staffOrToken('plans:view'),
    reply: z.object({ versions: z.array(Version) }),
    async handle({ run, params }) {
      const { versions } = found(await run((unit) => unit.look(plans, params.id)))
      const numbered = Object.entries(versions).map(([version, terms]) => ({ version: Number(version), ...terms }))
      return { versions: numbered.toSorted((one, other) => other.version - one.version) }
    },
  }),

  route('PATCH /api/admin/plans/:id', {
    does: 'Change a plan. Changed prices, free or features make a new version; existing subscriptions keep theirs.',
    access: staffOrToken('plans:manage'),
    version,
    body: PlanChange,
    reply: Plan,
    handle: ({ run, params, body }) => changePlan(run, params.id, 'ChangePlan', body),
  }),

  route('POST /api/admin/plans/:id/activate', {
    does: 'Open a plan for new subscriptions.',
    access: staffOrToken('plans:manage'),
    from: inState(Plan, CLOSED_PLAN),
    reply: Plan,
    handle: ({ run, params }) => changePlan(run, params.id, 'ActivatePlan', {}),
  }),

  route('POST /api/admin/plans/:id/deactivate', {
    does: 'Close a plan for new subscriptions and licenses. Existing ones stay valid.',
    access: staffOrToken('plans:manage'),
    from: inState(Plan, OPEN_PLAN),
    reply: Plan,
    handle: ({ run, params }) => changePlan(run, params.id, 'DeactivatePlan', {}),
  }),

  route('POST /api/admin/plans/:id/clone', {
    does: 'Copy the terms of a plan to a new plan with its own slug. The copy is closed and not public.',
    access: staffOrToken('plans:manage'),
    status: 201,
    body: Clone,
    reply: Plan,
    handle: ({ run, params, body }) =>
      createPlan(run, body.slug, async (unit) => {
        const {
          id: _id,
          version: _version,
          versions: _versions,
          createdAt: _at,
          ...terms
        } = found(await unit.look(plans, params.id))
        return { ...terms, slug: body.slug, name: body.name ?? terms.name, active: false, public: false }
      }),
  }),
]
