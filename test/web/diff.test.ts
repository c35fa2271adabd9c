import { expect, test } from 'vitest'
import { changesOf } from '../../src/web/kit/diff.ts'

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

test('a field that stayed the same is not shown', () => {
  const same = { position: 5, meta: { changes: { name: 'Large', features: ['a'] } } }
  expect(changesOf(same, [created, renamed, same])).toEqual([])
})
