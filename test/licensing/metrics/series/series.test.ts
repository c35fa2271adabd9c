import { expect, test } from 'vitest'
import { POINTS_MAX } from '#licensing/metrics/series/rules'
import { startService } from '../../../support/licensing/service.ts'
import { shopFixture } from '../../../support/licensing/shop-fixture.ts'

const DAY_MS = 86_400_000
const service = await startService()
const { plan, provision, get, post } = await shopFixture(service)
const series = async (query: string) => get(`/api/admin/metrics/series?${query}`, await service.staff())
let passed = 0
const dayOf = (back = 0) => new Date(Date.now() + (passed - back) * DAY_MS).toISOString().slice(0, 10)

const lines = ({ body }: Awaited<ReturnType<typeof series>>): Record<string, number[]> =>
  Object.fromEntries(body.lines.map(({ name, values }: { name: string; values: number[] }) => [name, values]))

test('before anything happened, every day of the last ninety is there and zero', async () => {
  const { status, body } = await series('of=licenses')
  expect(status).toBe(200)
  expect(body).toMatchObject({ of: 'licenses', unit: 'COUNT' })
  expect([body.points.length, body.points[0], body.points.at(-1)]).toEqual([91, dayOf(90), dayOf()])
  expect(body.lines.map(({ name }: { name: string }) => name)).toContain('GRACE')
  for (const { values } of body.lines) expect(new Set(values)).toEqual(new Set([0]))
})

test('the last day is what the summary says, and the days before stay as they were', async () => {
  const { id, slug } = await plan({ priceMonthly: 1_000, priceYearly: 9_000, currency: 'EUR', maxSeats: 100 })
  const dollars = await plan({ priceMonthly: 500, currency: 'USD' })
  const sold = async (email: string, more: object = {}) =>
    (await provision({ email, planSlug: slug, billingCycle: 'MONTHLY', ...more })).body
  const first = await sold('one@example.test', { seats: 3 })
  const second = await sold('two@example.test', { billingCycle: 'YEARLY', seats: 2 })
  await sold('three@example.test', { planSlug: dollars.slug })
  service.passTime(2 * DAY_MS)
  passed = 2
  const again = await service.staff()
  await service.call('PATCH', `/api/admin/plans/${id}`, { as: again, body: { priceMonthly: 2_000 } })
  await sold('four@example.test')
  await post(`/api/admin/licenses/${first.license.id}/revoke`, { reason: 'x' })
  const status = { as: again, body: { status: 'SUSPENDED' } }
  await service.call('PATCH', `/api/admin/customers/${second.customer.id}/status`, status)

  const range = `from=${dayOf(3)}`
  const licenses = lines(await series(`of=licenses&${range}`))
  expect(licenses).toMatchObject({ ACTIVE: [0, 3, 3, 2], SUSPENDED: [0, 0, 0, 1], REVOKED: [0, 0, 0, 1] })
  const recurring = await series(`of=recurring&${range}`)
  expect(recurring.body.unit).toBe('MINOR')
  expect(lines(recurring)).toEqual({ EUR: [0, 4_500, 4_500, 6_500], USD: [0, 500, 500, 500] })
  expect(lines(await series(`of=new&${range}`))).toEqual({
    customers: [0, 3, 0, 1],
    subscriptions: [0, 3, 0, 1],
    licenses: [0, 3, 0, 1],
    revocations: [0, 0, 0, 1],
    panels: [0, 0, 0, 0],
  })
  const { body: summary } = await get('/api/admin/metrics/summary', again)
  const last = (all: Record<string, number[]>) =>
    Object.fromEntries(Object.entries(all).map(([name, values]) => [name, values.at(-1)]))
  expect(last(licenses)).toEqual(summary.licenses)
  expect(last(lines(await series(`of=subscriptions&${range}`)))).toEqual(summary.subscriptions)
  const sums = summary.monthlyRecurring.map(({ currency, amount }: { currency: string; amount: number }) => [
    currency,
    amount,
  ])
  expect(last(lines(recurring))).toEqual(Object.fromEntries(sums))
})

test('weeks begin on Monday and months on their first day, and the first of them is whole', async () => {
  const days = lines(await series(`of=new&from=${dayOf(60)}`))
  for (const step of ['week', 'month']) {
    const { body } = await series(`of=new&step=${step}&from=${dayOf(60)}`)
    const begins = body.points.map((day: string) => new Date(day))
    for (const at of begins) expect(step === 'week' ? at.getUTCDay() : at.getUTCDate()).toBe(1)
    expect(begins[0].getTime()).toBeLessThanOrEqual(Date.parse(dayOf(60)))
    const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0)
    expect(total(lines({ body } as never)['licenses']!)).toBe(total(days['licenses']!))
  }
})

test.each([
  ['of=licenses&from=2020-01-01', `more than ${POINTS_MAX} points`],
  ['of=licenses&from=0001-01-01&step=month', `more than ${POINTS_MAX} points`],
  ['of=licenses&to=2999-01-01', 'to: must not be after today'],
  ['of=licenses&from=2026-01-02&to=2026-01-01', 'from: must not be after to'],
  ['of=licenses&from=yesterday', 'from'],
  ['of=money', 'of'],
  ['of=licenses&step=hour', 'step'],
  ['of=licenses&zone=Europe/Berlin', 'zone'],
])('refuses %s', async (query, message) => {
  const { status, body } = await series(query)
  expect(status).toBe(400)
  expect(body.message).toContain(message)
})
