/**
 * Pages in the Chromium of the system, one browser for a test file. What a page reports as wrong
 * fails its test: errors on the console, uncaught errors, requests that fail, and violations of the policy.
 */
import axe from 'axe-core'
import { chromium } from 'playwright-core'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, expect, onTestFinished } from 'vitest'
import { CHROMIUM, isChromiumInstalled } from './chromium.ts'

export { isChromiumInstalled }

if (!isChromiumInstalled) {
  // There its absence would hide every test of the pages.
  if (process.env['CI']) throw new Error(`${CHROMIUM} is not installed: the tests of the pages cannot run`)
  console.warn('!! chromium is not installed: the tests of the pages are skipped')
}

/** Names for this machine that are not `localhost`. Nothing is drawn by a processor that is not there. Chromium's sandbox does not work for root. */
const ARGUMENTS = [
  '--host-resolver-rules=MAP *.test 127.0.0.1',
  '--disable-gpu',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
/** A browser says so of every page that is opened over plain http from another machine. */
const OVER_PLAIN_HTTP = 'Cross-Origin-Opener-Policy header has been ignored'
const VIOLATION = 'policy violation: '

let running: Promise<Browser> | undefined
const launched = (): Promise<Browser> =>
  (running ??= chromium.launch({ executablePath: CHROMIUM, args: ARGUMENTS, headless: true }))

/** Call at the top level of a test file: it registers the end of the browser. */
export function useBrowser(): void {
  afterAll(async () => {
    const browser = await running
    running = undefined
    await browser?.close()
  })
}

/** A person with storage and cookies of their own, until the end of the test. */
export async function newPerson(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await launched()).newContext(options)
  onTestFinished(async () => {
    // A handler of a test that is still asking would fail in the run, outside any test.
    await Promise.all(context.pages().map((page) => page.unrouteAll({ behavior: 'wait' })))
    await context.close()
  })
  // As text, because the functions of tests know no browser. Reports of the policy reach the console as errors.
  await context.addInitScript(
    `addEventListener('securitypolicyviolation', (event) => console.error(${JSON.stringify(VIOLATION)} + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample))`,
  )
  return context
}

export interface OpenPageOptions extends BrowserContextOptions {
  /** One more tab of this person. Default: a new person. */
  readonly of?: BrowserContext
  /** Reports that this test causes on purpose. */
  readonly expected?: RegExp
}

/**
 * Opens the address and waits until it has loaded. The test fails at its end if the page has reported anything.
 * @throws Error if nothing answers
 */
export async function openPage(url: string, { of, expected, ...options }: OpenPageOptions = {}): Promise<Page> {
  const page = await (of ?? (await newPerson(options))).newPage()
  const reports = reportsOf(page)
  reported.set(page, reports)
  // Runs before the context is closed, which would end requests.
  onTestFinished(() => {
    const unexpected = reports.filter((report) => !expected?.test(report))
    expect(unexpected, `reports of ${url}`).toEqual([])
  })
  await page.goto(url)
  return page
}

/** What axe finds in the page as it is now: the rule, and the elements that break it. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source)
  return page.evaluate<string[]>(
    `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(' ')))`,
  )
}

const reported = new WeakMap<Page, readonly string[]>()

/** What the page has reported so far. */
export const reportsBy = (page: Page): readonly string[] => reported.get(page)!

function reportsOf(page: Page): string[] {
  const reports: string[] = []
  page.on('console', (message) => {
    const isReport = message.type() === 'error' || message.type() === 'warning'
    if (isReport && !message.text().includes(OVER_PLAIN_HTTP)) reports.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => reports.push(`uncaught: ${error.message}`))
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText
    // A page that is left ends what it was still reading.
    if (why !== 'net::ERR_ABORTED') reports.push(`failed: ${request.method()} ${request.url()} ${why}`)
  })
  return reports
}
