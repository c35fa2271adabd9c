import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { upcast } from '#kernel/events/event'
import { plans } from '#licensing/plans/decider'
import { PlanActivated, PlanChanged, PlanCreated, PlanDeactivated } from '#licensing/plans/events'
import { NewPlan } from '#licensing/plans/views'
import { given } from '#test/support/decider-spec'
import { startService } from '../../support/licensing/service.ts'

const planId = randomUUID()
const created = PlanCreated({ planId, ...NewPlan.parse({ slug: 'team', name: 'Team' }) })

describe('rules', () => {
  test('a change of terms keeps the version, a change of price or features makes the next one', () => {
    const plan = given(plans, [created])
    plan.when('ChangePlan', { name: 'Teams' }).then([PlanChanged({ planId, version: 1, changes: { name: 'Teams' } })])
    plan.when('ChangePlan', { priceYearly: 9 }).then([PlanChanged({ planId, version: 2, changes: { priceYearly: 9 } })])
    plan.when('ChangePlan', { public: true }).then([PlanChanged({ planId, version: 1, changes: { public: true } })])
  })

  test('every version that was ever sold is remembered with its prices and features', () => {
    const features = [{ key: 'apps', value: 5 }]
    const happened = [
      created,
      PlanChanged({ planId, version: 1, changes: { name: 'Teams' } }),
      PlanChanged({ planId, version: 2, changes: { priceMonthly: 900 } }),
      PlanChanged({ planId, version: 3, changes: { currency: 'USD', features } }),
      PlanDeactivated({ planId }),
    ]
    const first = { currency: 'EUR', priceMonthly: null, priceYearly: null, free: false, features: [] }
    expect(given(plans, happened).state).toMatchObject({
      version: 3,
      versions: {
        1: first,
        2: { ...first, priceMonthly: 900 },
        3: { ...first, currency: 'USD', priceMonthly: 900, features },
      },
    })
  })

  test('a plan is free or has prices: a price ends the one, free the other', () => {
    const free = given(plans, [created]).when('ChangePlan', { free: true }).events()
    expect(free).toEqual([PlanChanged({ planId, version: 2, changes: { free: true } })])
    const priced = given(plans, [created, ...free])
      .when('ChangePlan', { priceMonthly: 900 })
      .events()
    expect(priced).toEqual([PlanChanged({ planId, version: 3, changes: { priceMonthly: 900, free: false } })])
    const again = given(plans, [created, ...free, ...priced])
      .when('ChangePlan', { free: true })
      .events()
    expect(again).toEqual([PlanChanged({ planId, version: 4, changes: { priceMonthly: null, free: true } })])
    for (const plan of [given(plans, [created]), given(plans, [created, ...free])])
      plan
        .when('ChangePlan', { free: true, priceYearly: 9 })
        .refused(400, 'A plan is free or has prices, not both: send one of them')
  })

  const { public: _public, free: _free, ...createdThen } = created.data
  test.each([
    [
      'of both cycles',
      { priceMonthly: 900, priceYearly: 9_000 },
      { priceMonthly: 900, priceYearly: 9_000, free: false },
    ],
    [
      'of one cycle, whose other one was never offered',
      { priceMonthly: 0, priceYearly: 9_000 },
      { priceMonthly: null, priceYearly: 9_000, free: false },
    ],
    ['of nothing', { priceMonthly: 0, priceYearly: 0 }, { priceMonthly: null, priceYearly: null, free: true }],
  ])('a plan of release 0.1.0 with prices %s stays in the shop for that', (_what, then, now) => {
    expect(upcast(PlanCreated, { ...createdThen, ...then }, 1)).toEqual({
      ...createdThen,
      ...now,
      public: true,
    })
  })

  test.each([
    [{ name: 'Teams' }, { name: 'Teams' }],
    [{ priceYearly: 9_000 }, { priceYearly: 9_000, free: false }],
    [{ priceMonthly: 0 }, { priceMonthly: null }],
    [
      { priceMonthly: 0, priceYearly: 9_000 },
      { priceMonthly: null, priceYearly: 9_000, free: false },
    ],
    [
      { priceMonthly: 0, priceYearly: 0 },
      { priceMonthly: null, priceYearly: null, free: true },
    ],
  ])('a change of release 0.1.0 to %j is one to %j', (then, now) => {
    const change = { planId, version: 2 }
    expect(upcast(PlanChanged, { ...change, changes: then }, 1)).toEqual({ ...change, changes: now })
  })

  test('a change to what already is decides nothing', () => {
    given(plans, [created])
      .when('ChangePlan', { name: 'Team', priceYearly: null, free: false, public: false, features: [] })
      .then([])
  })

  test('activation and deactivation are idempotent', () => {
    const closed = given(plans, [created, PlanDeactivated({ planId })])
    closed.when('DeactivatePlan', {}).then([])
    closed.when('ActivatePlan', {}).then([PlanActivated({ planId })])
    given(plans, [created])
      .when('DeactivatePlan', {})
      .then([PlanDeactivated({ planId })])
  })

  test('an unknown plan is not found', () => {
    given(plans).when('ChangePlan', { name: 'x' }).refused(404, 'Not found')
    given(plans).when('ActivatePlan', {}).refused(404, 'Not found')
  })
})

