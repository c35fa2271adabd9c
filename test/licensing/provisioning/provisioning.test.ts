import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalisedEmail } from '#kernel/credentials/email-address'
import { CustomerRegistered, customerEvents } from '#licensing/customers/events'
import { subscriptionEvents } from '#licensing/subscriptions/events'
import { subscriptionCreated, inDays, licenseIssued } from '../../support/licensing/examples.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'

const service = await startService()
const { admin, plan, provision, get, post, audit, count } = await shopFixture(service)
const team = await plan({ maxActivations: 3, maxSeats: 10 })

let number = 0
const fresh = () => ({ email: `customer-${(number += 1)}@example.test`, planSlug: team.slug })
const YEAR_MS = 365 * 86_400_000

describe('a first call', () => {
  it('answers 201 and exactly the fields of the contract', async () => {
    const { status, body, headers } = await provision({ ...fresh(), reference: 'exact fields' })
    expect(status).toBe(201)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(Object.keys(body)).toEqual([
      'created',
      'customer',
      'subscription',
      'license',
      'licenseKey',
      'installCommand',
    ])
    expect(Object.keys(body.customer)).toEqual(['id', 'email', 'created'])
    expect(Object.keys(body.subscription)).toEqual(['id', 'planSlug', 'seats', 'status'])
    expect(Object.keys(body.license)).toEqual(['id', 'keyId', 'expiresAt'])
    expect(body.created).toBe(true)
    expect(body.customer.created).toBe(true)
    expect(body.license.keyId).toMatch(/^lic_[0-9A-Za-z]{22}$/)
  })

  it('sells one seat, yearly, ACTIVE, for a year, unless told otherwise', async () => {
    const { body } = await provision(fresh())
    const subscription = (await get(`/api/admin/subscriptions/${body.subscription.id}`)).body
    expect(subscription).toMatchObject({ seats: 1, billingCycle: 'YEARLY', status: 'ACTIVE', trialEndsAt: null })
    const lasts = Date.parse(subscription.currentPeriodEnd) - Date.parse(subscription.currentPeriodStart)
    expect([YEAR_MS, YEAR_MS + 86_400_000]).toContain(lasts)
  })

  it('takes seats, cycle, status and end as asked', async () => {
    const asked = { seats: 10, billingCycle: 'MONTHLY', status: 'TRIALING', currentPeriodEnd: inDays(40, new Date()) }
    const { body } = await provision({ ...fresh(), ...asked })
    expect((await get(`/api/admin/subscriptions/${body.subscription.id}`)).body).toMatchObject(asked)
  })

  it('lets the license expire with the period', async () => {
    const currentPeriodEnd = inDays(12, new Date())
    const { body } = await provision({ ...fresh(), currentPeriodEnd })
    expect(body.license.expiresAt).toBe(currentPeriodEnd)
    const yearly = (await provision(fresh())).body
    const subscription = (await get(`/api/admin/subscriptions/${yearly.subscription.id}`)).body
    expect(yearly.license.expiresAt).toBe(subscription.currentPeriodEnd)
  })

  it('is one audited append: customer, subscription, license, provisioning.completed', async () => {
    const { body, headers } = await provision({ ...fresh(), maxActivations: 1 })
    const entries = await audit(body.subscription.id)
    expect(entries.map(({ action }) => action)).toEqual([
      'license.issued',
      'subscription.created',
      'provisioning.completed',
    ])
    expect(entries[2]!.meta).toMatchObject({ maxActivationsAsked: 1, maxActivations: 3, customerCreated: true })
    const all = await service.history()
    const appended = all.filter(({ metadata }) => metadata['requestId'] === headers.get('x-request-id'))
    expect(appended).toHaveLength(4)
    expect(appended.at(-1)?.position).toBe(Number(headers.get('event-position')))
  })

  it('is open to a machine token with licenses:manage, in its name', async () => {
    const token = await service.token(['licenses:manage'])
    const { status, body } = await provision(fresh(), token)
    expect(status).toBe(201)
    expect((await audit(body.subscription.id))[0]!.actor.type).toBe('TOKEN')
    const other = await service.token(['licenses:view'])
    expect((await provision(fresh(), other)).status).toBe(403)
  })
})

