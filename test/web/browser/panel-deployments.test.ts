/** Deployments in a browser: an application is deployed, followed, rolled back, stopped, scheduled, and written as files, and its previews come and go. */
import type { Page } from 'playwright-core'
import { afterAll, describe, expect, test } from 'vitest'
import { accessibilityProblems, isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { deployingHost, failing, gate } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { talkingContainers } from '../../support/panel/talking-containers.ts'
import { deliveredBy } from '../../support/panel/webhooks/pull-requests.ts'
import { PEOPLE } from '../../support/person.ts'
import type { Person } from '../../support/person.ts'
import { scratchOfFile } from '../../support/scratch.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const panel = await startPanel({ ...options, dataDir: scratchOfFile() })
const { project, environment } = projectFixture(panel)
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [servers, containers] = [serverFixture(panel), talkingContainers()]
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
const projectId = await project(owner, 'Harbor')
const environmentId = await environment(owner, projectId, 'live')

async function application(name: string, source: object): Promise<string> {
  const place = { projectId, environmentId, serverId: host.serverId, memoryMiB: 16, cpuMillis: 50 }
  return ok(await panel.call('POST', '/api/applications', { as: owner.as, body: { ...place, name, source } }), 201).id
}

async function opened(path: string, by?: Person): Promise<Page> {
  const page = await openPage(`${options.baseUrl}${path}`, { expected: /40[049]/ })
  await signInOn(page, { email: owner.email, password: PASSWORD }, by)
  return page
}

const [image, longest] = [{ kind: 'IMAGE', image: 'ghcr.io/team/shop:1.2' }, 10_000]

describe.runIf(isChromiumInstalled)('deployments in a browser', () => {
  test.each(PEOPLE)('by $name, an image is deployed, followed to its end, and rolled back', async (by) => {
    const page = await opened(`/projects/${projectId}/applications`, by)
    const dialog = page.getByRole('dialog')
    await by.press(page.getByRole('button', { name: 'New application' }))
    await by.write(dialog.getByLabel('Name', { exact: true }), `Shop by ${by.name}`)
    await by.write(dialog.getByLabel('Image'), 'ghcr.io/team/shop:1.2')
    await by.press(dialog.getByLabel('Deploy it at once'))
    await by.press(dialog.getByRole('button', { name: 'New application' }))
    await page.getByText('Nothing runs yet').waitFor()

    const start = gate()
    host.script('release.start', async (work) => {
      await work.say('the containers start')
      await start.wait(work)
      return { containers: [] }
    })
    await by.press(page.getByRole('button', { name: 'Deploy', exact: true }))
    await by.press(dialog.getByRole('button', { name: 'Deploy', exact: true }))
    const steps = page.getByRole('list', { name: 'Steps of the deployment' })
    await steps.getByText('Pulling the image').waitFor({ timeout: longest })
    await page.getByRole('log').getByText('the containers start').waitFor({ timeout: longest })
    await steps.getByText('under way').waitFor()
    expect(await steps.getByText('It has succeeded').count(), 'its end is not told before it').toBe(0)
    expect(await accessibilityProblems(page)).toEqual([])
    start.open()
    await steps.getByText('It has succeeded').waitFor({ timeout: longest })
    host.usual('release.start')

    await by.press(page.getByRole('link', { name: 'Deployments' }))
    expect(await page.getByRole('button', { name: 'Roll back' }).count(), 'nothing is earlier').toBe(0)
    await by.press(page.getByRole('button', { name: 'Deploy', exact: true }))
    await by.write(dialog.getByLabel('Tag'), '2.0')
    await by.press(dialog.getByRole('button', { name: 'Deploy', exact: true }))
    await steps.getByText('It has succeeded').waitFor({ timeout: longest })
    await by.press(page.getByRole('link', { name: 'Deployments' }))
    await by.press(page.getByRole('button', { name: 'Roll back' }))
    await by.choose(dialog.getByLabel('Variables'), 'those of now')
    await by.press(dialog.getByRole('button', { name: 'Roll back' }))
    await page.getByText('an earlier deployment').waitFor()
    await steps.getByText('It has succeeded').waitFor({ timeout: longest })
    const [back] = host.done.filter(({ kind }) => kind === 'release.start').slice(-1)
    const [first] = host.done.filter(({ kind, payload }) => kind === 'release.start' && payload.services).slice(-3)
    expect(back!.payload.services[0].imageId).toBe(first!.payload.services[0].imageId)
  })

  test('a deployment that fails says at which step and why, and one that runs is cancelled', async () => {
    const id = await application('Till', image)
    const page = await opened(`/applications/${id}/deployments`)
    await page.getByText('Nothing was deployed yet').waitFor()
    host.script('image.pull', failing('IMAGE_NOT_FOUND'))
    await page.getByRole('button', { name: 'Deploy', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy', exact: true }).click()
    await page.getByText('It failed with IMAGE_NOT_FOUND').waitFor({ timeout: longest })
    await page.getByText('It has failed').waitFor()
    expect(await page.getByRole('button', { name: 'Cancel it' }).count()).toBe(0)
    const pull = gate()
    host.script('image.pull', (work) => pull.wait(work))
    await page.getByRole('link', { name: 'Deployments' }).click()
    await page.getByRole('button', { name: 'Deploy', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Deploy', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel it' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel it' }).click()
    await page.getByText('It was cancelled').waitFor({ timeout: longest })
    host.usual('image.pull')
  })

  test('an application is scheduled, and the schedule runs, is disabled and deleted', async () => {
    const id = await application('Clock', image)
    const page = await opened(`/applications/${id}/schedules`)
    const dialog = page.getByRole('dialog')
    await page.getByText('A schedule deploys by cron').waitFor()
    await page.getByRole('button', { name: 'Deploy by cron' }).click()
    await dialog.getByLabel('Cron').fill('30 4 * * 1')
    await dialog.getByLabel('Time zone').fill('Europe/Berlin')
    await dialog.getByRole('button', { name: 'Deploy by cron' }).click()
    const row = page.getByRole('row', { name: '30 4 * * 1' })
    await row.getByText('Europe/Berlin').waitFor()
    await row.getByRole('button', { name: 'Run now' }).click()
    await dialog.getByRole('button', { name: 'Run now' }).click()
    await page.getByText('It has succeeded').waitFor({ timeout: longest })
    await page.getByText('a schedule', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Schedules' }).click()
    await row.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Disable' }).click()
    await dialog.getByRole('button', { name: 'Disable' }).click()
    await row.getByText('disabled').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await row.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('A schedule deploys by cron').waitFor()
  })

  test('previews are turned on, show the pull request that is delivered, and one is removed', async () => {
    const source = { kind: 'GIT', url: 'https://forge.test/team/preview.git', branch: 'main', build: 'DOCKERFILE' }
    const id = await application('Previewed', source)
    const page = await opened(`/applications/${id}/previews`)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByLabel('Base domain').fill('previews.example.com')
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('gets a preview', { exact: true }).waitFor()
    await page.getByText('A pull request is deployed beside the application').waitFor()
    const { secret } = ok(await panel.call('GET', `/api/applications/${id}/webhook`, { as: owner.as }))
    const { headers, body: raw } = deliveredBy('GITEA', secret, 'opened', { number: 12 })
    ok(await panel.call('POST', `/api/webhooks/applications/${id}`, { headers, raw }), 202)
    const row = page.getByRole('row', { name: '#12' })
    await row.getByText('succeeded', { exact: false }).waitFor({ timeout: longest })
    expect(await accessibilityProblems(page)).toEqual([])
    await row.getByRole('link', { name: 'Run a command' }).click()
    await expect.poll(() => page.locator('option:checked').allTextContents()).toContain('the preview of #12')
    expect(await accessibilityProblems(page)).toEqual([])
    await page.goBack()
    await row.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('A pull request is deployed beside the application').waitFor()
  })

  test('an application of a repository is created, its files are refused by path and rule, and its secret is shown', async () => {
    const page = await opened(`/projects/${projectId}/applications`)
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'New application' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill('Site')
    await dialog.getByLabel('Made from').selectOption('a git repository')
    await dialog.getByLabel('Address of the repository').fill('https://forge.test/team/site.git')
    await dialog.getByLabel('Branch').fill('trunk')
    await dialog.getByLabel('Built').selectOption('by its Dockerfile')
    await dialog.getByLabel('Path of the Dockerfile').fill('deploy/Dockerfile')
    await dialog.getByLabel('Paths that deploy').fill('web\ndocs/site')
    await dialog.getByRole('button', { name: 'Add a volume' }).click()
    await dialog.getByLabel('Name of volume 1').fill('data')
    await dialog.getByLabel('Path of volume 1').fill('/data')
    await dialog.getByLabel('Deploy it at once').uncheck()
    await dialog.getByRole('button', { name: 'New application' }).click()
    await page.getByRole('heading', { level: 1, name: 'Site' }).waitFor()
    await page.getByText('by its Dockerfile: deploy/Dockerfile').waitFor()
    const [made] = ok(await panel.call('GET', '/api/applications', { as: owner.as })).filter(
      ({ name }: { readonly name: string }) => name === 'Site',
    )
    const source = { build: 'DOCKERFILE', branch: 'trunk', path: 'deploy/Dockerfile', watchPaths: ['web', 'docs/site'] }
    const volumes = [{ name: 'data', mountPath: '/data', shared: false }]
    expect(made).toMatchObject({ source, volumes, autoDeploy: false })

    await page.getByRole('link', { name: 'Files' }).click()
    await page.getByRole('button', { name: 'Write a Compose file' }).click()
    const text = page.getByLabel('Text of the Compose file')
    await text.fill('services:\n  web:\n    image: shop:1\n    privileged: true\n')
    await page.getByRole('button', { name: 'Save the Compose file' }).click()
    await page.getByText('refused at services.web.privileged, by the rule PRIVILEGED').waitFor()
    await text.fill('services:\n  web:\n    image: shop:1\n')
    await page.getByRole('button', { name: 'Save the Compose file' }).click()
    await page.getByText('The Compose file is saved').waitFor()
    const kept = ok(await panel.call('GET', `/api/applications/${made.id}/files/compose`, { as: owner.as }))
    expect(kept).toEqual({ content: 'services:\n  web:\n    image: shop:1\n', source: 'STORED' })

    await page.getByRole('link', { name: 'Webhook' }).click()
    const { secret } = ok(await panel.call('GET', `/api/applications/${made.id}/webhook`, { as: owner.as }))
    await page.getByText(`/api/webhooks/applications/${made.id}`).waitFor()
    expect(await page.getByText(secret).count(), 'the secret is shown when it is asked for').toBe(0)
    await page.getByRole('button', { name: 'Show the secret' }).click()
    await page.getByText(secret).waitFor()
    await page.getByRole('button', { name: 'Deploy pushes' }).click()
    await dialog.getByRole('button', { name: 'Deploy pushes' }).click()
    await page.getByText('deploys it', { exact: true }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  })
})
