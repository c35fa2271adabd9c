/** What an event of the change feed makes stale, and how a list takes in what has changed. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { FeedChange } from '#api-client/feed'
import type { Page } from '#api-client/paging'
import { concernOf } from '../../src/web/live/concern.ts'
import type { AnswerKey } from '../../src/web/live/concern.ts'
import { recordsIn, takeIn } from '../../src/web/live/list-pages.ts'
import type { ShownPage } from '../../src/web/live/list-pages.ts'

const KINDS = {
  'license.revoked': ['licenses', 'subscriptions'],
  'plan.changed': ['plans'],
  'signing_key.created': ['signing-keys'],
}
const event = (kind: string, ids: Record<string, string> = {}): FeedChange => ({
  type: 'change',
  position: 1,
  kind,
  ids,
})
const isStale = (change: FeedChange, line: string, input: object = {}, data?: unknown): boolean =>
  concernOf([change], KINDS)([line, input] as AnswerKey, data)

const OTHER = '01890000-0000-7000-8000-00000000dead'

describe('an answer is stale', () => {
  const revoked = event('license.revoked', { licenseId: 'L1', customerId: 'C1' })
  test.each([
    ['the list of a section that shows the kind', 'GET /api/admin/licenses', {}, undefined, true],
    ['the list of another section', 'GET /api/admin/plans', {}, [{ id: 'P1' }], false],
    ['the record', 'GET /api/admin/licenses/{id}', { params: { id: 'L1' } }, undefined, true],
    ['another record of the section', 'GET /api/admin/licenses/{id}', { params: { id: 'L2' } }, { id: 'L2' }, false],
    ['a record that names it', 'GET /api/admin/instances/{id}', { params: { id: 'I1' } }, { licenseId: 'L1' }, true],
    ['its history', 'GET /api/admin/licenses/{id}/history', { params: { id: 'L1' } }, undefined, true],
    ['the trail of another record', 'GET /api/admin/audit', { query: { subject: OTHER } }, undefined, false],
    ['what is made of all events', 'GET /api/admin/audit', {}, undefined, true],
  ])('%s', (_what, line, input, data, expected) => expect(isStale(revoked, line, input, data)).toBe(expected))

  test('also where the section stands further back in the path', () =>
    expect(isStale(event('signing_key.created'), 'GET /api/admin/settings/signing-keys')).toBe(true))

  test('whatever it is, if the kind is unknown', () =>
    expect(isStale(event('novelty.made'), 'GET /api/admin/plans/{id}', { params: { id: 'P1' } }, {})).toBe(true))
})

interface Row {
  readonly id: string
  readonly text?: string
}
const page = (ids: string, more: Partial<ShownPage<Row>> = {}): ShownPage<Row> => ({
  items: ids.split('').map((id) => ({ id })),
  total: undefined,
  next: undefined,
  ...more,
})
const MORE = { next: { cursor: 'x' } }
const shownAs = ({ items, unseen }: ShownPage): string =>
  `${items.map((item) => (item as Row).id).join('')}${unseen === undefined ? '' : ` ${unseen} new`}`

describe('a list that is shown', () => {
  const taken = (pages: ShownPage[], fresh: Page<unknown>, holdsNew = true) =>
    shownAs(takeIn(pages, 0, fresh, holdsNew))

  test('counts new records and moves none', () => expect(taken([page('cba')], page('edcba'))).toBe('cba 2 new'))
  test('keeps what new records have pushed onto the next page', () =>
    expect(taken([page('cba', MORE)], page('edc', MORE))).toBe('cba 2 new'))
  test('is as it was if every record of the page is new', () =>
    expect(taken([page('cba', MORE)], page('fed', MORE))).toBe('cba 3 new'))
  test('drops what is gone, and counts nothing that moved up from the next page', () => {
    expect(taken([page('cba', MORE)], page('ca9', MORE))).toBe('ca 0 new')
    expect(taken([page('cba', MORE), page('987')], page('ca9', MORE))).toBe('ca 0 new')
  })
  test('counts a new record at the end of a list that ends here', () =>
    expect(taken([page('abc')], page('abcd'))).toBe('abc 1 new'))
  test('shows the first records at once', () => expect(taken([page('')], page('ab'))).toBe('ab'))
  test('changes a record where it stands', () => {
    const fresh = { ...page('ba'), items: [{ id: 'b' }, { id: 'a', text: 'new' }] }
    expect(takeIn([page('ab')], 0, fresh, true).items).toEqual([{ id: 'a', text: 'new' }, { id: 'b' }])
  })
  test('without a line for new records shows them where the service lists them', () => {
    expect(taken([page('cba', MORE)], page('edc', MORE), false)).toBe('edcba')
    expect(taken([page('cba', MORE), page('987')], page('dc', MORE), false)).toBe('dcba')
  })
  test('shows each record once, wherever pages overlap', () =>
    expect(recordsIn([page('dcb'), page('ba')]).map(({ id }) => id)).toEqual(['d', 'c', 'b', 'a']))
})

test('rows keep their order, and nothing that is listed is lost', () => {
  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefghij'.split('')), { maxLength: 10 })
  fc.assert(
    fc.property(ids, ids, (before, after) => {
      const [shown, fresh] = [page(before.join('')), page(after.join(''))]
      const held = takeIn([shown], 0, fresh, true)
      const left = held.items.map((item) => (item as Row).id)
      if (before.length > 0) expect(before.filter((id) => left.includes(id))).toEqual(left)
      const unseen = held.unseen ?? 0
      expect(left.filter((id) => after.includes(id)).length + unseen).toBe(after.length)
    }),
  )
})
