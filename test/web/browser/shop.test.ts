/** The shop in a browser: from the first mail to the erased account, and every page of it. */
import { afterAll, describe, expect, test } from 'vitest'
import { SHOP } from '../../../src/web/surfaces.ts'
import { isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'
import { mailedToken, newShopper, SHOPPER_PASSWORD } from '../../support/licensing/shoppers.ts'
import { stripeServer } from '../../support/licensing/stripe-server.ts'
import { sweep } from '../../support/page-sweep.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const shop = `${options.baseUrl}${SHOP.base}`
const stripe = await stripeServer()
afterAll(() => stripe.stop())
const service = await startService({
  ...options,
  shopUrl: shop,
  payments: { stripe: stripe.settings, seller: ['Example GmbH', 'Street 1, 10115 Berlin', 'VAT DE123456789'] },
})
const floor = await shopFixture(service)
const plan = await floor.plan({ name: 'Small', maxActivations: 3 })
useBrowser()

describe.runIf(isChromiumInstalled)('the shop in a browser', () => {
  test('a customer registers, starts a plan, reads the key, and erases the account', async () => {
    const email = 'grace@customer.test'
    const page = await openPage(shop)
    await page.getByRole('link', { name: 'Make an account' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('A mail is on its way').waitFor()

    const token = await mailedToken(service, email)
    await page.goto(`${shop}/verify-email#token=${token}`)
    await page.getByLabel('Password').fill(SHOPPER_PASSWORD)
    expect(page.url(), 'the secret has left the address bar').not.toContain(token)
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByRole('link', { name: 'Sign in' }).last().click()
    await signInOn(page, { email, password: SHOPPER_PASSWORD })

    await page.getByRole('link', { name: 'See the plans' }).click()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
    await page.getByText('Your license is ready').waitFor()
    await page.getByRole('link', { name: 'Open the subscription' }).click()
    await page.getByRole('link', { name: 'Open it' }).click()

    await page.getByRole('button', { name: 'Show the key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Show the key' }).click()
    const shown = await page.getByRole('dialog').locator('pre').textContent()
    const { items } = (await floor.get(`/api/admin/customers?q=${email}`)).body
    const { body } = await floor.get(`/api/admin/licenses?customerId=${items[0].id}`)
    expect(shown).toBe((await floor.get(`/api/admin/licenses/${body.items[0].id}/key`)).body.licenseKey)
    await page.keyboard.press('Escape')

    await page.goto(`${shop}/account`)
    await page.getByRole('button', { name: 'Erase the account' }).click()
    await page.getByLabel('Type your e-mail address').fill(email)
    await page.getByRole('dialog').getByRole('button', { name: 'Erase the account' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect((await floor.get(`/api/admin/customers/${items[0].id}`)).body.status).toBe('ERASED')
  })

  test('a proof that has grown old is asked for again, and the change goes on', async () => {
    const shopper = await newShopper(service)
    await floor.provision({ email: shopper.email, planSlug: plan.slug })
    const page = await openPage(shop, { expected: /403/ })
    await signInOn(page, shopper)
    service.passTime(6 * 60_000)
    await page.getByRole('link', { name: /^lic_/ }).click()
    await page.getByRole('button', { name: 'Show the key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Show the key' }).click()
    await page.getByLabel('Your password').fill(SHOPPER_PASSWORD)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('dialog').locator('pre').waitFor()
  })

  test('every page holds', async () => {
    const shopper = await newShopper(service)
    await floor.provision({ email: shopper.email, planSlug: plan.slug })
    await service.licensing.projector.catchUp()
    const page = await openPage(shop)
    await signInOn(page, shopper)
    const { seen, problems } = await sweep(page, SHOP)
    expect(problems).toEqual([])
    expect(seen).toEqual(expect.arrayContaining(['/shop/licenses/:id', '/shop/subscriptions/:id', '/shop/plans']))
  })
})
