/** Each set of pages, served by its service, in a browser under the strict policy. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BACK_OFFICE, PANEL, SHOP } from '../../../src/web/surfaces.ts'
import { accessibilityProblems, isChromiumInstalled, openPage, reportsBy, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { startService, STAFF_PASSWORD } from '../../support/licensing/service.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { roundsUntil } from '../../support/rounds.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const service = await startService({ ...options, shopUrl: `${options.baseUrl}${SHOP.base}` })
// As of a machine in an office: over plain http, and not this one.
const panelOptions = await withPages('panel.test')
const panelService = await startPanel(panelOptions)
const licensing = options.baseUrl

/** Each is a wait for the network: the shell, its code and styles, the session, the page's code and what it shows. */
const ROUNDS_MAX = 5
/** Compressed, with the theme, the styles and the icon. */
const FIRST_BYTES_MAX = 190_000
const FIRST_REQUESTS_MAX = 20
const IDLE = '10:00'

const panel = panelOptions.baseUrl
useBrowser()

describe.runIf(isChromiumInstalled)('in a browser', () => {
  test.each([
    { surface: BACK_OFFICE, origin: licensing },
    { surface: SHOP, origin: licensing },
    { surface: PANEL, origin: panel },
  ])('$surface.title shows its first page, and reports nothing', async ({ surface: { base }, origin }) => {
    const page = await openPage(`${origin}${base}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.getAttribute('meta[name=origin]', 'content')).toBe(origin)
    expect(await page.evaluate('isSecureContext')).toBe(origin === licensing)
    expect(await accessibilityProblems(page)).toEqual([])
    const saved = await page.evaluate<number[]>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map((each) => each.decodedBodySize - each.encodedBodySize)`,
    )
    expect(Math.max(...saved), 'scripts are compressed over plain http').toBeGreaterThan(10_000)
  })

  test.each([
    { surface: BACK_OFFICE, origin: licensing, waits: 2 },
    { surface: SHOP, origin: licensing, waits: 2 },
    // It asks whether the panel has an account yet.
    { surface: PANEL, origin: panel, waits: 3 },
  ])('$surface.title asks for little before its first page', async ({ surface: { base }, origin, waits }) => {
    const page = await openPage('about:blank')
    const heading = page.getByRole('heading', { level: 1 })
    const rounds = await roundsUntil(page, heading, () => page.goto(`${origin}${base}`))
    expect(rounds.length, JSON.stringify(rounds)).toBeLessThanOrEqual(waits)
    expect(rounds.flat().length, JSON.stringify(rounds)).toBeLessThanOrEqual(FIRST_REQUESTS_MAX)
    const bytes = await page.evaluate<number>(
      `performance.getEntriesByType('resource').reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    )
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(FIRST_BYTES_MAX)
  })

  const signedIn = [
    {
      what: 'a list of the back office',
      url: `${licensing}${BACK_OFFICE.base}/staff`,
      person: async () => ({ ...(await service.somebody('SUPERADMIN')), password: STAFF_PASSWORD }),
      rows: (page: Page) => page.getByRole('row', { name: /superadmin@staff.test/ }),
    },
    {
      what: 'a list of the panel',
      url: `${panel}/teams`,
      person: async () => {
        const person = await panelService.somebody()
        const team = { name: 'Night shift', colour: '#24479a' }
        await panelService.call('POST', '/api/teams', { as: person.as, body: team })
        return { ...person, password: PASSWORD }
      },
      rows: (page: Page) => page.getByRole('link', { name: 'Night shift' }),
    },
  ]

  test.each(signedIn)(
    '$what shows its rows after few waits, and then asks for nothing',
    async ({ url, person, rows }) => {
      const page = await openPage(url)
      await signInOn(page, await person())
      await rows(page).waitFor()
      await page.clock.install()
      const rounds = await roundsUntil(page, rows(page), () => page.reload())
      expect(rounds.length, JSON.stringify(rounds)).toBeLessThanOrEqual(ROUNDS_MAX)

      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.clock.runFor(IDLE)
      // The signs of life of the feed do not come by this clock: it seems lost, comes back, and the account is read again.
      expect(asked.filter((path) => !/\/(?:stream|auth\/me)$/.test(path))).toEqual([])
    },
  )

  test('the root of the licensing service leads to the back office, that of a panel is its page', async () => {
    expect((await openPage(licensing)).url()).toBe(`${licensing}${BACK_OFFICE.base}`)
    expect((await openPage(panel)).url()).toBe(`${panel}/`)
  })

  test('the theme is set before anything is shown', async () => {
    const page = await openPage(`${panel}/account`)
    const theme = () => page.getAttribute('html', 'data-theme')
    expect(await theme()).toBeNull()
    await page.evaluate(`localStorage.setItem('daybook-theme', 'dark')`)
    await page.reload()
    expect(await theme()).toBe('dark')
  })

  test.each([
    [
      'a style',
      `document.body.append(Object.assign(document.createElement('style'), { textContent: 'h1 { color: red }' }))`,
      'style-src-elem',
    ],
    [
      'a script',
      `document.body.append(Object.assign(document.createElement('script'), { src: 'http://127.0.0.1:9/' }))`,
      'require-trusted-types-for',
    ],
    ['a request to another origin', `void fetch('http://127.0.0.1:9/').catch(() => {})`, 'connect-src'],
    ['markup', `document.body.innerHTML = '<b>text</b>'`, 'require-trusted-types-for'],
  ])('the policy refuses %s, and the test would fail', async (_what, code, directive) => {
    const page = await openPage(`${panel}/account`, { expected: /./ })
    await page.evaluate(code).catch(() => {})
    await expect.poll(() => reportsBy(page)).toContainEqual(expect.stringContaining(`policy violation: ${directive}`))
  })

  test('the policy allows what React does to styles', async () => {
    const page = await openPage(`${panel}/account`)
    expect(
      await page.evaluate(`document.body.style.color = 'rgb(1, 2, 3)', getComputedStyle(document.body).color`),
    ).toBe('rgb(1, 2, 3)')
  })
})
