/** What the container engine of a server holds, in a browser: a real agent on a real engine. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { noEngine, sleepTar } from '../../support/docker-engine.ts'
import { realHost } from '../../support/panel/real-host.ts'
import type { RealHost } from '../../support/panel/real-host.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { scratchOfFile } from '../../support/scratch.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const panel = await startPanel(options)
await panel.licensed()
const admin = await panel.somebody('SUPERADMIN')
useBrowser()

const directory = scratchOfFile()
let host: RealHost
beforeAll(async () => {
  if (noEngine !== undefined) return
  host = await realHost(panel, admin, directory)
  const { api } = host.engine
  await api('POST', '/images/create?fromSrc=-&repo=sleeping', sleepTar())
  const made = {
    Image: 'sleeping',
    Cmd: ['/bin/sleep', '600'],
    HostConfig: { NetworkMode: 'none' },
    StopSignal: 'SIGKILL',
  }
  await api('POST', '/containers/create?name=web', made)
  const broken = { Image: 'sleeping', Cmd: ['/none'], HostConfig: { NetworkMode: 'none' } }
  await api('POST', '/containers/create?name=broken', broken)
  await api('POST', '/networks/create', { Name: 'backend', Internal: true })
  await api('POST', '/volumes/create', { Name: 'data' })
})
afterAll(() => host?.stop())

const pathOf = (part: string) => `${options.baseUrl}/servers/${host.serverId}/${part}`

describe.runIf(isChromiumInstalled && noEngine === undefined)('a container engine in a browser', () => {
  test('a container is started and stopped, removed, and one that cannot start says why', async () => {
    const page = await openPage(pathOf('containers'))
    await signInOn(page, { email: admin.email, password: PASSWORD })
    const web = page.getByRole('row', { name: /^web/ })
    const act = async (row: typeof web, label: string) => {
      await row.getByRole('button', { name: label, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
    }
    await web.getByText('Created').first().waitFor()
    await act(web, 'Start')
    await web.getByText('Running').first().waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await act(web, 'Stop')
    await web.getByText('Exited').first().waitFor()
    await act(web, 'Remove')
    await web.waitFor({ state: 'detached' })

    const broken = page.getByRole('row', { name: /^broken/ })
    await act(broken, 'Start')
    await page.getByRole('dialog').getByText('The engine refused to start the container').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await act(broken, 'Remove')
    await page.getByText('No container is on this server, running or not.').waitFor()
  })

  test('an image, a network and a volume are removed, and what the engine itself needs is not', async () => {
    const page = await openPage(pathOf('images'))
    await signInOn(page, { email: admin.email, password: PASSWORD })
    const remove = async (name: string) => {
      const row = page.getByRole('row', { name: new RegExp(`^${name}`) })
      await row.getByRole('button', { name: 'Remove' }).click()
      const dialog = page.getByRole('dialog')
      if (await dialog.getByLabel('to confirm').isVisible()) await dialog.getByLabel('to confirm').fill(name)
      await dialog.getByRole('button', { name: 'Remove' }).click()
      await row.waitFor({ state: 'detached' })
    }
    await remove('sleeping')
    await page.getByText('No image is on this server.').waitFor()
    await page.getByRole('link', { name: 'Networks' }).click()
    await remove('backend')
    await page.getByRole('row', { name: /^none/ }).getByText('the engine').waitFor()
    // The dialog closes a moment after the row has gone.
    await expect.poll(() => page.getByRole('button', { name: 'Remove' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Volumes' }).click()
    await remove('data')
    await page.getByText('No volume is on this server.').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })
})
