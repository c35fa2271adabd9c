/** From the body of an operation to inputs, and from what was typed to the body of a request. */
import { describe, expect, it, test } from 'vitest'
import * as licensing from '#api-client/licensing'
import type { JsonSchema } from '#api-client/operation'
import * as panel from '#api-client/panel'
import { bodyFrom, chosenOf, fieldsOf, heldOf, isWith, mustHold, valueOf } from '../../src/web/kit/fields.ts'
import type { HeldValues } from '../../src/web/kit/fields.ts'

const BODY: JsonSchema = {
  type: 'object',
  required: ['email', 'planSlug'],
  properties: {
    email: { type: 'string', format: 'email' },
    planSlug: { type: 'string' },
    seats: { type: 'integer', minimum: 1, default: 1 },
    billingCycle: { type: 'string', enum: ['MONTHLY', 'YEARLY'] },
    maxSeats: { anyOf: [{ type: 'integer' }, { type: 'null' }], description: 'Null: no limit.' },
    priceMonthly: { anyOf: [{ type: 'integer', minimum: 1 }, { type: 'null' }], unit: 'minor' },
    until: { type: 'string', format: 'date-time' },
    allowedIps: { type: 'array', items: { type: 'string' } },
    permissions: { type: 'array', items: { type: 'string', enum: ['a:view', 'a:manage'] } },
    reason: { type: 'string', maxLength: 500 },
    active: { type: 'boolean' },
  },
}
const fields = fieldsOf(BODY)
const fieldNamed = (name: string) => fields.find((field) => field.name === name)!

describe('a field', () => {
  it.each([
    ['email', 'email'],
    ['seats', 'number'],
    ['billingCycle', 'choice'],
    ['maxSeats', 'number'],
    ['priceMonthly', 'money'],
    ['until', 'time'],
    ['allowedIps', 'lines'],
    ['permissions', 'choices'],
    ['reason', 'long'],
    ['active', 'check'],
  ])('%s gets an input for %s', (name, kind) => {
    expect(fieldNamed(name).kind).toBe(kind)
  })

  it('is money where the document says so, whatever its name', () => {
    const properties = { amount: { type: 'integer' }, fee: { type: 'integer', unit: 'minor' } } as const
    expect(fieldsOf({ type: 'object', properties }).map(({ kind }) => kind)).toEqual(['number', 'money'])
  })

  it('that is given with values of others belongs to these alone, and must then hold something', () => {
    const [field] = fieldsOf({
      type: 'object',
      properties: { until: { type: 'string', 'x-with': { act: ['extend'] } } },
    })
    expect(field!.isRequired).toBe(true)
    expect(['extend', 'revoke', undefined].map((act) => isWith(field!, { act }))).toEqual([true, false, false])
    expect(isWith(fieldNamed('email'), {})).toBe(true)
  })

  it('keeps the description beside null', () => {
    expect(fieldNamed('maxSeats')).toMatchObject({ isNullable: true, schema: { description: 'Null: no limit.' } })
  })

  it('holds a time of this zone, and sends it in UTC', () => {
    const at = '2026-03-29T12:34:00.000Z'
    expect(valueOf(fieldNamed('until'), heldOf(fieldNamed('until'), at, 'EUR'), 'EUR')).toBe(at)
  })
})

test.each([
  ['staff', licensing.postAdminAuthPassword],
  ['customers', licensing.postShopAuthPassword],
  ['people of a panel', panel.postAuthChangePassword],
])('both passwords are hidden while %s type them', (_who, { body }) => {
  expect(fieldsOf(body).map(({ name, kind }) => [name, kind])).toEqual([
    ['current', 'password'],
    ['new', 'password'],
  ])
})

test('a value that may be null can be emptied, also where the request must hold it', () => {
  const [name] = fieldsOf(panel.patchAuthProfile.body)
  expect(name).toMatchObject({ name: 'name', isRequired: true, isNullable: true })
  expect(mustHold(name!)).toBe(false)
  expect(mustHold(fieldNamed('email'))).toBe(true)
  expect(bodyFrom([name!], { name: '' }, { initial: {}, onlyChanges: false })).toEqual({ name: null })
})

describe('a body', () => {
  const bare: HeldValues = { email: 'ada@example.com', planSlug: 'small' }

  it('leaves out what is empty', () => {
    expect(bodyFrom(fields, bare, { initial: {}, onlyChanges: false })).toEqual(bare)
  })

  it('holds typed values as the API wants them', () => {
    const typed = { ...bare, seats: '3', priceMonthly: '12,50', allowedIps: '10.0.0.1\n\n 10.0.0.2 ', currency: 'EUR' }
    expect(bodyFrom(fields, typed, { initial: {}, onlyChanges: false })).toEqual({
      ...bare,
      seats: 3,
      priceMonthly: 1_250,
      allowedIps: ['10.0.0.1', '10.0.0.2'],
    })
  })

  it('sends only changes of a PATCH, and null for what was emptied', () => {
    const initial = { ...bare, maxSeats: '5', seats: '1' }
    expect(bodyFrom(fields, { ...initial, maxSeats: '' }, { initial, onlyChanges: true })).toEqual({ maxSeats: null })
  })

  it('sends what was emptied and cannot be null, so that the service judges it', () => {
    const initial = { ...bare, seats: '1', reason: 'moved', allowedIps: '10.0.0.1', billingCycle: 'YEARLY' }
    const emptied = { ...bare, seats: '', reason: '', allowedIps: '', billingCycle: '' }
    expect(bodyFrom(fields, emptied, { initial, onlyChanges: true })).toEqual({
      seats: null,
      reason: '',
      allowedIps: [],
    })
  })

  it('sends an amount again whose currency has other digits', () => {
    const initial = { priceMonthly: '12', currency: 'EUR' }
    const money = fields.filter(({ kind }) => kind === 'money')
    const yen = { ...initial, currency: 'JPY' }
    expect(bodyFrom(money, yen, { initial, onlyChanges: true })).toEqual({ priceMonthly: 12 })
    const dollars = { ...initial, currency: 'USD' }
    expect(bodyFrom(money, dollars, { initial, onlyChanges: true })).toEqual({})
  })

  it('sends no choices that were taken back in another order', () => {
    const { schema } = fieldNamed('permissions')
    const initial = { permissions: heldOf(fieldNamed('permissions'), ['a:manage', 'a:view'], 'EUR') }
    const permissions = chosenOf(schema, ['a:manage', 'a:view'])
    expect(permissions).toEqual(['a:view', 'a:manage'])
    expect(bodyFrom([fieldNamed('permissions')], { permissions }, { initial, onlyChanges: true })).toEqual({})
  })

  it('passes on a currency that is none', () => {
    const typed = { ...bare, priceMonthly: '5', currency: 'EU' }
    expect(bodyFrom(fields, typed, { initial: {}, onlyChanges: false })).toEqual({ ...bare, priceMonthly: 500 })
  })

  it('passes on an amount that is none, so that the service refuses it', () => {
    const typed = { ...bare, priceMonthly: 'a lot' }
    expect(bodyFrom(fields, typed, { initial: {}, onlyChanges: false })).toMatchObject({ priceMonthly: 'a lot' })
  })
})
