/** A service continues to work while its lists cannot be read. */
import { expect, test } from 'vitest'
import { startService } from '#test/support/licensing/service'

const service = await startService({ compareReadModels: false })
const AT_ONCE = 20

test('twenty searches that take long delay no other request, and are told so', async () => {
  const as = await service.staff()
  const owner = await service.superuser.connect()
  await owner.query('BEGIN; LOCK TABLE read.features')
  const searches = Array.from({ length: AT_ONCE }, () => service.call('GET', '/api/admin/features?q=word', { as }))
  for (let nth = 0; nth < 10; nth += 1)
    expect(
      (await service.call('GET', '/api/admin/customers/01890000-0000-7000-8000-000000000001', { as })).status,
    ).toBe(404)
  const replies = await Promise.all(searches)
  await owner.query('COMMIT')
  owner.release()
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([503]))
  expect(new Set(replies.map(({ headers }) => headers.get('error-code')))).toEqual(
    new Set(['READ_TOO_LONG', 'READS_BUSY']),
  )
  expect(replies[0]!.body).toEqual({ statusCode: 503, message: expect.any(String) })
  expect((await service.call('GET', '/api/admin/features?q=word', { as })).status).toBe(200)
})
