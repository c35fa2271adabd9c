import { describe, expect, it } from 'vitest'
import { normalisedEmail } from '#kernel/credentials/email-address'
import { CustomerRegistered, customerEvents } from '#licensing/customers/events'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const service = await startService({ shopUrl: 'https://shop.test' })
const { plan, provision, get, post, admin } = await shopFixture(service)
const { slug } = await plan()
const UNKNOWN = '01890000-0000-7000-8000-00000000ffff'

const provisioned = async (email: string) => (await provision({ email, planSlug: slug })).body
const found = async (query: string) =>
  (await get(`/api/admin/customers?${query}`)).body.items.map(({ id }: { id: string }) => id)

describe('reading a customer', () => {
  it('answers the record, with what he has', async () => {
    const { customer, license } = await provisioned('counted@example.test')
    await provisioned('counted@example.test')
    const read = async () => (await get(`/api/admin/customers/${customer.id}`)).body
    expect(await read()).toEqual({
      id: customer.id,
      email: 'counted@example.test',
      name: null,
      company: null,
      status: 'ACTIVE',
      createdAt: expect.any(String),
      counts: { subscriptions: 2, activeLicenses: 2 },
      credit: [],
    })
    await post(`/api/admin/licenses/${license.id}/revoke`, { reason: 'any' })
    expect((await read()).counts).toEqual({ subscriptions: 2, activeLicenses: 1 })
  })

  it('knows nobody who is not there', async () => {
    for (const id of [UNKNOWN, 'not-an-id']) {
      const { status, body } = await get(`/api/admin/customers/${id}`)
      expect({ status, body }).toEqual({ status: 404, body: { statusCode: 404, message: 'Not found' } })
    }
  })

  it('needs customers:view', async () => {
    const { customer } = await provisioned('guarded@example.test')
    const token = await service.token(['customers:view'])
    const other = await service.token(['licenses:manage'])
    for (const path of ['', `/${customer.id}`]) {
      expect((await get(`/api/admin/customers${path}`, token)).status).toBe(200)
      expect((await get(`/api/admin/customers${path}`, other)).status).toBe(403)
    }
  })
})

describe('finding customers', () => {
  it('works by a whole address in any spelling, or by id, and by nothing less', async () => {
    const { customer } = await provisioned('Wanted.One@example.test')
    await provisioned('wanted.two@example.test')
    const by = (q: string) => found(`q=${encodeURIComponent(q)}`)
    expect(await by('wanted.one@example.test')).toEqual([customer.id])
    expect(await by('  WANTED.ONE@EXAMPLE.TEST ')).toEqual([customer.id])
    expect(await by(customer.id)).toEqual([customer.id])
    expect(await by('wanted')).toEqual([])
    expect(await by(UNKNOWN)).toEqual([])
  })

  it('works by status, newest first', async () => {
    const { customer: older } = await provisioned('older@example.test')
    const { customer: newer } = await provisioned('newer@example.test')
    expect((await found('status=ACTIVE')).slice(0, 2)).toEqual([newer.id, older.id])
    expect(await found('status=SUSPENDED')).toEqual([])
    expect((await get('/api/admin/customers?status=GONE')).status).toBe(400)
  })

  it('opens name and company of everybody on the page', async () => {
    const customerId = '01890000-0000-7000-8000-0000000000ab'
    const email = 'named@example.test'
    const emailKey = await service.licensing.vault.hmac('pepper', normalisedEmail(email))
    const named = { customerId, email, emailKey, name: 'Nora Named', company: 'Names Ltd' }
    await service.run(async (unit) => unit.appendEvent(customerEvents, customerId, CustomerRegistered(named)))
    await service.licensing.projector.catchUp()
    const { items } = (await get('/api/admin/customers?pageSize=100')).body
    expect(items.find(({ id }: { id: string }) => id === customerId)).toMatchObject({
      email,
      name: 'Nora Named',
      company: 'Names Ltd',
    })
  })

  it('shows an erased one as such: without his key there is nothing left to read', async () => {
    const { customer } = await provisioned('forgotten@example.test')
    await service.superuser.query('DELETE FROM vault.data_key WHERE subject = $1', [`customer/${customer.id}`])
    const fresh = await startedAnew()
    try {
      const { body } = await fresh.get(`/api/admin/customers/${customer.id}`)
      expect(body).toMatchObject({ email: 'ERASED', name: null, company: null })
    } finally {
      await fresh.close()
    }
  })
})

