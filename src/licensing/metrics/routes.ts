import { z } from 'zod'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { route } from '#kernel/http/route'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { sql } from '#kernel/projections/read-model'
import { wideRead } from '#kernel/projections/wide-reads'
import { customerTable } from '#projections/licensing/customers'
import { effectiveStatusAt, licenseTable } from '#projections/licensing/licenses'
import { PAYING } from '#projections/licensing/metrics/standing'
import { subscriptionTable } from '#projections/licensing/subscriptions'
import { staff } from '../access/access.ts'
import { CUSTOMER_STATUSES } from '../customers/events.ts'
import { EFFECTIVE_STATUSES } from '../licenses/events.ts'
import { minorUnits } from '../payments/events.ts'
import { paymentProvider } from '../payments/provider.ts'
import { SUBSCRIPTION_STATUSES } from '../subscriptions/events.ts'
import { priceOf, recurringByCurrency } from './recurring.ts'

const DAYS_30_MS = 30 * 86_400_000

const countsOf = <Word extends string>(words: readonly Word[]) =>
  z.object(Object.fromEntries(words.map((word) => [word, z.int()])) as Record<Word, z.ZodInt>)

const Summary = z.object({
  at: z.iso.datetime(),
  customers: countsOf(CUSTOMER_STATUSES),
  newCustomers30Days: z.int(),
  subscriptions: countsOf(SUBSCRIPTION_STATUSES),
  /** By effective status. */
  licenses: countsOf(EFFECTIVE_STATUSES),
  /** Monthly recurring revenue, from prices as sold; yearly prices count a twelfth. */
  monthlyRecurring: z.array(
    z.object({ currency: z.string(), amount: minorUnits, subscriptions: z.int(), seats: z.int() }),
  ),
  /** What the operator has set up: a mail server, and a provider of online payments. */
  configured: z.object({ mail: z.boolean(), payments: z.boolean() }),
})

interface WordCount<Word extends string> {
  readonly word: Word
  readonly number: number
}

const completeCounts = <Word extends string>(words: readonly Word[], counted: readonly WordCount<Word>[]) =>
  Object.fromEntries(words.map((word) => [word, counted.find((each) => each.word === word)?.number ?? 0])) as Record<
    Word,
    number
  >

const number = sql<number>`count(*)`.as('number')

/** Subscriptions with the same terms, which cost the same. */
interface SoldGroup {
  readonly planSlug: string
  readonly planVersion: number
  readonly billingCycle: 'MONTHLY' | 'YEARLY'
  readonly subscriptions: number
  readonly seats: number
}

const readSoldGroups = (read: ReadDatabase): Promise<SoldGroup[]> =>
  subscriptionTable
    .queryIn(read)
    .select(['planSlug', 'planVersion', 'billingCycle', sql<number>`count(*)`.as('subscriptions')])
    .select(sql<number>`sum(seats)::bigint`.as('seats'))
    .where('status', 'in', PAYING)
    .groupBy(['planSlug', 'planVersion', 'billingCycle'])
    .execute()

const monthlyRecurring = async (unit: UnitOfWork, sold: readonly SoldGroup[]) =>
  recurringByCurrency(await Promise.all(sold.map(async (group) => ({ ...group, price: await priceOf(unit, group) }))))

export const metricRoutes = [
  route('GET /api/admin/metrics/summary', {
    does: 'Read business figures: customers, subscriptions and licenses by status, and monthly recurring revenue.',
    access: staff('settings:view'),
    reply: Summary,
    async handle({ read, run, now, service, canMail }) {
      const recently = new Date(now.getTime() - DAYS_30_MS).toISOString()
      const [customers, fresh, subscriptions, licenses, sold] = await wideRead(() =>
        Promise.all([
          customerTable.queryIn(read).select(['status as word', number]).groupBy('status').execute(),
          customerTable.queryIn(read).select(number).where('createdAt', '>', recently).executeTakeFirstOrThrow(),
          subscriptionTable.queryIn(read).select(['status as word', number]).groupBy('status').execute(),
          licenseTable
            .queryIn(read)
            .select([effectiveStatusAt(now).as('word'), number])
            .groupBy('word')
            .execute(),
          readSoldGroups(read),
        ]),
      )
      return {
        at: now.toISOString(),
        customers: completeCounts(CUSTOMER_STATUSES, customers),
        newCustomers30Days: fresh.number,
        subscriptions: completeCounts(SUBSCRIPTION_STATUSES, subscriptions),
        licenses: completeCounts(EFFECTIVE_STATUSES, licenses),
        monthlyRecurring: await run((unit) => monthlyRecurring(unit, sold)),
        configured: { mail: await canMail(), payments: service(paymentProvider) !== undefined },
      }
    },
  }),
]
