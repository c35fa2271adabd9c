/** What runs, in a browser: its log, its use, commands in it, its size, its copies, and its way to another environment. */
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { deployedShop } from '../../support/panel/deployed-shop.ts'
import { deployingHost } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { containerUse, talkingContainers } from '../../support/panel/talking-containers.ts'
import { PEOPLE } from '../../support/person.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const panel = await startPanel(options)
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [servers, containers, floor] = [serverFixture(panel), talkingContainers(), projectFixture(panel)]
const host = await deployingHost(panel, { servers, owner: root, containers })
/** What follows from a click follows while the page waits, as a worker would do it. */
const worker = setInterval(() => void (busy ??= panel.settle().finally(() => (busy = undefined))), 50)
let busy: Promise<unknown> | undefined
afterAll(async () => {
  clearInterval(worker)
  await busy
  await host.stop()
})
useBrowser()

const owner = await panel.somebody()
const { add, deploy, send, projectId } = await deployedShop(panel, owner, { floor, host })
const longest = 10_000

async function opened(path: string, who = owner): Promise<Page> {
  const page = await openPage(`${options.baseUrl}${path}`, { expected: /40[0349]|50[03]/ })
  await signInOn(page, { email: who.email, password: PASSWORD })
  return page
}

describe.runIf(isChromiumInstalled)('what runs, in a browser', () => {
  test.each(PEOPLE)(
    'by $name, one form brings an application to run, and what is refused is mended in it',
    async (by) => {
      const page = await openPage(`${options.baseUrl}/projects/${projectId}/applications`, { expected: /400/ })
      await signInOn(page, { email: owner.email, password: PASSWORD }, by)
      const dialog = page.getByRole('dialog')
      await by.press(page.getByRole('button', { name: 'New application' }))
      await by.write(dialog.getByLabel('Name', { exact: true }), `Shop by ${by.name}`)
      await by.write(dialog.getByLabel('Image'), 'ghcr.io/team/shop:1.2')
      await by.write(dialog.getByLabel('Variables'), 'DAYBOOK_COLOUR=red')
      await by.press(dialog.getByRole('button', { name: 'New application' }))
      await dialog.getByText('does not run yet').waitFor()
      await by.write(dialog.getByLabel('Variables'), 'COLOUR=red')
      await by.press(dialog.getByRole('button', { name: 'Try again' }))
      await page.getByText('It has succeeded').waitFor({ timeout: longest })
      const [start] = host.done.filter(({ kind }) => kind === 'release.start').slice(-1)
      expect(start!.secrets.env).toContainEqual({ service: 'app', name: 'COLOUR', value: 'red' })
    },
  )

  test('a log is followed, paused without a loss, narrowed, searched, and kept of what is gone', async () => {
    const app = await add()
    const first = await deploy(app.id)
    const last = await deploy(app.id)
    containers.say(['starts', '\u001B[31mred\u001B[0m and plain'])
    const page = await opened(`/applications/${app.id}/logs`)
    const log = page.getByRole('log')
    await log.getByText('red and plain').waitFor({ timeout: longest })
    expect(await log.innerText()).not.toContain('[31m')
    await page.getByText(/Followed$/).waitFor()
    containers.say(['asked for /', 'from the web'], { service: 'web', container: 'b'.repeat(12) })
    await log.getByText('web.1 from the web').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])

    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText('Paused').waitFor()
    containers.say(['said meanwhile', 'and this'])
    await page.waitForTimeout(300)
    expect(await log.getByText('said meanwhile').count()).toBe(0)
    await page.getByRole('button', { name: 'Go on' }).click()
    await log.getByText('and this').waitFor()
    const texts = (await log.innerText()).split('\n')
    expect(texts.filter((text) => text.includes('said meanwhile'))).toHaveLength(1)
    expect(texts.filter((text) => text.includes('starts'))).toHaveLength(1)

    await page.getByRole('button', { name: 'Pause' }).click()
    containers.forget('b'.repeat(12))
    await page.getByRole('button', { name: 'Go on' }).click()
    await log.getByText('a container is gone').waitFor()

    await page.getByLabel('Find in these lines').fill('MEANWHILE')
    await page.getByText('1 of 6 lines').waitFor()
    expect(await log.getByText('starts').count()).toBe(0)
    await page.getByLabel('Find in these lines').fill('')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as a file' }).click()
    expect((await saved).suggestedFilename()).toBe(`${app.slug}.log`)

    await page.goto(`${options.baseUrl}/applications/${app.id}/deployments/${first.id}`)
    await page.getByRole('link', { name: 'Log of its containers' }).click()
    await log.getByText('release.retire begins').waitFor({ timeout: longest })
    expect(await log.getByText('starts').count()).toBe(0)
    expect(page.url()).toContain(first.id)
    await page.getByLabel('Deployment').selectOption(last.id)
    await log.getByText('release.start begins').waitFor({ timeout: longest })
  })

  test('a command is run as its words say, and what refuses it is told', async () => {
    const { id } = await add()
    const page = await opened(`/applications/${id}/command`)
    await page.getByLabel('Command', { exact: true }).fill('sh -c "echo hello"')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('No container runs that the command could be run in').waitFor({ timeout: longest })
    let asked: any
    containers.answer(async (secrets, work) => {
      asked = secrets
      await work.write('OUT', JSON.stringify('hello\n'))
      await work.write('ERR', JSON.stringify('and a warning\n'))
      return { exitCode: 3, timedOut: false, truncated: true, ms: 12 }
    })
    await page.getByLabel('Input').fill('given')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Exit code 3 after 12 ms').waitFor({ timeout: longest })
    await page.getByRole('region', { name: 'Standard output' }).getByText('hello').waitFor()
    await page.getByRole('region', { name: 'Error output' }).getByText('and a warning').waitFor()
    await page.getByText('cut at 256 KiB').waitFor()
    expect(asked).toMatchObject({ command: ['sh', '-c', 'echo hello'], stdin: 'given' })
    expect(await accessibilityProblems(page)).toEqual([])
    containers.answer(() => ({ exitCode: null, timedOut: true, truncated: false, ms: 10_000 }))
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText('Its time was over, and it was ended after 10.0 s').waitFor({ timeout: longest })
  })

  test('containers are measured, said to be stale, scaled, and made anew by a restart', async () => {
    const { id } = await add()
    await deploy(id)
    const page = await opened(`/applications/${id}/containers`)
    await page.getByText('No container runs').waitFor()
    containers.use(containerUse(), containerUse({ replica: 2 }))
    const row = page.getByRole('row', { name: 'app.2' })
    await row.getByText('8 MiB of 16 MiB').waitFor({ timeout: longest })
    await row.getByText('12.3 %').waitFor()
    // As when the person comes back to the page: it measures at once.
    const measured = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    containers.mute(true)
    await expect.poll(() => measured().then(() => row.getByText('Stale').count()), { timeout: longest }).toBe(1)
    await page.getByText('These figures are of').waitFor()
    containers.mute(false)
    await expect.poll(() => measured().then(() => row.getByText('Stale').count()), { timeout: longest }).toBe(0)

    await page.getByText('Names within the environment lead to new containers').waitFor()
    await page.getByRole('button', { name: 'Scale' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Free on its server').waitFor()
    await dialog.getByLabel('Containers side by side').fill('2')
    await dialog.getByRole('button', { name: 'Scale' }).click()
    await page.getByText(/^2 of at most/).waitFor()
    await page.getByText('What runs was made before the newest changes').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Restart with the changes' }).click()
    await dialog.getByRole('button', { name: 'Restart with the changes' }).click()
    await page.getByText('It has succeeded').waitFor({ timeout: longest })
    await expect.poll(() => page.getByText('What runs was made before').count(), { timeout: longest }).toBe(0)
  })

  test('an application is copied and promoted, and what runs with older variables is restarted', async () => {
    const app = await add({ name: 'Harbor' })
    await deploy(app.id)
    await deploy((await add({ name: 'Quay' })).id)
    const trial = await floor.environment(owner, projectId, 'trial')
    const page = await opened(`/applications/${app.id}`)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await dialog.getByLabel('Name').fill('Harbor')
    await dialog.getByLabel('Environment').selectOption('trial')
    await dialog.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByText('Nothing runs yet').waitFor()
    const all = ok(await send('GET', `applications?projectId=${projectId}`))
    expect(all.filter(({ name }: any) => name === 'Harbor')).toHaveLength(2)

    await page.goto(`${options.baseUrl}/projects/${projectId}/environments`)
    await page.getByRole('row', { name: 'live' }).getByRole('link', { name: 'Promote' }).click()
    await page.getByLabel('To', { exact: true }).selectOption('trial')
    await page.getByRole('button', { name: 'Promote' }).click()
    await dialog.getByRole('button', { name: 'Show what follows' }).click()
    await dialog.getByRole('row', { name: 'Harbor' }).getByText('it is deployed').waitFor()
    await dialog.getByText('has no application of this name').first().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(all.find(({ environmentId }: any) => environmentId === trial).deploymentId).toBeNull()
    await dialog.getByRole('button', { name: 'Promote live to trial' }).click()
    await page.getByRole('link', { name: 'its deployment' }).click()
    await page.getByText('It has succeeded').waitFor({ timeout: longest })

    ok(await send('PUT', `projects/${projectId}/shared-env`, { variables: [{ name: 'REGION', value: 'north' }] }))
    await page.goto(`${options.baseUrl}/projects/${projectId}/variables`)
    const row = page.getByRole('row', { name: 'Harbor' }).first()
    await row.getByText('REGION').waitFor()
    await row.getByRole('button', { name: 'Restart' }).click()
    await dialog.getByRole('button', { name: 'Restart' }).click()
    await page.getByText('The restart is asked for').waitFor()

    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('link', { name: 'See each day' }).click()
    const figure = page.getByRole('figure', { name: 'Deployments by day' })
    await figure.getByText(/^Asked for/).waitFor()
    await figure.getByRole('button', { name: 'As table' }).click()
    await figure.getByRole('row').nth(1).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })

  test('who may only look sees the containers, and neither commands nor logs nor what changes anything', async () => {
    const app = await add()
    const viewer = await floor.member(owner, projectId, {
      roleId: await floor.role(owner, projectId, ['apps:view', 'apps:env']),
    })
    const page = await opened(`/applications/${app.id}/containers`, viewer)
    await page.getByText('What its containers use').waitFor()
    for (const name of ['Run a command', 'Logs']) expect(await page.getByRole('link', { name }).count(), name).toBe(0)
    for (const name of ['Scale', 'Duplicate']) expect(await page.getByRole('button', { name }).count(), name).toBe(0)
    await page.goto(`${options.baseUrl}/applications/${app.id}/command`)
    await page.getByText('Your role in this environment does not include this').waitFor()
  })
})
