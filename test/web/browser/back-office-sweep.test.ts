/** Every page of the back office, as the roles with the most and the fewest permissions. */
import { describe, expect, test } from 'vitest'
import { BACK_OFFICE, SHOP } from '../../../src/web/surfaces.ts'
import { isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { startService, STAFF_PASSWORD } from '../../support/licensing/service.ts'
import { sweep } from '../../support/page-sweep.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const { call, staff, somebody, licensing } = await startService({
  ...options,
  shopUrl: `${options.baseUrl}${SHOP.base}`,
})
const as = await staff()
const plan = { slug: 'starter', name: 'Starter', priceMonthly: 1_900, priceYearly: 19_000, public: true }
await call('POST', '/api/admin/plans', { as, body: plan })
await call('POST', '/api/admin/provisioning', { as, body: { email: 'ada@customer.test', planSlug: 'starter' } })
await licensing.projector.catchUp()
useBrowser()

describe.runIf(isChromiumInstalled)('the pages of the back office', () => {
  test.each(['SUPERADMIN', 'SUPPORT'] as const)('hold for %s', async (role) => {
    const { email } = await somebody(role)
    const page = await openPage(`${options.baseUrl}${BACK_OFFICE.base}`)
    await signInOn(page, { email, password: STAFF_PASSWORD })
    const { seen, problems } = await sweep(page, BACK_OFFICE)
    expect(problems).toEqual([])
    expect(seen).toContain('/console/licenses/:id')
  })
})