describe('creating a customer', () => {
  const create = (body: unknown, as?: string) => post('/api/admin/customers', body, as)

  it('answers the record that can be read, without a subscription', async () => {
    const made = await create({ email: ' Created@Example.Test ', name: 'Clara Created', company: 'Creations Ltd' })
    expect(made.status, made.text).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(String),
      email: 'Created@Example.Test',
      name: 'Clara Created',
      company: 'Creations Ltd',
      status: 'ACTIVE',
      createdAt: expect.any(String),
    })
    const { body } = await get(`/api/admin/customers/${made.body.id}`)
    expect(body).toEqual({ ...made.body, counts: { subscriptions: 0, activeLicenses: 0 }, credit: [] })
    expect(await found('q=created@example.test')).toEqual([made.body.id])
  })

  it('gives one address to one customer, however it is spelled and however many ask at once', async () => {
    const spellings = ['one@example.test', 'ONE@example.test', ' one@Example.Test', 'One@example.test']
    const all = await Promise.all([...spellings, ...spellings].map((email) => create({ email })))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = all.find(({ status }) => status === 409)!
    expect(refused.body).toEqual({ statusCode: 409, message: 'A customer with this e-mail address already exists' })
    expect(all.filter(({ status }) => status === 409)).toHaveLength(7)
  })

  it('is the account that provisioning then reuses, and the other way round', async () => {
    const { body: made } = await create({ email: 'reused@example.test', name: 'Rita' })
    const { customer } = await provisioned('REUSED@example.test')
    expect(customer).toEqual({ id: made.id, email: 'reused@example.test', created: false })
    await provisioned('first@example.test')
    expect((await create({ email: 'first@example.test' })).status).toBe(409)
  })

  it.each([
    ['no address', {}],
    ['an address that is none', { email: 'nobody' }],
    ['an empty name', { email: 'a@example.test', name: ' ' }],
    ['a status', { email: 'a@example.test', status: 'SUSPENDED' }],
  ])('400 for %s', async (_what, body) => expect((await create(body)).status).toBe(400))

  it('needs customers:manage, which a token may hold', async () => {
    expect((await create({ email: 'by-token@example.test' }, await service.token(['customers:manage']))).status).toBe(
      201,
    )
    expect((await create({ email: 'x@example.test' }, await service.token(['customers:view']))).status).toBe(403)
  })
})

describe('resetting his password', () => {
  it('mails him a link and tells nobody else', async () => {
    const { customer } = await provisioned('forgetful@example.test')
    const asked = await post(`/api/admin/customers/${customer.id}/reset-password`)
    expect([asked.status, asked.text]).toEqual([202, ''])
    await service.settle()
    const [mail, ...others] = service.mails.filter(({ to }) => to === 'forgetful@example.test')
    expect(others).toEqual([])
    expect(mail!.text).toContain('https://shop.test/')
  })

  it('refuses who is suspended or nobody', async () => {
    const { customer } = await provisioned('locked@example.test')
    const status = { as: admin, body: { status: 'SUSPENDED' } }
    await service.call('PATCH', `/api/admin/customers/${customer.id}/status`, status)
    expect((await post(`/api/admin/customers/${customer.id}/reset-password`)).status).toBe(409)
    expect((await post(`/api/admin/customers/${UNKNOWN}/reset-password`)).status).toBe(404)
  })
})

