/** Announcements: what customers see of them and when, and that at most 20 are visible at any moment. */
import { expect, test } from 'vitest'
import { startService } from '#test/support/licensing/service'
import { signedInShopper } from '#test/support/licensing/shoppers'

const service = await startService()
const as = await service.staff()
const PATH = '/api/admin/announcements'
const announce = (visibleFrom: string, visibleUntil: string) =>
  service.call('POST', PATH, { as, body: { title: 'News', body: 'Of note', level: 'INFO', visibleFrom, visibleUntil } })
const together = (count: number, work: (nth: number) => ReturnType<typeof announce>) =>
  Promise.all(Array.from({ length: count }, (_none, nth) => work(nth)))
const statuses = (replies: readonly { status: number }[]) =>
  replies.map(({ status }) => status).toSorted((one, other) => one - other)

test('customers read what is visible now, the newest first, and a period is not empty', async () => {
  const first = await announce('2020-01-01T00:00:00+02:00', '2039-01-01T00:00:00Z')
  await announce('2038-01-01T00:00:00Z', '2039-01-01T00:00:00Z')
  await announce('2020-01-01T00:00:00Z', '2020-01-02T00:00:00Z')
  const last = await announce('2020-01-01T00:00:00Z', '2039-01-01T00:00:00Z')
  const shopper = await signedInShopper(service)
  const { body } = await service.call('GET', '/api/shop/announcements', { as: shopper.as })
  expect(body.items).toEqual([last.body, first.body])
  expect(first.body.visibleFrom).toBe('2019-12-31T22:00:00.000Z')
  const empty = await announce('2030-01-02T00:00:00Z', '2030-01-02T00:00:00Z')
  expect([empty.status, empty.headers.get('error-code')]).toEqual([400, 'PERIOD_EMPTY'])
})

test('at most 20 are visible at any moment, whatever is created and changed at once', async () => {
  const created = await together(24, () => announce('2040-01-01T00:00:00Z', '2040-02-01T00:00:00Z'))
  expect(statuses(created)).toEqual([...Array(20).fill(201), ...Array(4).fill(409)])
  expect(created.find(({ status }) => status === 409)!.headers.get('error-code')).toBe('TOO_MANY_VISIBLE')
  const next = await together(5, () => announce('2040-02-01T00:00:00Z', '2040-03-01T00:00:00Z'))
  expect(statuses(next)).toEqual(Array(5).fill(201))
  const { body } = created.find(({ status }) => status === 201)!
  expect((await service.call('DELETE', `${PATH}/${body.id}`, { as })).status).toBe(204)
  const earlier = { as, body: { visibleFrom: '2040-01-31T00:00:00Z' } }
  const moved = await together(5, (nth) => service.call('PATCH', `${PATH}/${next[nth]!.body.id}`, earlier))
  expect(statuses(moved)).toEqual([200, 409, 409, 409, 409])
})
