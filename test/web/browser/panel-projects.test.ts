/** The panel in a browser: from the printed link to an invited member, mailed links, and every page of a project. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setupToken } from '#panel/access/setup-token'
import { PANEL } from '../../../src/web/surfaces.ts'
import { isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { sweep, SWEEP_MS } from '../../support/page-sweep.ts'
import { deployingHost } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { containerUse, talkingContainers } from '../../support/panel/talking-containers.ts'
import { PEOPLE } from '../../support/person.ts'
import { signInOn } from '../../support/sign-in.ts'

async function panelWithPages() {
  const options = await withPages()
  return { panel: await startPanel(options), origin: options.baseUrl }
}

const { panel, origin } = await panelWithPages()
const { post, put, project, member, environment } = projectFixture(panel)
const servers = serverFixture(panel)
/** Each has a first account once. */
const fresh = { pointer: { panel, origin }, keyboard: await panelWithPages() }
const looked = new Set<string>()
useBrowser()

const FIRST = { email: 'ada@panel.test', password: 'violet-harbor-anchor-57-mosaic' }

describe.runIf(isChromiumInstalled).each(PEOPLE)('by $name, the panel', (by) => {
  test('the printed link leads to the first account, and on to the first project', async () => {
    const { panel: unused, origin: address } = fresh[by.name]
    const token = (await setupToken(unused.panel))!
    const page = await openPage(`${address}/setup#token=${token}`)
    await by.write(page.getByLabel('E-mail address'), FIRST.email)
    await by.write(page.getByLabel('Password'), FIRST.password)
    expect(page.url(), 'the secret has left the address bar').not.toContain(token)
    await by.press(page.getByRole('button', { name: 'Create the account' }))
    await page.getByRole('heading', { name: 'License' }).waitFor()
    await by.press(page.getByRole('button', { name: 'Continue' }))
    await page.getByRole('heading', { name: 'Mail server' }).waitFor()
    await by.press(page.getByRole('button', { name: 'Later' }))
    await by.write(page.getByLabel('Name'), 'Harbor')
    await by.press(page.getByRole('button', { name: 'Create the project' }))
    await page.getByRole('heading', { level: 1, name: 'Harbor' }).waitFor()
  })

  test('a member sees the project until the membership is taken', async () => {
    await panel.licensed()
    const owner = await panel.somebody()
    const id = await project(owner, 'Quay')
    const viewer = await member(owner, id)
    const page = await openPage(`${origin}/projects/${id}`, { expected: /404/ })
    await signInOn(page, { email: viewer.email, password: PASSWORD }, by)
    await page.getByRole('heading', { level: 1, name: 'Quay' }).waitFor()
    await by.press(page.getByRole('link', { name: 'Members' }))
    await page.getByText(owner.email).waitFor()
    expect(await page.getByRole('button', { name: 'Add a member' }).count()).toBe(0)
    ok(await panel.call('DELETE', `/api/projects/${id}/members/${viewer.memberId}`, { as: owner.as }), 204)
    await page.getByText('your access to it was taken').waitFor({ timeout: 5_000 })
  })

  test('a manager adds a member and gives permissions by the pages', async () => {
    const owner = await panel.somebody()
    const id = await project(owner, 'Pier')
    const viewer = await panel.somebody()
    const page = await openPage(`${origin}/projects/${id}/members`)
    await signInOn(page, { email: owner.email, password: PASSWORD }, by)
    await by.press(page.getByRole('button', { name: 'Add a member' }))
    await by.write(page.getByLabel('E-mail address'), viewer.email)
    await by.choose(page.getByLabel('Role'), 'DEVELOPER')
    await by.press(page.getByRole('dialog').getByRole('button', { name: 'Add a member' }))
    await by.press(page.getByRole('row').filter({ hasText: viewer.email }).getByRole('link'))
    const current = page.locator('nav a[aria-current=page]')
    const places = expect.poll(() => current.allTextContents(), {
      message: 'of the pages, and of the parts of the project',
    })
    await places.toEqual(['Projects', 'Members'])
    await by.press(page.getByRole('button', { name: 'Change the permissions' }))
    const dialog = page.getByRole('dialog', { name: 'Change the permissions' })
    await by.tick(dialog.getByRole('group', { name: 'Apps' }).getByLabel('logs'))
    await by.press(dialog.getByRole('button', { name: 'Change the permissions' }))
    await dialog.waitFor({ state: 'detached' })
    const [added] = ok(await panel.call('GET', `/api/projects/${id}/members`, { as: owner.as }))
    const held = await panel.call('GET', `/api/projects/${id}/members/${added.id}/grants`, { as: owner.as })
    expect(ok(held)).toMatchObject({ role: 'DEVELOPER', permissions: ['apps:logs'] })
  })

  test('a project is deleted after its name is typed', async () => {
    const owner = await panel.somebody()
    const id = await project(owner, 'Jetty')
    const page = await openPage(`${origin}/projects/${id}/danger`, { expected: /404/ })
    await signInOn(page, { email: owner.email, password: PASSWORD }, by)
    await by.press(page.getByRole('button', { name: 'Delete the project' }))
    const dialog = page.getByRole('dialog')
    await by.write(dialog.getByLabel('to confirm'), 'Jett')
    await by.press(dialog.getByRole('button', { name: 'Delete the project' }))
    expect((await panel.call('GET', `/api/projects/${id}`, { as: owner.as })).status).toBe(200)
    await by.write(dialog.getByLabel('to confirm'), 'Jetty')
    await by.press(dialog.getByRole('button', { name: 'Delete the project' }))
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    expect((await panel.call('GET', `/api/projects/${id}`, { as: owner.as })).status).toBe(404)
  })
})

