/** A version of the panel is installed in a browser: by a real agent, on a real engine. */
import { describe, expect, test } from 'vitest'
import { accessibilityProblems, isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { IMAGE_FILE, noInstallingPanel, startInstallingPanel } from '../../support/panel/installing-panel.ts'
import { PASSWORD } from '../../support/panel/service.ts'
import { signInOn } from '../../support/sign-in.ts'

const isPossible = isChromiumInstalled && noInstallingPanel === undefined
const options = await withPages()
const made = isPossible ? await startInstallingPanel(options) : undefined
useBrowser()

describe.runIf(isPossible)('the page of updates', () => {
  test('says why the operator installs a version, and installs it where the panel can', async () => {
    const { own, images, root, publish, startContainer, startLocalAgent, installed, running } = made!
    await publish('99.0.0', 'panel.tgz', Buffer.from('no image'))
    const page = await openPage(`${options.baseUrl}/admin/updates`)
    await signInOn(page, { email: root.email, password: PASSWORD })
    await page.getByText('The panel does not run in a container').waitFor()
    const install = page.getByRole('button', { name: 'Install', exact: true })
    expect(await install.count()).toBe(0)

    await publish('99.1.0', IMAGE_FILE, images.make('2.0.0', { isChecked: true }).file)
    own.container = await startContainer('panel')
    await startLocalAgent()
    await page.reload()
    await install.click()
    const dialog = page.getByRole('dialog', { name: 'Install version 99.1.0' })
    expect(await accessibilityProblems(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Install' }).click()
    await page.getByText('The version is being fetched').waitFor()
    await page.getByText('99.1.0: Running').waitFor()
    await install.waitFor({ state: 'detached' })

    await installed()
    own.container = (await running()).id
    await page.getByText('99.1.0: Installed').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('link', { name: 'Follow it' }).click()
    await page.getByText('The container of the panel is replaced').waitFor()
  })
})