describe('the body', () => {
  it.each([
    ['an unknown field', { colour: 'red' }],
    ['a field of null', { reference: null }],
    ['no e-mail', { email: undefined }],
    ['what is no e-mail', { email: 'somebody' }],
    ['an endless e-mail', { email: `${'a'.repeat(400)}@example.test` }],
    ['seats of 0', { seats: 0 }],
    ['half a seat', { seats: 1.5 }],
    ['seats in words', { seats: '5' }],
    ['an unknown cycle', { billingCycle: 'WEEKLY' }],
    ['a status that cannot be sold', { status: 'CANCELLED' }],
    ['a date without an offset', { currentPeriodEnd: '2030-01-01T00:00:00' }],
    ['a day that does not exist', { currentPeriodEnd: '2030-02-30T00:00:00Z' }],
    ['no activations', { maxActivations: 0 }],
    ['an empty reference', { reference: '' }],
    ['a reference of 201 characters', { reference: 'r'.repeat(201) }],
    ['a reference beyond ASCII', { reference: 'bestellung-ä' }],
    ['a reference with a line break', { reference: 'order\n1' }],
  ])('is refused with %s, and nothing is written', async (_what, fault) => {
    const before = await count('customers')
    const { status, body } = await provision({ ...fresh(), ...fault })
    expect(status).toBe(400)
    expect(Object.keys(body)).toEqual(['statusCode', 'message'])
    expect(await count('customers')).toBe(before)
  })

  it('may name a reference of 200 printable characters, whatever they are', async () => {
    const reference = `'"$(id)\`\\ ~${'x'.repeat(188)}`.padEnd(200, '!')
    const asked = { ...fresh(), reference }
    expect((await provision(asked)).status).toBe(201)
    expect((await provision(asked)).body.created).toBe(false)
    const { body } = await get(`/api/admin/subscriptions?reference=${encodeURIComponent(reference)}`)
    expect(body.items).toMatchObject([{ reference }])
  })

  it('tells references of different case apart', async () => {
    const asked = fresh()
    expect((await provision({ ...asked, reference: 'Case' })).status).toBe(201)
    expect((await provision({ ...asked, reference: 'case' })).status).toBe(201)
  })
})

describe('the plan', () => {
  it('must exist', async () => {
    const { status, body } = await provision({ ...fresh(), planSlug: 'no-such-plan' })
    expect({ status, body }).toEqual({
      status: 400,
      body: { statusCode: 400, message: 'Plan no-such-plan does not exist' },
    })
  })

  it('must be active', async () => {
    const { slug } = await plan({ active: false })
    const { status, body } = await provision({ ...fresh(), planSlug: slug })
    expect({ status, body }).toEqual({
      status: 400,
      body: { statusCode: 400, message: `Plan ${slug} is not active` },
    })
  })

  it('is closed from the moment that it was closed, for the very next call', async () => {
    const { slug, id } = await plan()
    expect((await provision({ ...fresh(), planSlug: slug })).status).toBe(201)
    expect((await post(`/api/admin/plans/${id}/deactivate`)).status).toBe(200)
    expect((await provision({ ...fresh(), planSlug: slug })).status).toBe(400)
  })

  it('bounds the seats', async () => {
    expect((await provision({ ...fresh(), seats: 10 })).status).toBe(201)
    expect((await provision({ ...fresh(), seats: 11 })).body.message).toBe(`Plan ${team.slug} has at most 10 seats`)
  })

  it('caps the activations, whatever is asked, lower or higher', async () => {
    for (const maxActivations of [undefined, 1, 99]) {
      const { body } = await provision({ ...fresh(), maxActivations })
      expect((await get(`/api/admin/licenses/${body.license.id}`)).body.maxActivations).toBe(3)
    }
  })

  it('is refused before anything is written, and the refused reference stays free', async () => {
    const customers = await count('customers')
    const asked = { ...fresh(), reference: 'second try' }
    expect((await provision({ ...asked, planSlug: 'no-such-plan' })).status).toBe(400)
    expect(await count('customers')).toBe(customers)
    expect((await provision(asked)).status).toBe(201)
  })

  it('is not sold into the past, nor for more than ten years', async () => {
    const past = await provision({ ...fresh(), currentPeriodEnd: '2020-01-01T00:00:00Z' })
    expect(past.body.message).toBe('currentPeriodEnd must be in the future')
    const far = await provision({ ...fresh(), currentPeriodEnd: inDays(3_700, new Date()) })
    expect(far.body.message).toBe('currentPeriodEnd must be at most 10 years ahead')
  })
})

