/** What a person has typed is not lost, and what was sent is not done twice. */
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isChromiumInstalled, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { openSignedIn } from '../../support/sign-in.ts'

const options = await withPages()
const service = await startPanel(options)
await service.licensed()
const owner = await service.somebody()
useBrowser()

async function signedIn(path: string, expected?: RegExp): Promise<Page> {
  const person = { email: owner.email, password: PASSWORD }
  const page = await openSignedIn(`${options.baseUrl}${path}`, { realm: 'user', ...person, expected })
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page
}

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard what you typed?' })
const newProject = (page: Page) => page.getByRole('dialog', { name: 'New project' })
async function openNewProject(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'New project' }).first().click()
  await newProject(page).getByLabel('Name').fill(name)
}
const send = (page: Page) => newProject(page).getByRole('button', { name: 'New project' }).click()
const namesOfProjects = async () =>
  (await service.call('GET', '/api/projects', { as: owner.as })).body.map(({ name }: { name: string }) => name)

/** Lets `first` answer the first request to create a project. The test's own calls know which answers are repeated ones. */
async function keysOfProjects(page: Page, first: (route: Route) => Promise<void>): Promise<(string | undefined)[]> {
  const keys: (string | undefined)[] = []
  await page.route('**/api/projects', async (route) => {
    const request = route.request()
    if (request.method() !== 'POST') return route.continue()
    const key = request.headers()['idempotency-key']!
    keys.push(key)
    if (keys.length === 1) return first(route)
    const headers = { 'Idempotency-Key': key }
    const { status, body } = await service.call('POST', '/api/projects', {
      as: owner.as,
      headers,
      body: request.postDataJSON(),
    })
    return route.fulfill({ status, json: body })
  })
  return keys
}

describe.runIf(isChromiumInstalled)('what was typed', () => {
  test('stays in a dialog until the person discards it', async () => {
    const page = await signedIn('/')
    await openNewProject(page, 'Half a name')
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Keep it' }).click()
    expect(await newProject(page).getByLabel('Name').inputValue()).toBe('Half a name')
    await page.mouse.click(4, 4)
    await question(page).getByRole('button', { name: 'Discard it' }).click()
    await newProject(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New project' }).first().click()
    await newProject(page).getByLabel('Name').focus()
    await page.keyboard.press('Escape')
    await newProject(page).waitFor({ state: 'detached' })
    expect(await question(page).count()).toBe(0)
  })

  test('keeps the page when the browser leads back', async () => {
    const page = await signedIn('/inbox')
    await page.getByRole('link', { name: 'Projects', exact: true }).first().click()
    await openNewProject(page, 'Half a name')
    const goBack = () => page.evaluate('history.back()')
    await goBack()
    await question(page).getByRole('button', { name: 'Keep it' }).click()
    expect(await newProject(page).getByLabel('Name').inputValue()).toBe('Half a name')
    await goBack()
    await question(page).getByRole('button', { name: 'Discard it' }).click()
    await page.waitForURL('**/inbox')
  })
})

describe.runIf(isChromiumInstalled)('what was sent', () => {
  test('is done once when its answer was lost, although the dialog was closed in between', async () => {
    const page = await signedIn('/', /ERR_FAILED/)
    const keys = await keysOfProjects(page, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await openNewProject(page, 'Lost answer')
    await send(page)
    await newProject(page).getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Discard it' }).click()
    await openNewProject(page, 'Lost answer')
    await send(page)
    await newProject(page).waitFor({ state: 'detached' })
    expect(keys).toEqual([expect.any(String), keys[0]])
    expect((await namesOfProjects()).filter((name: string) => name === 'Lost answer')).toHaveLength(1)
  })

  test('is sent again by itself when the service is busy for a moment', async () => {
    const page = await signedIn('/', /503/)
    const keys = await keysOfProjects(page, (route) => refuse(route, 503, 1))
    await openNewProject(page, 'Busy moment')
    await send(page)
    await newProject(page).waitFor({ state: 'detached' })
    expect(keys).toEqual([expect.any(String), keys[0]])
    expect(await namesOfProjects()).toContain('Busy moment')
  })

  test('waits with a countdown when there were too many requests, and then for the person', async () => {
    const page = await signedIn('/', /429/)
    const keys = await keysOfProjects(page, (route) => refuse(route, 429, 2))
    await openNewProject(page, 'Too many')
    await send(page)
    await newProject(page).getByText('You can try again in 2 seconds.').waitFor()
    await newProject(page).getByText('You can try again now.').waitFor()
    expect(keys).toHaveLength(1)
    await send(page)
    await newProject(page).waitFor({ state: 'detached' })
    expect(keys).toEqual([expect.any(String), keys[0]])
  })

  test('is told to wait while the machine is offline', async () => {
    const page = await signedIn('/', /ERR_INTERNET_DISCONNECTED/)
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.context().setOffline(false)
    await page.getByText('You are offline.').waitFor({ state: 'detached' })
  })
})

const refuse = (route: Route, status: number, seconds: number): Promise<void> =>
  route.fulfill({
    status,
    headers: { 'Retry-After': String(seconds) },
    json: { statusCode: status, message: 'Not now' },
  })