describe('changing a customer', () => {
  const change = (id: string, body: unknown, as = admin) =>
    service.call('PATCH', `/api/admin/customers/${id}`, { as, body })

  it('sets what is given, keeps the rest, and removes by null', async () => {
    const { id, email } = (await provisioned('renamed@example.test')).customer
    const named = { id, email, name: 'Nora', company: 'Nora Ltd', status: 'ACTIVE', createdAt: expect.any(String) }
    expect((await change(id, { name: ' Nora ', company: 'Nora Ltd' })).body).toEqual(named)
    expect((await change(id, { company: null })).body).toEqual({ ...named, company: null })
    expect((await get(`/api/admin/customers/${id}`)).body).toMatchObject({ name: 'Nora', company: null })
  })

  it('is recorded once, without the name', async () => {
    const { customer } = await provisioned('renamed.once@example.test')
    for (let times = 0; times < 2; times += 1) await change(customer.id, { name: 'Nora Named' })
    const { items } = (await get(`/api/admin/audit?subject=${customer.id}&action=customer.changed`)).body
    expect(items).toHaveLength(1)
    expect(JSON.stringify(items)).not.toContain('Nora')
  })

  it('needs customers:manage', async () => {
    const { customer } = await provisioned('kept@example.test')
    const seeing = await service.token(['customers:view'])
    const changing = await service.token(['customers:manage'])
    expect((await change(customer.id, { name: 'Given' }, seeing)).status).toBe(403)
    expect((await change(customer.id, { name: 'Given' }, await service.staff('SUPPORT'))).status).toBe(403)
    expect((await change(customer.id, { name: 'Given' }, changing)).body.name).toBe('Given')
  })

  it('refuses nothing at all, other fields, and a customer who is not active or does not exist', async () => {
    const { customer } = await provisioned('refused@example.test')
    for (const body of [{}, { email: 'other@example.test' }, { name: '' }, { status: 'SUSPENDED' }])
      expect((await change(customer.id, body)).status, JSON.stringify(body)).toBe(400)
    expect((await change(UNKNOWN, { name: 'Given' })).status).toBe(404)
    const status = { as: admin, body: { status: 'SUSPENDED' } }
    await service.call('PATCH', `/api/admin/customers/${customer.id}/status`, status)
    expect((await change(customer.id, { name: 'Given' })).headers.get('error-code')).toBe('CUSTOMER_SUSPENDED')
    await post(`/api/admin/customers/${customer.id}/erase`, { confirmEmail: 'refused@example.test' })
    expect((await change(customer.id, { name: 'Given' })).headers.get('error-code')).toBe('CUSTOMER_ERASED')
  })
})

describe('suspending a customer', () => {
  const set = (id: string, body: unknown) =>
    service.call('PATCH', `/api/admin/customers/${id}/status`, { as: admin, body })
  const effective = async (licenseId: string) => (await get(`/api/admin/licenses/${licenseId}`)).body.effectiveStatus

  it('suspends his licenses on the very next request, and gives them back', async () => {
    const { customer, license } = await provisioned('suspended@example.test')
    for (const [status, expected] of [
      ['SUSPENDED', 'SUSPENDED'],
      ['ACTIVE', 'ACTIVE'],
    ] as const) {
      const changed = await set(customer.id, { status, reason: 'chargeback' })
      expect(changed.body).toMatchObject({ id: customer.id, status, email: 'suspended@example.test' })
      expect((await get(`/api/admin/customers/${customer.id}`)).body.status).toBe(status)
      expect(await effective(license.id)).toBe(expected)
    }
    expect((await get(`/api/admin/licenses/${license.id}`)).body.status).toBe('ACTIVE')
  })

  it('is recorded once, with its reason', async () => {
    const { customer } = await provisioned('audited@example.test')
    for (let times = 0; times < 3; times += 1)
      expect((await set(customer.id, { status: 'SUSPENDED', reason: 'fraud' })).body.status).toBe('SUSPENDED')
    const { items } = (await get(`/api/admin/audit?subject=${customer.id}&action=customer.suspended`)).body
    expect(items).toMatchObject([{ sentence: `suspended customer ${customer.id} (fraud)`, meta: { reason: 'fraud' } }])
  })

  it('refuses what is no status of his, and who is erased or nobody', async () => {
    const { customer } = await provisioned('gone@example.test')
    expect((await set(customer.id, { status: 'ERASED' })).status).toBe(400)
    expect((await set(UNKNOWN, { status: 'SUSPENDED' })).status).toBe(404)
    await post(`/api/admin/customers/${customer.id}/erase`, { confirmEmail: 'gone@example.test' })
    const refused = await set(customer.id, { status: 'ACTIVE' })
    expect(refused.body).toEqual({ statusCode: 409, message: 'The customer is erased' })
    expect(refused.headers.get('error-code')).toBe('CUSTOMER_ERASED')
  })
})

/** Another process on the same database, without keys in its memory. */
async function startedAnew() {
  const { openLicensing } = await import('../../../src/composition/licensing.ts')
  const { pino } = await import('pino')
  const again = await openLicensing(service.settings, pino({ level: 'silent' }))
  const { port } = await again.listen(0, '127.0.0.1')
  const authorization = `Bearer ${await service.staff()}`
  return {
    close: () => again.close(0),
    get: async (path: string): Promise<{ body: unknown }> => {
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization } })
      return { body: await reply.json() }
    },
  }
}