const service = await startService()
const as = await service.staff()
const call = (method: string, path: string, body?: unknown) => service.call(method, path, { as, body })
const aSlug = () => `plan-${randomUUID().slice(0, 8)}`

describe('GET /api/admin/plans/:id/versions', () => {
  test('every version with its prices and features, newest first', async () => {
    const { body: plan } = await call('POST', '/api/admin/plans', { slug: aSlug(), name: 'Team', priceMonthly: 900 })
    const versions = async () => (await call('GET', `/api/admin/plans/${plan.id}/versions`)).body.versions
    const first = { version: 1, currency: 'EUR', priceMonthly: 900, priceYearly: null, free: false, features: [] }
    expect(await versions()).toEqual([first])
    await call('PATCH', `/api/admin/plans/${plan.id}`, { name: 'Teams' })
    await call('PATCH', `/api/admin/plans/${plan.id}`, { priceMonthly: 1_900 })
    expect(await versions()).toEqual([{ ...first, version: 2, priceMonthly: 1_900 }, first])
  })

  test('404 for an unknown plan', async () => {
    expect((await call('GET', `/api/admin/plans/${randomUUID()}/versions`)).status).toBe(404)
  })
})

describe('POST /api/admin/plans', () => {
  test('201 with the defaults of the contract; the answer is what can be read', async () => {
    const slug = aSlug()
    const made = await call('POST', '/api/admin/plans', { slug, name: 'Team' })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toMatchObject({
      slug,
      name: 'Team',
      active: true,
      version: 1,
      currency: 'EUR',
      priceMonthly: null,
      priceYearly: null,
      free: false,
      public: false,
      trialDays: 0,
      maxActivations: 1,
      maxSeats: null,
      graceDays: 14,
      offlineDays: 14,
      heartbeatSeconds: 14_400,
      reclaimStaleAfterDays: 0,
      features: [],
    })
    expect(made.headers.get('event-position')).toMatch(/^\d+$/)
    expect((await call('GET', `/api/admin/plans/${made.body.id}`)).body).toEqual(made.body)
  })

  test('409 for a slug that is taken, also for 20 at once', async () => {
    const slug = aSlug()
    const made = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/api/admin/plans', { slug, name: 'Team' })),
    )
    expect(made.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(made.filter(({ status }) => status === 409)).toHaveLength(19)
    const refused = made.find(({ status }) => status === 409)!
    expect(refused.body).toEqual({ statusCode: 409, message: `Plan ${slug} already exists` })
    expect(refused.headers.get('error-code')).toBe('SLUG_TAKEN')
  })

  test.each([
    ['no slug', { name: 'x' }],
    ['a slug with capitals', { slug: 'Team', name: 'x' }],
    ['no name', { slug: 'team' }],
    ['an unknown field', { slug: 'team', name: 'x', status: 'ACTIVE' }],
    ['a negative price', { slug: 'team', name: 'x', priceMonthly: -1 }],
    ['a price of nothing', { slug: 'team', name: 'x', priceMonthly: 0 }],
    ['a price of what is free', { slug: 'team', name: 'x', free: true, priceYearly: 9_000 }],
    ['no activation at all', { slug: 'team', name: 'x', maxActivations: 0 }],
    ['a currency that is none', { slug: 'team', name: 'x', currency: 'euro' }],
    ['one feature twice', { slug: 'team', name: 'x', features: [1, 2].map((value) => ({ key: 'apps', value })) }],
  ])('400 for %s, and nothing is made', async (_case, body) => {
    const before = await service.licensing.store.head()
    const refused = await call('POST', '/api/admin/plans', body)
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.body)).toEqual(['statusCode', 'message'])
    expect(await service.licensing.store.head()).toBe(before)
  })
})

