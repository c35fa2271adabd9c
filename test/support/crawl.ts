/** Visits every page of a surface that links lead to, as one person. */
import type { Page, Request } from 'playwright-core'
import type { Surface } from '../../src/web/surfaces.ts'

export interface View {
  readonly theme: 'light' | 'dark'
  readonly width: number
}

/** Each theme and each width once: what is wrong in a theme is wrong at both widths. */
export const VIEWS: readonly [View, View] = [
  { theme: 'light', width: 1_280 },
  { theme: 'dark', width: 390 },
]
const HEIGHT = 900
const QUIET_MS = 150
const QUIET_LOOKS = 5
const SETTLED_WITHIN_MS = 10_000

/** Its title is there, and it waits for nothing that it will show. A locator would look again after half a second. */
const IS_SHOWN = `document.querySelector('h1') !== null && ![...document.querySelectorAll('output')].some((each) => each.textContent === 'Loading')`

export interface Visit {
  /** As declared, such as `/console/licenses/:id`; undefined: a link leads to no page. */
  readonly name: string | undefined
  readonly path: string
  /** Answers that no page should cause. */
  readonly refused: readonly string[]
}

/** @param page of a person who is signed in, on the first page of the surface */
export async function* crawl(page: Page, { base, pages }: Surface): AsyncGenerator<Visit> {
  const traffic = watchTraffic(page)
  const patterns = Object.keys(pages).map((path) => [path, patternOf(path)] as const)
  const seen = new Set<string>()
  const waiting = [base]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = patterns.find(([, pattern]) => pattern.test(path))?.[0]
    if (seen.has(name ?? path)) continue
    seen.add(name ?? path)
    if (name === undefined) {
      yield { name, path, refused: [] }
      continue
    }
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
    await traffic.settled()
    yield { name, path, refused: traffic.taken() }
    await showAs(page, VIEWS[0])
    waiting.push(...(await linksOf(page)))
  }
  traffic.stop()
}

export async function showAs(page: Page, { theme, width }: View): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT })
  await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)

const linksOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll('a[href]')].filter((link) => link.origin === location.origin && !link.hash && !link.pathname.startsWith('/api')).map((link) => link.pathname)`,
  )

/** Requests in flight, and answers that no page should cause. */
export function watchTraffic(page: Page) {
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
      const until = performance.now() + SETTLED_WITHIN_MS
      for (let quiet = 0; quiet < QUIET_LOOKS && performance.now() < until;) {
        await page.waitForTimeout(QUIET_MS / QUIET_LOOKS)
        quiet = inFlight <= 0 && (await page.evaluate<boolean>(IS_SHOWN)) ? quiet + 1 : 0
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
