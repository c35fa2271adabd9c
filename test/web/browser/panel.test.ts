/** The panel in a browser: the first account, an invitation that is seen live, and every page as three kinds of people. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { PANEL } from '../../../src/web/surfaces.ts'
import { isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { sweep } from '../../support/page-sweep.ts'
import { projectFixture } from '../../support/panel/project-fixture.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const service = await startPanel(options)
const projects = projectFixture(service)
await service.licensed()
const admin = await service.somebody('SUPERADMIN')
const owner = await service.somebody()
const projectId = await projects.project(owner, 'Warehouse')
await projects.member(owner, projectId)
await service.call('POST', '/api/teams', { as: owner.as, body: { name: 'Night shift' } })
const looked = new Set<string>()
useBrowser()

async function signedIn(email: string, path = '/', expected?: RegExp): Promise<Page> {
  const page = await openPage(`${options.baseUrl}${path}`, expected && { expected })
  await signInOn(page, { email, password: PASSWORD })
  return page
}

describe.runIf(isChromiumInstalled)('the panel in a browser', () => {
  test('shows a project to a new member within a second, and takes it away within a second', async () => {
    const member = await service.somebody()
    const page = await signedIn(member.email)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const { body } = await projects.post(owner, `/${projectId}/members`, { userId: member.id })
    await page.getByRole('link', { name: 'Warehouse' }).first().waitFor({ timeout: 2_000 })
    await projects.remove(owner, `/${projectId}/members/${body.id}`)
    await expect.poll(() => page.getByRole('link', { name: 'Warehouse' }).count(), { timeout: 2_000 }).toBe(0)
  })

  test('creates a project on a page', async () => {
    const page = await signedIn((await service.somebody()).email)
    await page.getByRole('button', { name: 'New project' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Bakery')
    await page.getByRole('dialog').getByRole('button', { name: 'New project' }).click()
    await page.getByText('Bakery').first().waitFor()
  })

  test.each([
    ['a SUPERADMIN', () => admin.email, ['/admin/people/:id', '/admin/audit', '/admin/license']],
    ['an owner of a project', () => owner.email, ['/projects/:id', '/teams/:id']],
  ] as const)('every page holds for %s', async (_who, email, pages) => {
    const { seen, problems } = await sweep(await signedIn(email()), PANEL, looked)
    expect(problems).toEqual([])
    expect(seen).toEqual(expect.arrayContaining([...pages]))
  })
})
