import { expect, test } from 'vitest'
import { changesOf } from '../../src/web/kit/diff.ts'
import { money } from '../../src/web/kit/money.ts'

const created = { position: 1, meta: { name: 'Small', seats: 3, features: ['a'] } }
const renamed = { position: 4, meta: { changes: { name: 'Large' } } }
const later = { position: 9, meta: { changes: { name: 'Huge', seats: 5 } } }

test('a change shows its fields before and after', () => {
  expect(changesOf(renamed, [later, created, renamed])).toEqual([{ field: 'name', before: 'Small', after: 'Large' }])
})

test('what came in between counts, and what came later does not', () => {
  expect(changesOf(later, [later, renamed, created])).toEqual([
    { field: 'name', before: 'Large', after: 'Huge' },
    { field: 'seats', before: 3, after: 5 },
  ])
})

test('the first entry has nothing before it', () => {
  expect(changesOf(created, [created, later]).map(({ before }) => before)).toEqual([undefined, undefined, undefined])
})

test('an amount is money in the currency of its record, as it was then and as it is now', () => {
  const priced = { position: 1, meta: { currency: 'EUR', priceMonthly: 490, trialDays: 14 } }
  const repriced = { position: 2, meta: { changes: { priceMonthly: 1205, trialDays: 7 } } }
  expect(changesOf(repriced, [priced], ['priceMonthly'])).toEqual([
    { field: 'priceMonthly', before: money(490, 'EUR'), after: money(1205, 'EUR') },
    { field: 'trialDays', before: 14, after: 7 },
  ])
  const moved = { position: 3, meta: { changes: { currency: 'JPY', priceMonthly: 900 } } }
  expect(changesOf(moved, [priced, repriced], ['priceMonthly'])[1]).toMatchObject({
    before: money(1205, 'EUR'),
    after: money(900, 'JPY'),
  })
  const counted = { position: 1, meta: { total: 3 } }
  expect(changesOf(counted, [], ['total'])).toMatchObject([{ after: 3 }])
})

test('a field that stayed the same is not shown', () => {
  const same = { position: 5, meta: { changes: { name: 'Large', features: ['a'] } } }
  expect(changesOf(same, [created, renamed, same])).toEqual([])
})
