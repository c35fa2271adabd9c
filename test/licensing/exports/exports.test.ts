import { describe, expect, test } from 'vitest'
import type { EventStore } from '#kernel/events/store-port'
import { overrideStore } from '#test/support/override-store'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

let broken: Error | undefined
/** Fails every append of an export while `broken` is set, and no other append. */
const fragile = (store: EventStore): EventStore =>
  overrideStore(store, {
    append: async (append) => {
      if (broken && append.parts.some(({ stream }) => stream.startsWith('export-'))) throw broken
      return store.append(append)
    },
  })

const service = await startService({ wrapStore: fragile })
const { plan, provision, get, post } = await shopFixture(service)
const exported = (query: string, as?: string) => get(`/api/admin/exports/${query}`, as)
const lines = (text: string): any[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('an export', () => {
  test('holds everything, oldest first, over many pages, and nothing that lists do not show', async () => {
    for (let nth = 0; nth < 230; nth += 1)
      await post('/api/admin/customers', {
        email: `export-${nth}@example.test`,
        name: nth === 7 ? '=HYPERLINK("x")' : null,
      })
    const ndjson = await exported('customers')
    expect(ndjson.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    expect(ndjson.headers.get('content-disposition')).toBe('attachment; filename="customers.ndjson"')
    const rows = lines(ndjson.text)
    const times = rows.map(({ createdAt }): string => createdAt)
    expect(times).toEqual(times.toSorted())
    // Those of one millisecond have no order.
    expect(new Set(rows.map(({ email }) => email))).toEqual(
      new Set(Array.from({ length: 230 }, (_, nth) => `export-${nth}@example.test`)),
    )
    expect(rows).toHaveLength(230)
    expect(Object.keys(rows[0])).toEqual(['id', 'email', 'name', 'company', 'status', 'createdAt'])
    const csv = await exported('customers?format=csv')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    const cells = csv.text.split('\n')
    expect(cells[0]).toBe('id,email,name,company,status,createdAt')
    expect(cells).toHaveLength(232)
    expect(csv.text).toContain(`"'=HYPERLINK(""x"")"`)
  })

  test('of licenses and subscriptions and plans shows their fields, no key, no HMAC and no hash', async () => {
    const { slug } = await plan({ features: [{ key: 'apps', value: 5 }] })
    const { body: sold } = await provision({ email: 'sold@example.test', planSlug: slug, reference: 'ref-1' })
    const [license] = lines((await exported('licenses')).text)
    expect(license).toMatchObject({ id: sold.license.id, keyId: sold.license.keyId, effectiveStatus: 'ACTIVE' })
    const [subscription] = lines((await exported('subscriptions')).text)
    expect(subscription).toMatchObject({ id: sold.subscription.id, reference: 'ref-1', licenseId: sold.license.id })
    expect(subscription).not.toHaveProperty('referenceKey')
    const { text } = await exported('plans?format=csv')
    expect(text.split('\n')[1]).toContain(`"[{""key"":""apps"",""value"":5}]"`)
    for (const resource of ['licenses', 'subscriptions', 'plans'])
      expect((await exported(resource)).text).not.toContain(sold.licenseKey)
  })

  test('takes a stretch of time', async () => {
    const all = lines((await exported('customers')).text)
    const { createdAt } = all[100]
    const some = lines((await exported(`customers?createdAfter=${createdAt}`)).text)
    expect(some).toEqual(all.filter((row) => row.createdAt > createdAt))
  })

  test('is empty where there is nothing', async () => {
    const { status, text } = await exported('features')
    expect([status, text]).toEqual([200, ''])
    expect((await exported('features?format=csv')).text).toBe('id,key,name,type,archived,createdAt\n')
  })

  test('is in the audit trail before its first line', async () => {
    await exported('plans?format=csv')
    const { items } = (await get('/api/admin/audit?action=export.made')).body
    expect(items[0]).toMatchObject({
      sentence: 'exported plans as csv',
      meta: { resource: 'plans', format: 'csv' },
    })
  })

  test.each(['/api/admin/exports/plans', '/api/admin/audit/export', '/api/admin/audit/export?format=csv'])(
    'fails closed: %s is 503 and not one line where it cannot be recorded',
    async (path) => {
      const { id } = await plan()
      broken = Object.assign(new Error('no space left'), { code: '53100' })
      const refused = await get(path).finally(() => (broken = undefined))
      expect([refused.status, Object.keys(refused.body)]).toEqual([503, ['statusCode', 'message']])
      expect(refused.text).not.toContain(id)
    },
  )

  test('needs the permission to view what it holds', async () => {
    const support = await service.staff('SUPPORT')
    expect((await exported('licenses', support)).status).toBe(200)
    const refused = await exported('plans', support)
    expect(refused.body).toEqual({ statusCode: 403, message: 'Missing permission plans:view' })
    const release = await service.staff('RELEASE')
    const before = await service.licensing.store.head()
    expect((await exported('customers', release)).status).toBe(403)
    expect(await service.licensing.store.head()).toBe(before)
  })

  test.each(['staff', 'machine-tokens', '__proto__', 'constructor'])('404 for %s', async (resource) =>
    expect((await exported(resource)).status).toBe(404),
  )
  test.each(['format=xlsx', 'q=x', 'createdAfter=now'])('400 for ?%s', async (query) =>
    expect((await exported(`plans?${query}`)).status).toBe(400),
  )
})