describe.runIf(isChromiumInstalled)('the panel in a browser', () => {
  let host: Awaited<ReturnType<typeof deployingHost>>
  // Not before the first account of the panel.
  beforeAll(async () => {
    const containers = talkingContainers()
    host = await deployingHost(panel, { servers, owner: await panel.somebody('SUPERADMIN'), containers })
    containers.say(['It listens', `GET /${'long/'.repeat(60)}`])
    containers.say(['It fails'], { of: 'ERR', service: 'web', container: 'b'.repeat(12) })
    containers.use(containerUse())
  })
  afterAll(() => host.stop())

  test.each(['OWNER', 'VIEWER'])(
    'every page holds for the %s of a project',
    async (role) => {
      const owner = await panel.somebody()
      const id = await project(owner, 'Dock')
      const staging = await environment(owner, id, 'staging')
      await environment(owner, id, 'trial')
      ok(await post(owner, `/${id}/roles`, { name: 'Deployers', permissions: ['apps:view', 'apps:deploy'] }), 201)
      ok(await put(owner, `/${id}/shared-env`, { variables: [{ name: 'URL', value: 'https://dock.test/' }] }))
      const viewer = await member(owner, id, { role: 'VIEWER', environmentIds: [staging] })
      const place = { projectId: id, environmentId: staging, serverId: host.serverId }
      const source = { kind: 'GIT', url: 'https://forge.test/dock/shop.git', branch: 'main' }
      const shop = { ...place, name: 'Shop', source }
      const made = ok(await panel.call('POST', '/api/applications', { as: owner.as, body: shop }), 201)
      const nightly = { applicationId: made.id, cron: '0 3 * * *' }
      ok(await panel.call('POST', '/api/scheduled-deploys', { as: owner.as, body: nightly }), 201)
      const asked = ok(await panel.call('POST', `/api/applications/${made.id}/redeploy`, { as: owner.as }), 202)
      const cancel = `/api/applications/${made.id}/deployments/${asked.id}/cancel`
      ok(await panel.call('POST', cancel, { as: owner.as }), 202)
      const sets = `/api/applications/${made.id}/env-sets`
      ok(await panel.call('POST', sets, { as: owner.as, body: { name: 'trial' } }), 201)
      const team = { name: 'Crew', colour: '#24479a' }
      ok(await panel.call('POST', '/api/teams', { as: owner.as, body: team }), 201)
      await panel.panel.projector.catchUp()
      const page = await openPage(origin)
      await signInOn(page, { email: role === 'OWNER' ? owner.email : viewer.email, password: PASSWORD })
      const { seen, problems } = await sweep(page, PANEL, looked)
      expect(problems).toEqual([])
      expect(seen).toEqual(
        expect.arrayContaining(['/projects/:id', '/projects/:id/variables', '/applications/:id', '/teams', '/inbox']),
      )
      expect(seen).toEqual(
        expect.arrayContaining(['/applications/:id/deployments/:depId', '/applications/:id/schedules']),
      )
      expect(seen).toEqual(expect.arrayContaining(['/applications/:id/containers', '/projects/:id/usage']))
      const ofOwner = ['logs', 'command'].map((part) => `/applications/:id/${part}`)
      expect(ofOwner.filter((path) => seen.includes(path))).toEqual(role === 'OWNER' ? ofOwner : [])
      expect(seen.includes('/projects/:id/environments/promote')).toBe(role === 'OWNER')
    },
    SWEEP_MS,
  )
})
