/**
 * How many times a page waits for answers before it shows something, however fast the machine is: requests are held until the page asks
 * for nothing more, and are then answered together.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Locator, Page, Route } from 'playwright-core'

const QUIET_MS = 250
/** After the answers. What is shown when they are there asks for more, which it does not wait for. */
const SHOWN_WITHIN_MS = 1_500

/**
 * @param open begins to load the page
 * @returns the paths of each round
 */
export async function roundsUntil(page: Page, shown: Locator, open: () => Promise<unknown>): Promise<string[][]> {
  const held: Route[] = []
  const rounds: string[][] = []
  // The icon of the tab is not waited for.
  await page.route(/(?<!\.svg)$/, (route) => void held.push(route))
  const opened = open()
  let isShown = false
  const shows = shown.waitFor().then(() => (isShown = true))
  while (!isShown) {
    const round = await whole(held)
    rounds.push(round.map((route) => new URL(route.request().url()).pathname))
    await Promise.all(round.map((route) => route.continue()))
    await Promise.race([shows, answered(round).then(() => pause(SHOWN_WITHIN_MS))])
  }
  await shows
  await Promise.all(held.splice(0).map((route) => route.continue()))
  // It lets go what has come since.
  await page.unrouteAll()
  await opened
  return rounds.filter((round) => round.length > 0)
}

/** But for feeds, which stay open. */
async function answered(round: readonly Route[]): Promise<void> {
  const requests = round.map((route) => route.request()).filter((request) => !request.url().endsWith('/stream'))
  await Promise.all(requests.map(async (request) => (await request.response())?.finished()))
}

async function whole(held: Route[]): Promise<Route[]> {
  for (let count = -1; count !== held.length;) {
    count = held.length
    await pause(QUIET_MS)
  }
  return held.splice(0)
}