describe('an account that exists', () => {
  it('is reused and never modified', async () => {
    const customerId = '01890000-0000-7000-8000-0000000000aa'
    const email = 'Grown.Up@Example.test'
    const emailKey = await service.licensing.vault.hmac('pepper', normalisedEmail(email))
    const registered = { customerId, email, emailKey, name: 'Grown Up', company: 'Grown Ups Ltd' }
    await service.run(async (unit) => unit.appendEvent(customerEvents, customerId, CustomerRegistered(registered)))
    await service.licensing.projector.catchUp()
    const before = (await get(`/api/admin/customers/${customerId}`)).body
    const { body } = await provision({ email: 'grown.up@example.test', planSlug: team.slug })
    expect(body.customer).toEqual({ id: customerId, email, created: false })
    const { counts, ...after } = (await get(`/api/admin/customers/${customerId}`)).body
    expect(after).toMatchObject({ email, name: 'Grown Up', company: 'Grown Ups Ltd', status: 'ACTIVE' })
    expect({ ...after, counts: before.counts }).toEqual(before)
    expect(counts).toEqual({ subscriptions: 1, activeLicenses: 1 })
    const changes = (await audit(customerId)).filter(({ subject }) => subject.id === customerId)
    expect(changes.map(({ action }) => action)).toEqual(['customer.registered'])
  })

  it('gets another subscription with every call without a reference, and keeps the others', async () => {
    const asked = fresh()
    const first = (await provision(asked)).body
    const second = (await provision(asked)).body
    expect(second.created).toBe(true)
    expect(second.customer).toEqual({ ...first.customer, created: false })
    expect(second.subscription.id).not.toBe(first.subscription.id)
    expect((await get(`/api/admin/licenses/${first.license.id}`)).body.effectiveStatus).toBe('ACTIVE')
  })

  it('is found in whatever spelling the address comes', async () => {
    const { customer } = (await provision({ email: 'Some.One@Example.test', planSlug: team.slug })).body
    const fullWidth = (letter: string) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)
    const spelt = fc.array(fc.constantFrom('as is', 'upper', 'wide'), { minLength: 21, maxLength: 21 }).map((ways) =>
      Array.from('some.one@example.test')
        .map((letter, index) =>
          ways[index] === 'upper' ? letter.toUpperCase() : ways[index] === 'wide' ? fullWidth(letter) : letter,
        )
        .join(''),
    )
    const around = fc.constantFrom('', ' ', '\t', '\u00a0', '\u3000')
    await fc.assert(
      fc.asyncProperty(spelt, around, around, async (email, before, after) => {
        const { body } = await provision({ email: `${before}${email}${after}`, planSlug: team.slug })
        expect(body.customer).toEqual({ ...customer, created: false })
      }),
      { numRuns: 40 },
    )
  })
})

