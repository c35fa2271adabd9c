import type { DataOf } from '#kernel/events/event'
import { integer, json, key, nullable, readModel, text, timestamptz, bool } from '#kernel/projections/read-model'
import type { PlanCreated } from '#licensing/plans/events'
import { planEvents } from '#licensing/plans/events'

const columns = {
  id: key,
  slug: text,
  name: text,
  active: bool,
  version: integer,
  currency: text,
  priceMonthly: nullable(integer),
  priceYearly: nullable(integer),
  free: bool,
  public: bool,
  trialDays: integer,
  maxActivations: integer,
  maxSeats: nullable(integer),
  graceDays: integer,
  offlineDays: integer,
  heartbeatSeconds: integer,
  reclaimStaleAfterDays: integer,
  features: json<DataOf<typeof PlanCreated>['features']>(),
  createdAt: timestamptz,
}

export const planTable = readModel('plans', 2, columns, ['(created_at, id)']).from(planEvents, {
  PlanCreated: (table, { planId, ...plan }, { at }) => table.insert({ ...plan, id: planId, version: 1, createdAt: at }),
  PlanChanged: (table, { planId, changes, version }) => table.update({ id: planId }, { ...changes, version }),
  PlanActivated: (table, { planId }) => table.update({ id: planId }, { active: true }),
  PlanDeactivated: (table, { planId }) => table.update({ id: planId }, { active: false }),
})
