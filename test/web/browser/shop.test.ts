/** The shop in a browser: from the first mail to the erased account, and every page of it. */
import { afterAll, describe, expect, test } from 'vitest'
import { SHOP } from '../../../src/web/surfaces.ts'
import { isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { startService } from '../../support/licensing/service.ts'
import { shopFixture } from '../../support/licensing/shop-fixture.ts'
import { mailedToken, newShopper, SHOPPER_PASSWORD } from '../../support/licensing/shoppers.ts'
import { stripeServer } from '../../support/licensing/stripe-server.ts'
import { sweep, SWEEP_MS } from '../../support/page-sweep.ts'
import { PEOPLE } from '../../support/person.ts'
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

describe.runIf(isChromiumInstalled).each(PEOPLE)('by $name, the shop', (by) => {
  test('a customer registers, starts a plan, reads the key, and erases the account', async () => {
    const email = `grace.${by.name}@customer.test`
    const page = await openPage(shop)
    await by.press(page.getByRole('link', { name: 'Make an account' }))
    await by.write(page.getByLabel('E-mail address'), email)
    await by.press(page.getByRole('button', { name: 'Continue' }))
    await page.getByText('A mail is on its way').waitFor()

    const token = await mailedToken(service, email)
    await page.goto(`${shop}/verify-email#token=${token}`)
    await by.write(page.getByLabel('Password'), SHOPPER_PASSWORD)
    expect(page.url(), 'the secret has left the address bar').not.toContain(token)
    await by.press(page.getByRole('button', { name: 'Set the password' }))
    await page.getByText('Your password is set').waitFor()
    await by.press(page.getByRole('link', { name: 'Sign in' }).last())
    await signInOn(page, { email, password: SHOPPER_PASSWORD }, by)

    await by.press(page.getByRole('link', { name: 'See the plans' }))
    await by.press(page.getByRole('button', { name: 'Start' }))
    await by.press(page.getByRole('dialog').getByRole('button', { name: 'Start' }))
    await page.getByText('Your license is ready').waitFor()
    await by.press(page.getByRole('link', { name: 'Open the subscription' }))
    await by.press(page.getByRole('link', { name: 'Open it' }))

    await by.press(page.getByRole('button', { name: 'Show the key' }))
    await by.press(page.getByRole('dialog').getByRole('button', { name: 'Show the key' }))
    const shown = await page.getByRole('dialog').locator('pre').textContent()
    const { items } = (await floor.get(`/api/admin/customers?q=${email}`)).body
    const { body } = await floor.get(`/api/admin/licenses?customerId=${items[0].id}`)
    expect(shown).toBe((await floor.get(`/api/admin/licenses/${body.items[0].id}/key`)).body.licenseKey)
    await page.keyboard.press('Escape')

    await page.goto(`${shop}/account`)
    await by.press(page.getByRole('button', { name: 'Erase the account' }))
    await by.write(page.getByLabel('Type your e-mail address'), email)
    await by.press(page.getByRole('dialog').getByRole('button', { name: 'Erase the account' }))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect((await floor.get(`/api/admin/customers/${items[0].id}`)).body.status).toBe('ERASED')
  })

  test('a proof that has grown old is asked for again, and the change goes on', async () => {
    const shopper = await newShopper(service)
    await floor.provision({ email: shopper.email, planSlug: plan.slug })
    const page = await openPage(shop, { expected: /403/ })
    await signInOn(page, shopper, by)
    service.passTime(6 * 60_000)
    await by.press(page.getByRole('link', { name: /^lic_/ }))
    await by.press(page.getByRole('button', { name: 'Show the key' }))
    await by.press(page.getByRole('dialog').getByRole('button', { name: 'Show the key' }))
    await by.write(page.getByLabel('Your password'), SHOPPER_PASSWORD)
    await by.press(page.getByRole('button', { name: 'Confirm' }))
    await page.getByRole('dialog').locator('pre').waitFor()
  })
})

describe.runIf(isChromiumInstalled)('the shop in a browser', () => {
  test(
    'every page holds',
    async () => {
      const shopper = await newShopper(service)
      await floor.provision({ email: shopper.email, planSlug: plan.slug })
      await service.licensing.projector.catchUp()
      const page = await openPage(shop)
      await signInOn(page, shopper)
      const { seen, problems } = await sweep(page, SHOP)
      expect(problems).toEqual([])
      expect(seen).toEqual(expect.arrayContaining(['/shop/licenses/:id', '/shop/subscriptions/:id', '/shop/plans']))
    },
    SWEEP_MS,
  )
})