describe('PATCH /api/admin/plans/:id', () => {
  test('changes what is named and leaves the rest', async () => {
    const made = await call('POST', '/api/admin/plans', { slug: aSlug(), name: 'Team', maxSeats: 5, graceDays: 3 })
    const changed = await call('PATCH', `/api/admin/plans/${made.body.id}`, { priceMonthly: 900 })
    expect(changed.body).toEqual({ ...made.body, priceMonthly: 900, version: 2 })
    expect((await call('GET', `/api/admin/plans/${made.body.id}`)).body).toEqual(changed.body)
  })

  test('400 for the slug, which never changes; 404 for an unknown plan', async () => {
    const made = await call('POST', '/api/admin/plans', { slug: aSlug(), name: 'Team' })
    expect((await call('PATCH', `/api/admin/plans/${made.body.id}`, { slug: 'other' })).status).toBe(400)
    expect((await call('PATCH', `/api/admin/plans/${randomUUID()}`, { name: 'x' })).status).toBe(404)
  })
})

test('deactivate and activate; a second time is answered like the first', async () => {
  const { body: plan } = await call('POST', '/api/admin/plans', { slug: aSlug(), name: 'Team' })
  for (const [verb, active] of [
    ['deactivate', false],
    ['deactivate', false],
    ['activate', true],
  ] as const) {
    const answered = await call('POST', `/api/admin/plans/${plan.id}/${verb}`)
    expect(answered.body).toEqual({ ...plan, active })
    expect((await call('GET', `/api/admin/plans/${plan.id}`)).body.active).toBe(active)
  }
})

describe('GET /api/admin/plans', () => {
  test('pages and cursors walk the same list without repeating or skipping', async () => {
    for (let made = 0; made < 7; made += 1)
      await call('POST', '/api/admin/plans', { slug: aSlug(), name: `P${made % 3}` })
    const all = (await call('GET', '/api/admin/plans?pageSize=100&sort=name')).body
    expect(all).toMatchObject({ page: 1, pageSize: 100, total: all.items.length })
    const paged = []
    for (let page = 1; paged.length < all.total; page += 1)
      paged.push(...(await call('GET', `/api/admin/plans?page=${page}&pageSize=3&sort=name`)).body.items)
    expect(paged).toEqual(all.items)
    const walked = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const next: string = cursor ? `&cursor=${cursor}` : ''
      const { body } = await call('GET', `/api/admin/plans?limit=2&sort=name${next}`)
      walked.push(...body.items)
      cursor = body.nextCursor
    }
    expect(walked).toEqual(all.items)
  })

  test('filters', async () => {
    const { body: plan } = await call('POST', '/api/admin/plans', { slug: aSlug(), name: 'Closed', active: false })
    const closed = (await call('GET', '/api/admin/plans?active=false&pageSize=100')).body.items
    expect(closed.map(({ id }: { id: string }) => id)).toContain(plan.id)
    expect(closed.every(({ active }: { active: boolean }) => !active)).toBe(true)
    expect((await call('GET', `/api/admin/plans?slug=${plan.slug}`)).body.items).toEqual([plan])
    expect((await call('GET', `/api/admin/plans?createdAfter=${plan.createdAt}`)).body.total).toBe(0)
  })

  test.each([
    'pageSize=101',
    'pageSize=0',
    'page=x',
    'sort=price',
    'cursor=abc',
    'unknown=1',
    'limit=2&limit=3',
    'createdAfter=now',
  ])('400 for ?%s', async (query) => {
    expect((await call('GET', `/api/admin/plans?${query}`)).status).toBe(400)
  })
})

