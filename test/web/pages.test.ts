/** The lists of pages: what they name exists, and what leads to them finds them. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BACK_OFFICE, PANEL, SHOP, SURFACES } from '../../src/web/surfaces.ts'

const WEB = join(import.meta.dirname, '../../src/web')

describe.each(SURFACES)('the pages of $name', ({ name, base, entry, pages }) => {
  test('lie below its base, and the base is one of them', () => {
    expect(Object.keys(pages)).toContain(base)
    const outside = Object.keys(pages).filter(
      (path) => path !== base && !path.startsWith(base === '/' ? base : `${base}/`),
    )
    expect(outside).toEqual([])
  })

  test('never take a path of the API or of the assets', () => {
    expect(Object.keys(pages).filter((path) => /^\/(api|assets|metrics|install\.sh)(\/|$)/.test(path))).toEqual([])
  })

  test('have a module and a title', () => {
    expect(existsSync(join(WEB, entry))).toBe(true)
    const missing = Object.values(pages).filter(({ page }) => !existsSync(join(WEB, name, `${page}.tsx`)))
    expect(missing).toEqual([])
    for (const { title } of Object.values(pages)) expect(title).toMatch(/^[A-Z]/)
  })
})

/** Where mails and the first start of a panel lead to. */
test.each([
  [BACK_OFFICE, '/console/set-password'],
  [SHOP, '/shop/verify-email'],
  [SHOP, '/shop/reset-password'],
  [PANEL, '/verify-email'],
  [PANEL, '/reset-password'],
  [PANEL, '/setup'],
])('links lead to pages that are shown without a session: %#', ({ pages }, path) => {
  expect(pages[path]).toMatchObject({ isPublic: true })
})
