/** Servers in a browser: a host becomes a server by one command, is removed, and what its tasks say is followed. */
import { describe, expect, test } from 'vitest'
import { tasks } from '#panel/agent/decider'
import { queueTask } from '#panel/agent/queue-task'
import { addLines } from '#panel/agent/task-log'
import { lines } from '../../support/agent/kinds.ts'
import { accessibilityProblems, isChromiumInstalled, openPage, useBrowser } from '../../support/browser.ts'
import { withPages } from '../../support/built-pages.ts'
import { RUN, serverFixture, tokenIn } from '../../support/panel/server-fixture.ts'
import { PASSWORD, startPanel } from '../../support/panel/service.ts'
import { PEOPLE } from '../../support/person.ts'
import { signInOn } from '../../support/sign-in.ts'

const options = await withPages()
const panel = await startPanel(options)
const { register, contact, running, get } = serverFixture(panel)
await panel.licensed()
const admin = await panel.somebody('SUPERADMIN')
useBrowser()

const GIB = 1_024 ** 3
const BEAT = { cpuPercent: 12, memoryUsedBytes: 2 * GIB, diskUsedBytes: 40 * GIB }

describe.runIf(isChromiumInstalled)('servers in a browser', () => {
  test.each(PEOPLE)('by $name, a host becomes a server, and is removed', async (by) => {
    const page = await openPage(`${options.baseUrl}/servers`, { expected: /404/ })
    await signInOn(page, { email: admin.email, password: PASSWORD }, by)
    await by.press(page.getByRole('button', { name: 'Add a server' }).first())
    const name = `east by ${by.name}`
    await by.write(page.getByLabel('Name'), name)
    await by.press(page.getByRole('dialog').getByRole('button', { name: 'Add a server' }))
    const dialog = page.getByRole('dialog', { name: 'Run this on the host' })
    await dialog.getByText('Waiting until the agent has registered').waitFor()
    const { serverId } = await register(tokenIn((await dialog.locator('pre').textContent())!))
    await contact(serverId, new Date(), BEAT)
    await dialog.getByText('The agent has registered').waitFor()
    await by.press(dialog.getByRole('button', { name: 'Close' }))
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await page.getByText('Online').waitFor()
    await page.getByText('2 GiB of 8 GiB').waitFor()

    await by.press(page.getByRole('button', { name: 'More' }))
    await by.press(page.getByRole('menuitem', { name: 'Remove' }))
    await by.write(page.getByLabel('to confirm'), name)
    await by.press(page.getByRole('dialog').getByRole('button', { name: 'Remove' }))
    await page.getByRole('heading', { level: 1, name: 'Servers' }).waitFor()
    expect((await get(admin, `/${serverId}`)).status).toBe(404)
  })

  test('a registry is run on a server that is chosen', async () => {
    const serverId = await running(admin)
    const { name: serverName } = (await get(admin, `/${serverId}`)).body
    const page = await openPage(`${options.baseUrl}/admin/registries`)
    await signInOn(page, { email: admin.email, password: PASSWORD })
    await page.getByRole('button', { name: 'Run a registry' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Own images')
    await dialog.getByLabel('Server').selectOption({ label: serverName })
    await dialog.getByRole('button', { name: 'Run a registry' }).click()
    await page.getByText('not running yet').waitFor()
  })

  test('a task shows its lines as they are said, each once and in order, and its end', async () => {
    const serverId = await running(admin)
    const taskId = await panel.run(async (unit) => {
      const id = unit.newId()
      const cause = { type: 'user', id: admin.id }
      await queueTask(unit, lines, { taskId: id, serverId, projectId: null, payload: { count: 3, everyMs: 0 }, cause })
      return id
    })
    const say = (seq: number, text: string) =>
      addLines(panel.superuser, taskId, [{ seq, at: new Date().toISOString(), of: 'OUT', text }], 50)
    await panel.run((unit) => unit.decide(tasks, taskId, 'HandOut', { run: RUN, isKnown: true }))
    await say(1, 'first line')
    const page = await openPage(`${options.baseUrl}/servers/tasks/${taskId}`)
    await signInOn(page, { email: admin.email, password: PASSWORD })
    await page.getByText('first line').waitFor()
    await page.getByText('Running').waitFor()
    await say(2, 'second line')
    await page.getByText('second line').waitFor()
    const end = { outcome: 'FAILED', attempt: 1, code: 'NO_ROOM', message: 'The disk is full', retry: lines } as const
    await panel.run((unit) => unit.decide(tasks, taskId, 'End', end))
    await page.getByText('The disk is full').waitFor()
    await page.getByText('Failed').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    const said = await page.getByRole('log').locator('div').allTextContents()
    expect(said.map((text) => text.replace(/^.*? /, ''))).toEqual([
      expect.stringContaining('first line'),
      expect.stringContaining('second line'),
    ])
  })
})
