/** What may be done with plans. */
import { useLocation } from 'wouter'
import {
  patchAdminPlansById,
  postAdminPlans,
  postAdminPlansByIdActivate,
  postAdminPlansByIdClone,
  postAdminPlansByIdDeactivate,
} from '#api-client/licensing/plans'
import type { getAdminPlansById } from '#api-client/licensing/plans'
import type { DataOf } from '#api-client/operation'
import { Action } from '../../kit/action.tsx'
import { FeatureMatrix } from './feature-matrix.tsx'
import type { PlanFeature } from './feature-matrix.tsx'

export type Plan = DataOf<typeof getAdminPlansById>

const FORM = {
  order: ['slug', 'name', 'currency', 'priceMonthly', 'priceYearly', 'free', 'public', 'active'],
  labels: { priceMonthly: 'Price a month', priceYearly: 'Price a year', public: 'In the shop', active: 'Open' },
  inputs: {
    features: (value: unknown, change: (value: unknown) => void) => (
      <FeatureMatrix value={(value ?? []) as readonly PlanFeature[]} onChange={change} />
    ),
  },
}

const useOpenPlan = (): ((plan: Plan) => void) => {
  const [, go] = useLocation()
  return ({ id }) => go(`/console/plans/${id}`)
}

export function NewPlan() {
  return (
    <Action
      {...FORM}
      operation={postAdminPlans}
      label="Create a plan"
      tone="main"
      done="The plan is created"
      onDone={useOpenPlan()}
    />
  )
}

export function PlanActions({ plan }: { readonly plan: Plan }) {
  const { id, name } = plan
  const input = { params: { id } }
  const open = useOpenPlan()
  return (
    <>
      <Action
        {...FORM}
        operation={patchAdminPlansById}
        input={input}
        initial={plan}
        label="Change"
        title={`Change ${name}`}
        about={
          <p>
            Other prices or features make a new version of the plan. Subscriptions that exist keep the version that they
            have.
          </p>
        }
        submit="Save"
        done="The plan is changed"
      />
      <Action
        operation={postAdminPlansByIdClone}
        input={input}
        label="Clone"
        title={`Clone ${name}`}
        about={<p>The copy has the same terms and its own slug. It is closed until you activate it.</p>}
        done="The plan is cloned"
        onDone={open}
      />
      <Action
        operation={postAdminPlansByIdActivate}
        input={input}
        label="Activate"
        about={<p>The plan is open for new subscriptions from now on.</p>}
        record={plan}
        done="The plan is open"
      />
      <Action
        operation={postAdminPlansByIdDeactivate}
        input={input}
        label="Deactivate"
        tone="bad"
        about={<p>No new subscription or license gets this plan. Those that exist stay valid.</p>}
        record={plan}
        done="The plan is closed"
      />
    </>
  )
}
