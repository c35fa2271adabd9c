/** Each set of pages, served by its service, in a browser under the strict policy. */
import { describe, expect, test } from 'vitest'
import { BACK_OFFICE, PANEL, SHOP } from '../../../src/web/surfaces.ts'
import { accessibilityProblems, isChromiumInstalled, openPage, reportsBy, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { startService } from '../../support/licensing/service.ts'
import { startPanel } from '../../support/panel/service.ts'

const options = await withPages()
await startService({ ...options, shopUrl: `${options.baseUrl}${SHOP.base}` })
const panelOptions = await withPages()
await startPanel(panelOptions)
const licensing = options.baseUrl
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
    expect(await accessibilityProblems(page)).toEqual([])
    const saved = await page.evaluate<number[]>(
      `performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).map((each) => each.decodedBodySize - each.encodedBodySize)`,
    )
    expect(Math.max(...saved), 'scripts are compressed over plain http').toBeGreaterThan(10_000)
  })

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
