/**
 * Daily figures: what each day changed. A day without events has no row, and carries the state on. Days are those of
 * UTC.
 */
import type { EventType } from '#kernel/events/event'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { id, json, nullable, primary, readModel, sql, text } from '#kernel/projections/read-model'
import type { ProjectedEvent, RowOf, TableWriter } from '#kernel/projections/read-model'
import { customerEvents } from '#licensing/customers/events'
import { licenseSlotEvents } from '#licensing/instances/events'
import { subscriptionEvents } from '#licensing/subscriptions/events'
import { countsOf, differenceOf, flowOf, NONE, STEPS, sumOf } from './metrics/standing.ts'
import type { Counts, Standing } from './metrics/standing.ts'

const columns = {
  /** `day/2026-11-22`, the id of a subscription, or `suspended/` with the id of a customer who is suspended. */
  key: primary(text),
  /** Of a subscription. */
  customerId: nullable(id),
  /** Of a day: by how much it changed each line. Of a subscription: what it counts as, which its next event replaces. */
  counts: json<Counts>(),
  standing: nullable(json<Standing>()),
}

type Row = RowOf<typeof columns>

const DAY = 'day/'
const dayKey = (at: string): string => `${DAY}${at.slice(0, 'yyyy-mm-dd'.length)}`
const suspendedKey = (customerId: string): string => `suspended/${customerId.toLowerCase()}`
/** The id in the name of a stream. */
const ownerOf = ({ stream }: ProjectedEvent): string => stream.slice(stream.indexOf('-') + 1).toLowerCase()

function addToDay(table: TableWriter<Row>, at: string, change: Counts): undefined {
  const key = dayKey(at)
  const [day] = table.find({ key })
  if (Object.keys(change).length === 0) return
  table.insert({ key, customerId: null, standing: null, counts: sumOf([day?.counts ?? {}, change]) })
}

/** @returns what it changes in the counts */
function putStanding(table: TableWriter<Row>, row: Pick<Row, 'key' | 'customerId' | 'counts'>, standing: Standing) {
  const counts = countsOf(standing)
  table.insert({ key: row.key, customerId: row.customerId, counts, standing })
  return differenceOf(counts, row.counts)
}

interface Owned {
  readonly customerId?: string
}

const isSuspended = (table: TableWriter<Row>, { customerId }: Owned): boolean =>
  customerId !== undefined && table.find({ key: suspendedKey(customerId) }).length > 0

function applyStep(table: TableWriter<Row>, data: Owned, event: ProjectedEvent): undefined {
  const key = ownerOf(event)
  const [known] = table.find({ key })
  if (!known && event.type !== 'SubscriptionCreated') return undefined
  const row = known ?? { key, customerId: data.customerId?.toLowerCase() ?? null, counts: {}, standing: null }
  const before = row.standing ?? { ...NONE, isCustomerSuspended: isSuspended(table, data) }
  const step = STEPS[event.type as keyof typeof STEPS] as (standing: Standing, data: Owned) => Standing
  const moved = putStanding(table, row, step(before, data))
  return addToDay(table, event.at, sumOf([moved, flowOf(event.type, data, before)]))
}

function suspendLicenses(isCustomerSuspended: boolean) {
  return (table: TableWriter<Row>, { customerId }: { customerId: string }, { at }: ProjectedEvent): undefined => {
    const key = suspendedKey(customerId)
    // Of subscriptions that are created later.
    if (isCustomerSuspended) table.insert({ key, customerId: null, counts: {}, standing: null })
    else table.remove({ key })
    const moves = table
      .find({ customerId: customerId.toLowerCase() })
      .map((row) => putStanding(table, row, { ...(row.standing ?? NONE), isCustomerSuspended }))
    return addToDay(table, at, sumOf(moves))
  }
}

const isStep = ({ type }: { readonly type: string }): boolean => type in STEPS

export const dailyFigureTable = readModel('dailyFigures', 2, columns, ['(customer_id)'])
  .from(customerEvents, {
    CustomerRegistered: (table, data, { at, type }) => addToDay(table, at, flowOf(type, data, NONE)),
    CustomerSuspended: suspendLicenses(true),
    CustomerActivated: suspendLicenses(false),
    CustomerErased: suspendLicenses(false),
  })
  .recalling({
    rows(event) {
      const owner = ownerOf(event)
      if (!isStep(event)) return [{ key: dayKey(event.at) }, { key: suspendedKey(owner) }, { customerId: owner }]
      const { customerId } = event.data as Owned
      return [
        { key: dayKey(event.at) },
        { key: owner },
        ...(customerId === undefined ? [] : [{ key: suspendedKey(customerId) }]),
      ]
    },
  })

for (const each of [...subscriptionEvents.types, ...licenseSlotEvents.types].filter(isStep))
  dailyFigureTable.on(each as EventType, applyStep)

export interface FigureChange {
  /** The day; '' stands for all before the first one that was asked for. */
  readonly day: string
  readonly name: string
  readonly change: number
}

/** What each day changed in the lines of one kind, and the sum of the days before. Days as `2026-11-22`. */
export async function figureChanges(
  read: ReadDatabase,
  { kind, from, to }: { readonly kind: string; readonly from: string; readonly to: string },
): Promise<readonly FigureChange[]> {
  const day = sql<string>`CASE WHEN key < ${dayKey(from)} THEN '' ELSE substr(key, ${DAY.length + 1}::int) END`
  const { rows } = await sql<FigureChange>`
    SELECT ${day} AS day, substr(line.name, ${kind.length + 2}::int) AS name, sum(line.change::bigint)::bigint AS change
    FROM read.daily_figures, jsonb_each_text(counts) AS line (name, change)
    WHERE key BETWEEN ${DAY} AND ${dayKey(to)} AND starts_with(line.name, ${`${kind}/`})
    GROUP BY 1, 2 ORDER BY 1`.execute(read)
  return rows
}
