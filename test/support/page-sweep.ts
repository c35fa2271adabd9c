/**
 * Visits every page of a surface that links lead to, as one person, in both themes and two widths, and collects what is
 * wrong with each: refused requests, problems of accessibility, headings, text that is cut, and scrolling sideways.
 */
import type { Page, Request } from 'playwright-core'
import type { Surface } from '../../src/web/surfaces.ts'
import { accessibilityProblems } from './browser.ts'

/** Each theme and each width once: what is wrong in a theme is wrong at both widths. */
const VIEWS = [
  { theme: 'light', width: 1_280 },
  { theme: 'dark', width: 390 },
] as const
const HEIGHT = 900
const QUIET_MS = 120
const SETTLED_WITHIN_MS = 10_000

export interface Sweep {
  /** The declared paths that were seen. */
  readonly seen: readonly string[]
  readonly problems: readonly string[]
}

/** @param page of a person who is signed in, on the first page of the surface */
export async function sweep(page: Page, { base, pages }: Surface): Promise<Sweep> {
  const traffic = watchTraffic(page)
  const patterns = Object.keys(pages).map((path) => [path, patternOf(path)] as const)
  const declared = (path: string): string | undefined => patterns.find(([, pattern]) => pattern.test(path))?.[0]
  const seen = new Map<string, string>()
  const waiting = [base]
  const problems: string[] = []
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = declared(path)
    if (name === undefined) problems.push(`${path} is linked, and is no page`)
    if (name === undefined || seen.has(name)) continue
    seen.set(name, path)
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    await traffic.settled()
    problems.push(...traffic.taken().map((each) => `${name}: ${each}`))
    for (const { theme, width } of VIEWS) {
      await page.setViewportSize({ width, height: HEIGHT })
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      const found = [...(await layoutProblems(page)), ...(await accessibilityProblems(page))]
      problems.push(...found.map((each) => `${name}, ${theme}, ${width} px: ${each}`))
    }
    await page.setViewportSize({ width: VIEWS[0].width, height: HEIGHT })
    waiting.push(...(await linksOf(page)))
  }
  traffic.stop()
  return { seen: [...seen.keys()].toSorted(), problems }
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)

const linksOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href]')].filter((link) => link.origin === location.origin && !link.hash && !link.pathname.startsWith('/api')).map((link) => link.pathname)`,
  )

/** One `h1`, nothing wider than the window, and no text that its own box cuts off. */
const layoutProblems = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const problems = []
    const headings = document.querySelectorAll('h1').length
    if (headings !== 1) problems.push(headings + ' headings of the first level')
    if (document.documentElement.scrollWidth > innerWidth) problems.push('scrolls sideways to ' + document.documentElement.scrollWidth + ' px')
    for (const element of document.querySelectorAll('main *')) {
      const { overflowX } = getComputedStyle(element)
      const isCut = element.scrollWidth > element.clientWidth + 1 && ['hidden', 'clip'].includes(overflowX)
      if (isCut && element.textContent.trim() !== '' && getComputedStyle(element).clipPath === 'none') problems.push('text is cut: ' + element.textContent.trim().slice(0, 60))
    }
    return problems
  })()`)

/** Requests in flight, and answers that no page should cause. */
function watchTraffic(page: Page) {
  let inFlight = 0
  let refused: string[] = []
  const count = (request: Request, by: number): void => {
    // A change feed stays open.
    if (!new URL(request.url()).pathname.endsWith('/stream')) inFlight += by
  }
  const begun = (request: Request): void => count(request, 1)
  const ended = (request: Request): void => count(request, -1)
  page.on('request', begun)
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.status() >= 400)
      refused.push(`${response.request().method()} ${pathname} answered ${response.status()}`)
  })
  return {
    /** Resolves when the page is there and has asked nothing for a while. */
    async settled() {
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      const until = performance.now() + SETTLED_WITHIN_MS
      for (let quiet = 0; quiet < 3 && performance.now() < until;) {
        await page.waitForTimeout(QUIET_MS / 3)
        quiet = inFlight <= 0 ? quiet + 1 : 0
      }
    },
    taken() {
      const all = refused
      refused = []
      return all
    },
    stop() {
      page.off('request', begun)
      page.off('requestfinished', ended)
      page.off('requestfailed', ended)
    },
  }
}
