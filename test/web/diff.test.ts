import { expect, test } from 'vitest'
import { changesOf } from '../../src/web/kit/diff.ts'
import { money } from '../../src/web/kit/money.ts'

const created = { position: 1, action: 'plan.changed', meta: { name: 'Small', seats: 3, features: ['a'] } }
const renamed = { position: 4, action: 'plan.changed', meta: { changes: { name: 'Large' } } }
const later = { position: 9, action: 'plan.changed', meta: { changes: { name: 'Huge', seats: 5 } } }

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
  const priced = { position: 1, action: 'plan.changed', meta: { currency: 'EUR', priceMonthly: 490, trialDays: 14 } }
  const repriced = { position: 2, action: 'plan.changed', meta: { changes: { priceMonthly: 1205, trialDays: 7 } } }
  expect(changesOf(repriced, [priced], { amounts: ['priceMonthly'], states: {} })).toEqual([
    { field: 'priceMonthly', before: money(490, 'EUR'), after: money(1205, 'EUR') },
    { field: 'trialDays', before: 14, after: 7 },
  ])
  const moved = { position: 3, action: 'plan.changed', meta: { changes: { currency: 'JPY', priceMonthly: 900 } } }
  expect(changesOf(moved, [priced, repriced], { amounts: ['priceMonthly'], states: {} })[1]).toMatchObject({
    before: money(1205, 'EUR'),
    after: money(900, 'JPY'),
  })
  const counted = { position: 1, action: 'plan.changed', meta: { total: 3 } }
  expect(changesOf(counted, [], { amounts: ['total'], states: {} })).toMatchObject([{ after: 3 }])
})

test('a field that stayed the same is not shown', () => {
  const same = { position: 5, action: 'plan.changed', meta: { changes: { name: 'Large', features: ['a'] } } }
  expect(changesOf(same, [created, renamed, same])).toEqual([])
})

test('an event whose name tells the state shows the state before and after', () => {
  const states = { 'license.issued': 'ACTIVE', 'license.revoked': 'REVOKED' }
  const issued = { position: 1, action: 'license.issued', meta: { plan: 'team' } }
  const read = { position: 2, action: 'license.key_read', meta: {} }
  const revoked = { position: 3, action: 'license.revoked', meta: { reason: 'Chargeback' } }
  expect(changesOf(revoked, [revoked, read, issued], { amounts: [], states })).toEqual([
    { field: 'status', before: 'Active', after: 'Revoked' },
    { field: 'reason', before: undefined, after: 'Chargeback' },
  ])
})