describe('POST /api/admin/plans/:id/clone', () => {
  test('makes a closed plan of the same terms, in its first version', async () => {
    const terms = { priceMonthly: 900, public: true, maxSeats: 7, features: [{ key: 'cloned-feature', value: 3 }] }
    const { body: plan } = await call('POST', '/api/admin/plans', { slug: aSlug(), name: 'Team', ...terms })
    await call('PATCH', `/api/admin/plans/${plan.id}`, { priceMonthly: 1_000 })
    const slug = aSlug()
    const cloned = await call('POST', `/api/admin/plans/${plan.id}/clone`, { slug })
    expect(cloned.status, cloned.text).toBe(201)
    const { id, createdAt } = cloned.body
    const own = { id, createdAt, slug, version: 1, active: false, public: false }
    expect(cloned.body).toEqual({ ...plan, ...own, priceMonthly: 1_000 })
    expect((await call('GET', `/api/admin/plans/${id}`)).body).toEqual(cloned.body)
    const named = await call('POST', `/api/admin/plans/${plan.id}/clone`, { slug: aSlug(), name: 'Other' })
    expect(named.body.name).toBe('Other')
  })

  test('409 for a slug that is taken, 404 for an unknown plan, 400 without a slug', async () => {
    const { body: plan } = await call('POST', '/api/admin/plans', { slug: aSlug(), name: 'Team' })
    const refused = await call('POST', `/api/admin/plans/${plan.id}/clone`, { slug: plan.slug })
    expect(refused.body).toEqual({ statusCode: 409, message: `Plan ${plan.slug} already exists` })
    expect((await call('POST', `/api/admin/plans/${randomUUID()}/clone`, { slug: aSlug() })).status).toBe(404)
    expect((await call('POST', `/api/admin/plans/${plan.id}/clone`, {})).status).toBe(400)
  })
})

test('q finds a part of slug or name, whatever the case, and takes signs for signs', async () => {
  const slug = aSlug()
  const { body: plan } = await call('POST', '/api/admin/plans', { slug, name: 'Fifty%_Off' })
  const by = async (q: string) => {
    const { items } = (await call('GET', `/api/admin/plans?q=${encodeURIComponent(q)}`)).body
    return items.map(({ id }: { id: string }) => id)
  }
  for (const q of [slug, slug.slice(2).toUpperCase(), 'fifty%_o']) expect(await by(q)).toEqual([plan.id])
  for (const q of ['Fifty_%', 'Fif%Off', 'Fifty%__ff', '\\']) expect(await by(q)).toEqual([])
})

test('an id in upper case is the same id: to read, change, close, open and clone', async () => {
  const { body: plan } = await call('POST', '/api/admin/plans', { slug: aSlug(), name: 'Team' })
  const path = `/api/admin/plans/${plan.id.toUpperCase()}`
  expect((await call('GET', path)).body).toEqual(plan)
  expect((await call('PATCH', path, { name: 'Teams' })).body).toEqual({ ...plan, name: 'Teams' })
  expect((await call('POST', `${path}/deactivate`)).body).toMatchObject({ id: plan.id, active: false })
  expect((await call('POST', `${path}/activate`)).body).toMatchObject({ id: plan.id, active: true })
  expect((await call('POST', `${path}/clone`, { slug: aSlug() })).status).toBe(201)
  const found = (await call('GET', `/api/admin/audit?subject=${plan.id.toUpperCase()}`)).body
  expect(found.total).toBe(4)
})

test('a name that was stored before names were looked at stays readable, and stays where something else is changed', async () => {
  const name = 'Te\u202eam'
  const terms = NewPlan.parse({ slug: aSlug(), name: 'Team' })
  const planId = randomUUID()
  await service.run((unit) => unit.decide(plans, planId, 'CreatePlan', { planId, ...terms, name }))
  await service.licensing.projector.catchUp()
  const path = `/api/admin/plans/${planId}`
  expect((await call('GET', path)).body.name).toBe(name)
  expect((await call('PATCH', path, { maxSeats: 3 })).body).toMatchObject({ name, maxSeats: 3 })
  expect((await call('POST', `${path}/clone`, { slug: aSlug() })).body.name).toBe(name)
  const refused = await call('PATCH', path, { name })
  expect([refused.status, refused.body.message]).toEqual([
    400,
    'name: must be one line without control, direction or invisible characters',
  ])
})

test('404 for an unknown plan and for what is no id at all, in the same words', async () => {
  const unknown = await call('GET', `/api/admin/plans/${randomUUID()}`)
  const garbage = await call('GET', '/api/admin/plans/not-an-id')
  expect([unknown.status, unknown.text]).toEqual([404, '{"statusCode":404,"message":"Not found"}'])
  expect([garbage.status, garbage.text]).toEqual([unknown.status, unknown.text])
})