describe('a replay', () => {
  it('answers 200, created=false and the same key', async () => {
    const asked = { ...fresh(), reference: 'replayed' }
    const first = await provision(asked)
    const again = await provision(asked)
    expect([first.status, again.status]).toEqual([201, 200])
    expect(again.body).toEqual({
      ...first.body,
      created: false,
      customer: { ...first.body.customer, created: false },
    })
  })

  it('is audited as a replay and not as a provisioning, and changes nothing', async () => {
    const asked = { ...fresh(), reference: 'audited replay' }
    const { subscription, license, customer } = (await provision(asked)).body
    const before = (await get(`/api/admin/subscriptions/${subscription.id}`)).body
    await provision(asked)
    const actions = (await audit(subscription.id)).map(({ action }) => action)
    expect(actions).toEqual([
      'provisioning.replayed',
      'license.issued',
      'subscription.created',
      'provisioning.completed',
    ])
    expect((await audit(subscription.id))[0]!.meta).toEqual({
      subscriptionId: subscription.id,
      customerId: customer.id,
      licenseId: license.id,
      requestMismatch: false,
    })
    expect((await get(`/api/admin/subscriptions/${subscription.id}`)).body).toEqual(before)
  })

  it('comes first: neither a closed plan nor a date that passed, nor more seats than there are, stands in its way', async () => {
    const { slug, id } = await plan({ maxSeats: 2 })
    const asked = { ...fresh(), planSlug: slug, reference: 'late retry' }
    const first = (await provision(asked)).body
    await post(`/api/admin/plans/${id}/deactivate`)
    const late = await provision({ ...asked, seats: 99, currentPeriodEnd: '2020-01-01T00:00:00Z' })
    expect(late.status).toBe(200)
    expect(late.body.license).toEqual(first.license)
    const gone = await provision({ ...asked, planSlug: 'never-was' })
    expect(gone.status).toBe(200)
  })

  it('notes in the audit trail when something else was asked', async () => {
    const asked = { ...fresh(), reference: 'mismatch' }
    const { subscription } = (await provision(asked)).body
    const mismatch = async (more: object) => {
      expect((await provision({ ...asked, ...more })).status).toBe(200)
      return (await audit(subscription.id))[0]!.meta['requestMismatch']
    }
    expect(await mismatch({ seats: 2 })).toBe(true)
    expect(await mismatch({ seats: 1, billingCycle: 'YEARLY', status: 'ACTIVE' })).toBe(false)
    expect(await mismatch({ maxActivations: 2 })).toBe(true)
    expect(await mismatch({ email: asked.email.toUpperCase() })).toBe(false)
  })

  it('returns the current license, not the one issued first', async () => {
    const asked = { ...fresh(), reference: 'renewed' }
    const first = (await provision(asked)).body
    const issued = await post('/api/admin/licenses', { subscriptionId: first.subscription.id })
    expect(issued.status, issued.text).toBe(201)
    const { body } = await provision(asked)
    expect(body.license).toMatchObject({ id: issued.body.license.id, keyId: issued.body.license.keyId })
    expect(body.licenseKey).toBe(issued.body.licenseKey)
    expect(body.licenseKey).not.toBe(first.licenseKey)
  })

  it('does not revive what was revoked', async () => {
    const asked = { ...fresh(), reference: 'withdrawn' }
    const { license, subscription } = (await provision(asked)).body
    await post(`/api/admin/licenses/${license.id}/revoke`, { reason: 'withdrawn' })
    const { status, body } = await provision(asked)
    expect({ status, body }).toEqual({
      status: 400,
      body: { statusCode: 400, message: 'Reference withdrawn has no active license' },
    })
    const actions = (await audit(subscription.id)).map(({ action }) => action)
    expect(actions.slice(0, 2)).toEqual(['slots.released', 'license.revoked'])
  })

  it.each([
    ['works in the grace', 3, 200],
    ['is refused when the grace is over', 15, 400],
  ])('of an expired license %s', async (_what, daysAgo, expected) => {
    const reference = `expired ${daysAgo} days ago`
    const id = (kind: string) => `01890000-0000-7000-8000-0000000${kind}0${String(daysAgo).padStart(2, '0')}`
    const ids = { subscriptionId: id('00'), customerId: id('11'), licenseId: id('22') }
    const { subscriptionId, customerId } = ids
    const email = `${daysAgo}@example.test`
    const { vault } = service.licensing
    const emailKey = await vault.hmac('pepper', email)
    const referenceKey = await vault.hmac('pepper', `reference:${reference}`)
    const { kid } = (await get('/api/v1/license/keys')).body.keys[0]
    const past = { ...ids, reference, referenceKey, currentPeriodEnd: inDays(-daysAgo, new Date()) }
    await service.run(async (unit) => {
      const customer = { customerId, email, emailKey, name: null, company: null }
      unit.appendEvent(customerEvents, customerId, CustomerRegistered(customer))
      const { licenseId: _license, ...bought } = past
      unit.appendEvent(subscriptionEvents, subscriptionId, subscriptionCreated(bought))
      const expiresAt = past.currentPeriodEnd
      unit.appendEvent(
        subscriptionEvents,
        subscriptionId,
        licenseIssued({ ...ids, kid, keyId: `lic_${daysAgo}`, expiresAt }),
      )
    })
    const { status, body } = await provision({ email, planSlug: team.slug, reference })
    expect(status).toBe(expected)
    if (status === 400) expect(body.message).toBe(`Reference ${reference} has no active license`)
  })

  it('is refused to another address', async () => {
    const asked = { ...fresh(), reference: 'not yours' }
    const { license } = (await provision(asked)).body
    const other = await provision({ ...asked, email: 'stranger@example.test' })
    expect({ status: other.status, body: other.body }).toEqual({
      status: 409,
      body: { statusCode: 409, message: 'Reference not yours belongs to another customer' },
    })
    await post(`/api/admin/licenses/${license.id}/revoke`, { reason: 'any' })
    expect((await provision({ ...asked, email: 'stranger@example.test' })).status).toBe(409)
    expect((await get('/api/admin/customers?q=stranger@example.test')).body.items).toEqual([])
  })
})

