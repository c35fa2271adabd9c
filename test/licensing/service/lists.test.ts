import { describe, expect, test } from 'vitest'
import { startService } from '#test/support/licensing/service'

const service = await startService({ compareReadModels: false })
const ID = '01890000-0000-7000-8000-000000000001'
const NOW = '2026-01-01T00:00:00.000Z'

/** Every list with its default order and every parameter that is a time. */
const LISTS = [
  ['/api/admin/plans', 'createdAt', []],
  ['/api/admin/features', 'createdAt', []],
  ['/api/admin/staff', 'createdAt', []],
  ['/api/admin/announcements', 'createdAt', []],
  ['/api/admin/versions', 'createdAt', []],
  ['/api/admin/bulk', 'createdAt', []],
  ['/api/admin/customers', 'createdAt', []],
  ['/api/admin/subscriptions', 'createdAt', []],
  ['/api/admin/licenses', 'issuedAt', ['expiresBefore']],
  ['/api/admin/machine-tokens', 'createdAt', []],
  ['/api/admin/auth/sessions', 'createdAt', []],
  ['/api/admin/audit', 'position', ['from', 'to']],
] as const

const cursorAt = (...place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url')

describe.each(LISTS)('%s', (path, column, moments) => {
  const status = async (query: string) =>
    (await service.call('GET', `${path}?${query}`, { as: await service.staff() })).status

  test.each([
    ['no value of the column', ['abc', 'def']],
    ['another type', [1.5, 1e300]],
    ['NUL', [`${NOW}\0`, `${ID}\0`]],
    ['half a surrogate pair', ['\uD800', '\uD800']],
    ['a statement', ["'; DROP TABLE read.plans; --", ID]],
  ])('400 for a forged cursor that holds %s', async (_what, place) => {
    expect(await status(`cursor=${cursorAt(`-${column}`, ...place)}`)).toBe(400)
  })

  test.each([...moments, 'createdAfter', 'createdBefore'])(
    '400 for a moment in %s that no store reads',
    async (name) => {
      for (const moment of [
        '0000-01-01T00:00:00Z',
        `2026-01-01T00:00:00.${'0'.repeat(200)}Z`,
        '2026-01-01T00:00:00+23:59',
      ])
        expect(await status(`${name}=${encodeURIComponent(moment)}`), moment).toBe(400)
      for (const moment of [NOW, '0001-01-01T00:00:00+15:59', '9999-12-31T23:59:59.999999999-15:59'])
        expect(await status(`${name}=${encodeURIComponent(moment)}`), moment).toBe(200)
    },
  )
})
