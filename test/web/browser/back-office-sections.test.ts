/** The back office in a browser: the catalogue, the releases, and what the installation is run with. */
import { createHash, randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BACK_OFFICE, SHOP } from '../../../src/web/surfaces.ts'
import { isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { startService, STAFF_PASSWORD } from '../../support/licensing/service.ts'
import { PEOPLE } from '../../support/person.ts'
import type { Person } from '../../support/person.ts'
import { scratchOfFile } from '../../support/scratch.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const { call, staff, somebody, licensing, settle } = await startService({
  ...options,
  shopUrl: `${options.baseUrl}${SHOP.base}`,
  mail: undefined,
  filesDir: scratchOfFile(),
})
const as = await staff()
const get = async (path: string) => (await call('GET', path, { as })).body
useBrowser()

async function signedIn(by: Person, path: string, expected?: RegExp): Promise<Page> {
  const { email } = await somebody('SUPERADMIN')
  const page = await openPage(`${options.baseUrl}${BACK_OFFICE.base}${path}`, expected && { expected })
  await signInOn(page, { email, password: STAFF_PASSWORD }, by)
  return page
}

describe.runIf(isChromiumInstalled).each(PEOPLE)('by $name, the back office', (by) => {
  const press = (page: Page, name: string) => by.press(page.getByRole('button', { name, exact: true }))
  const pressInDialog = (page: Page, name: string) =>
    by.press(page.getByRole('dialog').getByRole('button', { name, exact: true }))

  test('prices are typed in major units, and a feature is a value of its type', async () => {
    await call('POST', '/api/admin/features', {
      as,
      body: { key: `projects.${by.name}`, name: `Projects of the ${by.name}`, type: 'INTEGER' },
    })
    await licensing.projector.catchUp()
    const page = await signedIn(by, '/plans')
    await press(page, 'Create a plan')
    await by.write(page.getByLabel('Slug'), `kyoto-${by.name}`)
    await by.write(page.getByLabel('Name'), `Kyoto by ${by.name}`)
    await by.write(page.getByLabel('Currency'), 'JPY')
    await by.write(page.getByLabel('Price a month'), '1900')
    await by.write(page.getByLabel(`Projects of the ${by.name}`), '50')
    await pressInDialog(page, 'Create a plan')
    await page.getByRole('heading', { name: `Kyoto by ${by.name}` }).waitFor()
    await press(page, 'Change')
    await by.write(page.getByLabel('Currency'), 'EUR')
    await by.write(page.getByLabel('Price a month'), '19.50')
    await pressInDialog(page, 'Save')
    await page.getByText('€19.50').first().waitFor()
    expect((await get(`/api/admin/plans?slug=kyoto-${by.name}`)).items[0]).toMatchObject({
      currency: 'EUR',
      priceMonthly: 1_950,
      features: [{ key: `projects.${by.name}`, value: 50 }],
    })
  })

  test('a form does not overwrite what another person has changed since it was opened', async () => {
    const made = await call('POST', '/api/admin/plans', {
      as,
      body: { slug: `shared-${by.name}`, name: 'Shared', free: true },
    })
    await licensing.projector.catchUp()
    const page = await signedIn(by, `/plans/${made.body.id}`, /412/)
    await press(page, 'Change')
    await by.write(page.getByLabel('Name'), 'Mine')
    await call('PATCH', `/api/admin/plans/${made.body.id}`, { as, body: { name: 'Theirs' } })
    await pressInDialog(page, 'Save')
    await page.getByText('Another person has changed this since you opened it.').waitFor()
    expect(await get(`/api/admin/plans/${made.body.id}`)).toMatchObject({ name: 'Theirs' })
    await page.getByRole('heading', { name: 'Theirs', level: 1, includeHidden: true }).waitFor({ state: 'attached' })
    expect(await page.evaluate('document.activeElement.textContent'), 'a refusal leaves the focus').toBe('Save')
    await pressInDialog(page, 'Save')
    await page.getByRole('heading', { name: 'Mine' }).waitFor()
  })

  test('a file of a release is sent with the SHA-256 that the browser computed', async () => {
    const { id } = (
      await call('POST', '/api/admin/versions', { as, body: { version: by.name === 'pointer' ? '1.2.0' : '1.3.0' } })
    ).body
    const bytes = randomBytes(300_000)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await licensing.projector.catchUp()
    const page = await signedIn(by, `/releases/${id}`)
    const sent = page.waitForRequest((request) => request.url().includes('/artifacts?'))
    await by.give(page.getByLabel('Add a file'), { name: 'panel.tgz', mimeType: 'application/gzip', buffer: bytes })
    await press(page, 'Upload and sign')
    expect(new URL((await sent).url()).searchParams.get('sha256')).toBe(sha256)
    await page.getByRole('cell', { name: sha256 }).waitFor()
    await press(page, 'Publish')
    await pressInDialog(page, 'Publish')
    await page.getByLabel('Add a file').waitFor({ state: 'detached' })
    expect(await get(`/api/admin/versions/${id}`)).toMatchObject({ status: 'PUBLISHED', artifacts: [{ sha256 }] })
  })

  test('a token is shown once, and its successor is opened only when it is kept', async () => {
    const page = await signedIn(by, '/tokens')
    await press(page, 'Mint a token')
    await by.write(page.getByLabel('Name'), `Robot of the ${by.name}`)
    await by.tick(page.getByRole('group', { name: 'Plans' }).getByLabel('view'))
    expect(await page.getByRole('group', { name: 'Staff' }).count(), 'what is never grantable is absent').toBe(0)
    await pressInDialog(page, 'Mint')
    const secret = (await page.getByRole('dialog').locator('pre').textContent())!
    expect((await call('GET', '/api/admin/plans', { as: secret })).status).toBe(200)
    await press(page, 'I have kept it')
    await by.press(page.getByRole('link', { name: `Robot of the ${by.name}` }))
    await press(page, 'Rotate')
    const before = page.url()
    await pressInDialog(page, 'Rotate')
    const next = (await page.getByRole('dialog').locator('pre').textContent())!
    expect(page.url()).toBe(before)
    await press(page, 'I have kept it')
    await page.getByText(next.slice(0, 12)).waitFor()
    expect((await call('GET', '/api/admin/plans', { as: secret })).status).toBe(401)
    expect((await call('GET', '/api/admin/plans', { as: next })).status).toBe(200)
  })

  test('a member of staff is added by a link that is shown once, and signs in with the password set by it', async () => {
    const email = `grace.${by.name}@staff.test`
    const page = await signedIn(by, '/staff')
    await press(page, 'Add a member')
    await by.write(page.getByLabel('E-mail address'), email)
    await by.write(page.getByLabel('Name'), `Grace of the ${by.name}`)
    await pressInDialog(page, 'Add a member')
    await page.getByRole('group', { name: 'Roles' }).locator('input:invalid').waitFor()
    await by.tick(page.getByRole('dialog').getByLabel('Support'))
    await pressInDialog(page, 'Add a member')
    const link = (await page.getByRole('dialog').locator('pre').textContent())!
    await press(page, 'I have kept it')
    await page.getByRole('row', { name: new RegExp(`Grace of the ${by.name}.*Invited`) }).waitFor()

    const own = await openPage(link)
    await by.write(own.getByLabel('Password'), STAFF_PASSWORD)
    expect(own.url(), 'the secret has left the address bar').not.toContain('#')
    await by.press(own.getByRole('button', { name: 'Set the password' }))
    await own.getByText('Your password is set').waitFor()
    await own.goto(`${options.baseUrl}${BACK_OFFICE.base}`)
    await signInOn(own, { email, password: STAFF_PASSWORD }, by)
    await own.getByRole('link', { name: 'Licenses' }).waitFor()
    expect(await own.getByRole('link', { name: 'Staff' }).count(), 'SUPPORT may not see the staff').toBe(0)
  })

  test('a bulk action is tried first, and then followed to its end', async () => {
    const planSlug = `bulk-${by.name}`
    await call('POST', '/api/admin/plans', { as, body: { slug: planSlug, name: planSlug } })
    for (const email of ['one@customer.test', 'two@customer.test'])
      await call('POST', '/api/admin/provisioning', { as, body: { email: `${by.name}.${email}`, planSlug } })
    await licensing.projector.catchUp()
    const countOf = async (status: string) => {
      const body = { action: 'licenses.resume', filter: { planSlug, status }, dryRun: true }
      return (await call('POST', '/api/admin/bulk', { as, body })).body.total as number
    }
    const page = await signedIn(by, '/bulk')
    await by.choose(page.getByRole('combobox', { name: 'Action' }).first(), 'licenses.suspend')
    await by.tick(page.getByLabel('All that match now'))
    await by.choose(page.getByLabel('Plan slug'), planSlug)
    await by.write(page.getByLabel('Reason'), 'audit')
    await press(page, 'Dry run')
    await page.getByText('2 records match').waitFor()
    expect(await countOf('ACTIVE')).toBe(2)
    await press(page, 'Start on 2')
    await pressInDialog(page, 'Start on 2')
    // The question before the start has a title that begins like that of the record.
    await page.getByRole('heading', { name: 'Suspend licenses', exact: true }).waitFor()
    await settle()
    await licensing.projector.catchUp()
    await page.getByText('2 of 2 records').waitFor()
    expect(await countOf('SUSPENDED')).toBe(2)
  })
})