describe('the install command', () => {
  it('carries the license key in DAYBOOK_LICENSE_KEY, as a shell reads it', async () => {
    const { licenseKey, installCommand } = (await provision(fresh())).body
    expect(licenseKey).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(installCommand).toBe(`curl -fsSL http://licensing.test/install.sh | DAYBOOK_LICENSE_KEY='${licenseKey}' sh`)
    const script = installCommand.replace(/^.*\| /, '').replace(/ sh$/, ` sh -c 'printf %s "$DAYBOOK_LICENSE_KEY"'`)
    expect(execFileSync('/bin/sh', ['-c', script], { encoding: 'utf8' })).toBe(licenseKey)
  })

  it('runs a script that asks for the image to install', async () => {
    const script = await service.call('GET', '/install.sh')
    expect(script.status).toBe(200)
    expect(script.headers.get('content-type')).toBe('text/x-shellscript; charset=utf-8')
    const run = () => execFileSync('/bin/sh', ['-s'], { input: script.text, encoding: 'utf8', stdio: 'pipe' })
    expect(run).toThrow(expect.objectContaining({ status: 1, stderr: expect.stringContaining('Set DAYBOOK_IMAGE') }))
  })
})

it('is closed to callers without a credential and to staff without licenses:manage', async () => {
  expect((await service.call('POST', '/api/admin/provisioning', { body: fresh() })).status).toBe(401)
  expect((await provision(fresh(), await service.staff('BILLING'))).status).toBe(403)
  expect((await provision(fresh(), await service.staff('SUPPORT'))).status).toBe(201)
  expect(admin).not.toBe(await service.staff('SUPPORT'))
})
