/** Applications in a browser: from an empty project to an application with variables and sets, and its end. */
import { describe, expect, test } from 'vitest'
import { accessibilityProblems, isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { PEOPLE } from '../../support/person.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const panel = await startPanel(options)
const { project, environment, member } = projectFixture(panel)
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
await serverFixture(panel).running(root, { name: 'East' })
useBrowser()

describe.runIf(isChromiumInstalled)('applications in a browser', () => {
  test.each(PEOPLE)('by $name, an application is created, changed, given variables and deleted', async (by) => {
    const owner = await panel.somebody()
    const id = await project(owner, 'Harbor')
    const page = await openPage(`${options.baseUrl}/projects/${id}/applications`, { expected: /40[04]|503/ })
    await signInOn(page, { email: owner.email, password: PASSWORD }, by)
    await page.getByText('the project has none').waitFor()
    await environment(owner, id, 'live')
    await by.press(page.getByRole('button', { name: 'New application' }))
    const dialog = page.getByRole('dialog')
    await by.write(dialog.getByLabel('Name'), 'Shop')
    await by.choose(dialog.getByLabel('Server'), 'East')
    await by.write(dialog.getByLabel('Image'), 'Not an image')
    await by.press(dialog.getByRole('button', { name: 'New application' }))
    await dialog.getByText('must name an image').waitFor()
    await by.write(dialog.getByLabel('Image'), 'ghcr.io/team/shop:1.2')
    await by.write(dialog.getByLabel('Port of HTTP'), '8080')
    await by.press(dialog.getByLabel('Deploy it at once'))
    await by.press(dialog.getByRole('button', { name: 'New application' }))
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
    await page.getByText('it answers at a path: /').waitFor()

    await by.press(page.getByRole('link', { name: 'Containers', exact: true }))
    await by.press(page.getByRole('button', { name: 'Scale' }))
    await by.write(dialog.getByLabel('Containers side by side'), '2')
    await by.press(dialog.getByRole('button', { name: 'Scale' }))
    await page.getByText('2 of at most').waitFor()
    await by.press(page.getByRole('link', { name: 'Overview' }))
    await page.getByText('1024 MiB').waitFor()
    await by.press(page.getByRole('button', { name: 'Change' }))
    await by.choose(dialog.getByLabel('Health check'), 'it takes connections at its port')
    await by.press(dialog.getByRole('button', { name: 'Change' }))
    await page.getByText('it takes connections at its port').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])

    await by.press(page.getByRole('link', { name: 'Variables', exact: true }))
    await by.press(page.getByRole('button', { name: 'Set a variable' }))
    await by.write(dialog.getByLabel('Name'), 'TOKEN')
    await by.write(dialog.getByLabel('Value', { exact: true }), 'a secret value')
    await by.tick(dialog.getByLabel('Secret'))
    await by.press(dialog.getByRole('button', { name: 'Set a variable' }))
    const row = page.getByRole('row', { name: 'TOKEN' })
    await row.getByText('••••••••').waitFor()
    await by.press(row.getByRole('button', { name: 'Change' }))
    await by.choose(dialog.getByLabel('For'), 'both')
    await by.press(dialog.getByRole('button', { name: 'Change' }))
    await row.getByText('both').waitFor()

    await by.press(page.getByRole('link', { name: 'Sets of variables' }))
    await by.press(page.getByRole('button', { name: 'New set' }))
    await by.write(dialog.getByLabel('Name'), 'trial')
    await by.press(dialog.getByRole('button', { name: 'New set' }))
    const set = page.getByRole('row', { name: 'trial' })
    await by.press(set.getByRole('button', { name: 'Activate' }))
    await by.press(dialog.getByRole('button', { name: 'Activate' }))
    await set.getByText('yes').waitFor()
    expect(await set.getByRole('button', { name: 'Delete' }).count(), 'the active set stays').toBe(0)

    await by.press(page.getByRole('link', { name: 'Overview' }))
    await by.press(page.getByRole('button', { name: 'Delete' }))
    await by.write(page.getByLabel('to confirm'), 'Shop')
    await by.press(dialog.getByRole('button', { name: 'Delete' }))
    await page.getByText('This application is gone').waitFor({ timeout: 5_000 })
    const { body } = await panel.call('GET', `/api/applications?projectId=${id}`, { as: owner.as })
    expect(body).toEqual([])
  })

  test.each(PEOPLE)('by $name, an application is copied and moved, and a project is copied', async (by) => {
    const owner = await panel.somebody()
    const [id, otherId] = [await project(owner, 'Harbor'), await project(owner, 'Haven')]
    const [environmentId, quay] = [await environment(owner, id, 'live'), await environment(owner, otherId, 'quay')]
    const [{ id: serverId }] = ok(await panel.call('GET', '/api/servers/mine', { as: owner.as }))
    const values = { projectId: id, environmentId, serverId, name: 'Till', source: { kind: 'IMAGE', image: 'till:1' } }
    const made = ok(await panel.call('POST', '/api/applications', { as: owner.as, body: values }), 201)
    const page = await openPage(`${options.baseUrl}/applications/${made.id}`)
    await signInOn(page, { email: owner.email, password: PASSWORD }, by)
    const dialog = page.getByRole('dialog')
    const begin = async (label: string) => {
      await by.press(page.getByRole('button', { name: 'More' }).last())
      await page.getByRole('menuitem', { name: label }).click()
    }
    await begin('Duplicate')
    await by.write(dialog.getByLabel('Name'), 'Second till')
    expect(await accessibilityProblems(page)).toEqual([])
    await by.press(dialog.getByRole('button', { name: 'Duplicate' }))
    await page.getByRole('heading', { level: 1, name: 'Second till' }).waitFor()
    await begin('Move to another project')
    await by.choose(dialog.getByLabel('Project'), 'Haven')
    await by.choose(dialog.getByLabel('Environment'), 'quay')
    await by.press(dialog.getByRole('button', { name: 'Move to another project' }))
    await page.getByRole('link', { name: 'quay' }).waitFor()
    const there = ok(await panel.call('GET', `/api/applications?projectId=${otherId}`, { as: owner.as }))
    expect(there).toMatchObject([{ name: 'Second till', environmentId: quay }])

    await page.goto(`${options.baseUrl}/projects/${otherId}`)
    await by.press(page.getByRole('button', { name: 'Duplicate' }))
    await by.write(dialog.getByLabel('Name'), 'Haven again')
    await by.press(dialog.getByRole('button', { name: 'Duplicate' }))
    await page.getByRole('heading', { level: 1, name: 'Haven again' }).waitFor()
  })

  test('a viewer sees an application, and neither its variables nor what changes it', async () => {
    const owner = await panel.somebody()
    const id = await project(owner, 'Quay')
    const environmentId = await environment(owner, id, 'live')
    const [{ id: serverId }] = ok(await panel.call('GET', '/api/servers/mine', { as: owner.as }))
    const source = { kind: 'IMAGE', image: 'shop:1' }
    const values = { projectId: id, environmentId, serverId, name: 'Till', source }
    const made = ok(await panel.call('POST', '/api/applications', { as: owner.as, body: values }), 201)
    const viewer = await member(owner, id, { role: 'VIEWER' })
    const page = await openPage(`${options.baseUrl}/applications`)
    await signInOn(page, { email: viewer.email, password: PASSWORD })
    await page.getByRole('link', { name: 'Till' }).click()
    await page.getByRole('heading', { level: 1, name: 'Till' }).waitFor()
    await page.getByText('shop:1').waitFor()
    expect(await page.getByRole('button', { name: 'Change' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Variables', exact: true }).count()).toBe(0)
    await page.goto(`${options.baseUrl}/applications/${made.id}/variables`)
    await page.getByText('Your role in this environment does not include this').waitFor()
  })
})
