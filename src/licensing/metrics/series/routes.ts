/** `GET /api/admin/metrics/series`: figures by day, week or month, from the read model of daily figures. */
import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import { wideRead } from '#kernel/projections/wide-reads'
import { figureChanges } from '#projections/licensing/metrics'
import { soldTerms } from '#projections/licensing/metrics/standing'
import { staff } from '../../access/access.ts'
import { EFFECTIVE_STATUSES } from '../../licenses/events.ts'
import { SUBSCRIPTION_STATUSES } from '../../subscriptions/events.ts'
import { priceOf, recurringByCurrency } from '../recurring.ts'
import { periodOf, POINTS_MAX, SERIES_STEPS, valuesOf } from './rules.ts'
import type { Period } from './rules.ts'

/** The lines of each series, which are there even if all of their values are 0. Those of `recurring` are currencies. */
const SERIES = {
  licenses: EFFECTIVE_STATUSES,
  subscriptions: SUBSCRIPTION_STATUSES,
  panels: ['ACTIVE', 'STALE'],
  recurring: [],
  new: ['customers', 'subscriptions', 'licenses', 'revocations', 'panels'],
} as const satisfies Readonly<Record<string, readonly string[]>>
const KINDS = Object.keys(SERIES) as [keyof typeof SERIES, ...(keyof typeof SERIES)[]]

const Query = z.strictObject({
  of: z
    .enum(KINDS)
    .describe(
      'licenses by effective status, subscriptions by status, panels heard of or silent, recurring revenue of a month ' +
        'by currency, or what was new. A license that another one replaced is not among the revocations.',
    ),
  from: z.iso.date().optional().describe('The first day, in UTC. Default: 90 days before the last one.'),
  to: z.iso.date().optional().describe('The last day, in UTC. Default: today, as it is so far.'),
  step: z
    .enum(SERIES_STEPS)
    .default('day')
    .describe(`Days, weeks from Monday, or months; the first one is whole. At most ${POINTS_MAX}.`),
})

const Series = z
  .object({
    of: z.enum(KINDS),
    /** MINOR: amounts of money in minor units, whose currency is the name of the line. */
    unit: z.enum(['COUNT', 'MINOR']),
    /** The first day of each point. */
    points: z.array(z.iso.date()),
    /** A value for each point: at its end, or, of what was new, within it. */
    lines: z.array(z.object({ name: z.string(), values: z.array(z.int()) })),
  })
  .meta({ id: 'Series' })

type Lines = ReadonlyMap<string, number[]>

/** From numbers of seats by what was sold to amounts by currency. */
async function amountsOf(unit: UnitOfWork, seats: Lines, { points }: Period): Promise<Lines> {
  const sold = await Promise.all(
    [...seats].map(async ([terms, values]) => ({ price: await priceOf(unit, soldTerms(terms)), values })),
  )
  const sums = points.map((_day, nth) =>
    recurringByCurrency(sold.map(({ price, values }) => ({ price, seats: values[nth]! }))),
  )
  const currencies = (sums[0] ?? []).map(({ currency }) => currency)
  return new Map(currencies.map((currency, nth) => [currency, sums.map((all) => all[nth]!.amount)]))
}

export const seriesRoutes = [
  route('GET /api/admin/metrics/series', {
    does: 'Read business figures over time: licenses, subscriptions, panels, recurring revenue, and what was new.',
    access: staff('settings:view'),
    query: Query,
    reply: Series,
    async handle({ read, run, now, query: { of, ...asked } }) {
      const period = periodOf(asked, now)
      const days = { kind: of, from: period.points[0]!, to: period.to }
      const values = valuesOf(period, await wideRead(() => figureChanges(read, days)), of === 'new')
      const lines = of === 'recurring' ? await run((unit) => amountsOf(unit, values, period)) : values
      const names = of === 'recurring' ? [...lines.keys()] : SERIES[of]
      const none = period.points.map(() => 0)
      return {
        of,
        unit: of === 'recurring' ? ('MINOR' as const) : ('COUNT' as const),
        points: period.points,
        lines: names.map((name) => ({ name, values: lines.get(name) ?? none })),
      }
    },
  }),
]
