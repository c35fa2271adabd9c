/** The panel in a browser: the first account, an invitation that is seen live, and every page as three kinds of people. */
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { provide } from '#kernel/lib/services'
import { gitProviders } from '#panel/git-providers/decider'
import { gitHubHost } from '#panel/git-providers/forges'
import { openPanel } from '../../../src/composition/panel.ts'
import { PANEL } from '../../../src/web/surfaces.ts'
import { accessibilityProblems, isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { noEngine, sleepTar } from '../../support/docker-engine.ts'
import { sweep, SWEEP_MS } from '../../support/page-sweep.ts'
import { FORGE_TOKEN } from '../../support/panel/forges/forge-server.ts'
import { gitHubDouble, giteaDouble, GITHUB_BASE } from '../../support/panel/forges/github-like.ts'
import { CLIENT_ID, gitHubSignIn } from '../../support/panel/forges/github-sign-in.ts'
import { OAUTH_CLIENT, oauthDouble } from '../../support/panel/forges/oauth.ts'
import { projectFixture } from '../../support/panel/project-fixture.ts'
import { realHost } from '../../support/panel/real-host.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { KEYBOARD, PEOPLE } from '../../support/person.ts'
import type { Person } from '../../support/person.ts'
import { scratchOfFile } from '../../support/scratch.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const [gitHub, gitHubPages] = [await gitHubDouble(), await gitHubSignIn(1)]
afterAll(() => Promise.all([gitHub.close(), gitHubPages.close()]))
const there = provide(gitHubHost, { web: gitHubPages.url, api: `${gitHub.url}${GITHUB_BASE}` })
const service = await startPanel({
  ...options,
  gitAllow: ['127.0.0.1'],
  open: (settings, log, wraps) => openPanel(settings, log, wraps, [there]),
})
const projects = projectFixture(service)
await service.licensed()
const admin = await service.somebody('SUPERADMIN')
const owner = await service.somebody()
const projectId = await projects.project(owner, 'Warehouse')
await projects.member(owner, projectId)
await service.call('POST', '/api/teams', { as: owner.as, body: { name: 'Night shift' } })
const { running, contact, grant } = serverFixture(service)
const serverId = await running(admin)
// STALE, so that no page waits for an answer of it. What a live agent answers comes from the other server.
await contact(serverId, new Date(Date.now() - 60_000), {
  cpuPercent: 12,
  memoryUsedBytes: 2 ** 31,
  diskUsedBytes: 2 ** 35,
})
await grant(admin, serverId, { userId: owner.id })
const login = { kind: 'EXTERNAL', name: 'Harbor', address: 'registry.test', username: 'ada', password: 'harbor' }
await service.call('POST', '/api/registries', { as: admin.as, body: login })
await service.call('POST', '/api/registries', { as: owner.as, body: { ...login, name: 'Dock', projectId } })
const forge = { kind: 'GENERIC', name: 'Forge', baseUrl: 'https://forge.example', token: 'a-token' }
await service.call('POST', '/api/git-providers', { as: owner.as, body: forge })
const shared = { ...forge, projectId, repositories: ['ada/shop'] }
await service.call('POST', '/api/git-providers', { as: owner.as, body: shared })
const host = noEngine === undefined ? await realHost(service, admin, scratchOfFile()) : undefined
afterAll(() => host?.stop())
if (host) {
  await host.engine.api('POST', '/images/create?fromSrc=-&repo=sleeping', sleepTar())
  const container = { Image: 'sleeping', Cmd: ['/bin/sleep', '600'], HostConfig: { NetworkMode: 'none' } }
  await host.engine.api('POST', '/containers/create?name=web', container)
  await host.engine.api('POST', '/networks/create', { Name: 'backend', Internal: true })
  await host.engine.api('POST', '/volumes/create', { Name: 'data' })
}
const looked = new Set<string>()
useBrowser()

async function signedIn(email: string, by?: Person): Promise<Page> {
  const page = await openPage(options.baseUrl)
  await signInOn(page, { email, password: PASSWORD }, by)
  return page
}

describe.runIf(isChromiumInstalled)('the panel in a browser', () => {
  test('shows a project to a new member within a second, and takes it away within a second', { retry: 2 }, async () => {
    const member = await service.somebody()
    const page = await signedIn(member.email)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const { body } = await projects.post(owner, `/${projectId}/members`, { userId: member.id })
    await page.getByRole('link', { name: 'Warehouse' }).first().waitFor({ timeout: 2_000 })
    await projects.remove(owner, `/${projectId}/members/${body.id}`)
    await expect.poll(() => page.getByRole('link', { name: 'Warehouse' }).count(), { timeout: 2_000 }).toBe(0)
  })

  test.each(PEOPLE)('a project is created by $name', async (by) => {
    const page = await signedIn((await service.somebody()).email, by)
    await by.press(page.getByRole('button', { name: 'New project' }).first())
    await by.write(page.getByRole('dialog').getByLabel('Name'), 'Bakery')
    await by.press(page.getByRole('dialog').getByRole('button', { name: 'New project' }))
    await page.getByText('Bakery').first().waitFor()
  })

  test('a provider is connected, and its repositories are found and read', async () => {
    const double = await giteaDouble()
    const page = await signedIn((await service.somebody()).email)
    await page.getByRole('link', { name: 'Git providers', exact: true }).click()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Connect Gitea' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Name').fill('Our Gitea')
    await form.getByLabel('Address').fill(double.url)
    await form.getByLabel('Token').fill(FORGE_TOKEN)
    await form.getByRole('button', { name: 'Connect Gitea' }).click()
    await page.getByRole('link', { name: 'Our Gitea' }).click()
    await page.getByText('ada/tool-10', { exact: true }).waitFor()
    await page.getByLabel('Search').fill('shop')
    await page.getByLabel('Search').press('Enter')
    await expect.poll(() => page.getByText('ada/tool-10', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Files' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'src' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'index.ts' }).click()
    await page.getByText('export {}').waitFor()
    await double.close()
  })

  test('a person signs in at GitHub with a code, and the page notices', async () => {
    const setting = '/api/admin/settings/gitHubClientId'
    await service.call('PATCH', setting, { as: admin.as, body: { value: CLIENT_ID } })
    gitHubPages.is('entered')
    const page = await signedIn((await service.somebody()).email)
    await page.getByRole('link', { name: 'Git providers', exact: true }).click()
    await page.getByRole('button', { name: 'Sign in at GitHub' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in at GitHub' }).click()
    await page.getByText('WDJB-MJHT').waitFor()
    await page.getByText('Authorized').waitFor({ timeout: 10_000 })
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('link', { name: 'GitHub' }).waitFor()
    await service.call('PATCH', setting, { as: admin.as, body: { value: '' } })
  })

  test('a person signs in at a GitLab of their own, and again when it refuses to renew', async () => {
    const forge = await oauthDouble('GITLAB')
    const callback = `${options.baseUrl}/api/git-providers/oauth/selfhosted-git/callback`
    const ada = await service.somebody()
    const page = await signedIn(ada.email)
    let isAllowed = false
    await page.route(`${forge.url}/oauth/authorize?*`, (route) => {
      const back = forge.allow(route.request().url())
      const said = isAllowed ? back : new URLSearchParams({ error: 'access_denied', state: back.get('state')! })
      return route.fulfill({ status: 302, headers: { location: `${callback}?${said.toString()}` } })
    })
    const providers = async () => (await service.call('GET', '/api/git-providers', { as: ada.as })).body
    const form = page.getByRole('dialog')
    const isClient = async () => {
      await form.getByLabel('Application ID').fill(OAUTH_CLIENT.clientId)
      await form.getByLabel('Secret of the application').fill(OAUTH_CLIENT.clientSecret)
    }
    await page.getByRole('link', { name: 'Git providers', exact: true }).click()
    for (const word of ['The sign-in did not work', 'The provider is connected.']) {
      await page.getByRole('button', { name: 'Sign in at GitLab' }).click()
      await form.getByLabel('Address').fill(forge.url)
      await isClient()
      await form.getByRole('button', { name: 'Sign in at GitLab' }).click()
      await page.getByText(word).waitFor()
      isAllowed = true
    }
    const [{ id }] = await providers()
    await service.run(async (unit) => {
      const { grant } = (await unit.load(gitProviders, id))!
      return unit.decide(gitProviders, id, 'Refuse', { used: grant!.refreshToken })
    })
    const row = page.getByRole('row', { name: 'GitLab' })
    await row.getByText('Refused: its owner connects it again').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await service.settle()
    await page.getByRole('link', { name: 'Inbox' }).click()
    await page.getByRole('link', { name: 'A git provider of yours refuses' }).click()
    await row.getByRole('button', { name: 'Connect again' }).click()
    await form.getByText('as ada, as before').waitFor()
    await isClient()
    await form.getByRole('button', { name: 'Connect again' }).click()
    await row.getByText('Checked').waitFor()
    await page.getByText('The provider is connected.').waitFor()
    expect(await providers()).toMatchObject([{ id, status: 'CHECKED' }])
    await forge.close()
  })

  test('the focus skips the navigation, goes to the heading of a page, stays in a dialog, and comes back', async () => {
    const page = await signedIn(owner.email, KEYBOARD)
    const focused = (what: string) => page.locator(`${what}:focus, ${what} :focus`).count()
    await KEYBOARD.press(page.getByRole('link', { name: 'Skip to the page' }))
    expect(await focused('main')).toBe(1)
    await page.keyboard.press('Tab')
    expect(await focused('nav[aria-label=Pages]'), 'the next stop is on the page').toBe(0)
    await KEYBOARD.press(page.getByRole('link', { name: 'Teams', exact: true }))
    await page.locator('h1:focus', { hasText: 'Teams' }).waitFor()
    await KEYBOARD.press(page.getByRole('button', { name: 'New team' }))
    await page.getByRole('dialog').locator(':focus').waitFor()
    for (const key of ['Tab', 'Shift+Tab'])
      for (let presses = 0; presses < 8; presses += 1) {
        await page.keyboard.press(key)
        await expect.poll(() => focused('[role=dialog]'), { message: `after ${key} ${presses + 1} times` }).toBe(1)
      }
    await page.keyboard.press('Escape')
    await page.locator('button:focus', { hasText: 'New team' }).waitFor()
  })

  test.each([
    [
      'a SUPERADMIN',
      () => admin.email,
      ['/admin/people/:id', '/admin/audit', '/admin/capacity', '/admin/registries', '/servers/:id/access'],
    ],
    [
      'an owner of a project',
      () => owner.email,
      [
        '/projects/:id',
        '/teams/:id',
        '/servers/:id',
        '/projects/:id/registries',
        '/git-providers',
        '/projects/:id/git-providers',
      ],
    ],
  ] as const)(
    'every page holds for %s',
    async (_who, email, pages) => {
      const { seen, problems } = await sweep(await signedIn(email()), PANEL, looked)
      expect(problems).toEqual([])
      expect(seen).toEqual(expect.arrayContaining([...pages]))
    },
    SWEEP_MS,
  )
})
