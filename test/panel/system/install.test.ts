/** The panel installs a version itself: a real licensing service, a real agent, and a real engine that runs its container. */
import { describe, expect, test } from 'vitest'
import { IMAGE_FILE, noInstallingPanel, startInstallingPanel } from '../../support/panel/installing-panel.ts'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'

const made = noInstallingPanel === undefined ? await startInstallingPanel() : undefined

describe.runIf(made)('a panel in a container', () => {
  const { service, own, engine, images, network, comeBack, call, updates, apply, publish, ...more } =
    made ?? ({} as NonNullable<typeof made>)
  const { installed, running, startContainer, startLocalAgent } = more
  const taskOf = async (taskId: string) => ok(await call('GET', `/agent/tasks/${taskId}`))

  test('what keeps the panel from it is told, and the operator installs the version', async () => {
    await publish('99.0.0', 'panel.tgz', Buffer.from('no image'))
    const obstacle = async () => {
      const { how, obstacle: found, remedy } = await updates()
      expect([how, remedy]).toEqual(['BY_HAND', expect.stringContaining('99.0.0')])
      expect(refusalIn(await apply())).toEqual([409, 'BY_HAND'])
      return found.code
    }
    expect(await obstacle()).toBe('NO_CONTAINER')
    own.container = await startContainer('panel')
    expect(await obstacle()).toBe('NO_AGENT')
    await startLocalAgent()
    await expect.poll(obstacle).toBe('NO_FILE')
    const other = await startContainer('other')
    expect(await obstacle()).toBe('OTHER_CONTAINERS')
    await engine.api('DELETE', `/containers/${other}?force=true`)
    own.container = 'a'.repeat(64)
    expect(await obstacle()).toBe('NOT_FOUND')
    own.container = (await running()).id
  })

  test('a version is fetched, put in the place of the running one, and named by the log', async () => {
    const { file, sha256 } = images.make('2.0.0', { isChecked: true })
    await publish('99.1.0', IMAGE_FILE, file)
    expect(await updates()).toMatchObject({ how: 'AGENT', remedy: null, obstacle: null, install: null })
    for (const [version, code] of [
      ['98.0.0', 'NOT_OFFERED'],
      ['99.0.0', 'BY_HAND'],
    ])
      expect(refusalIn(await apply({ version }))).toEqual([409, code])
    const before = await running()
    const { taskId } = ok(await apply(), 202)
    expect(await taskOf(taskId)).toMatchObject({
      state: 'QUEUED',
      kind: 'panel.update',
      payload: { version: '99.1.0' },
    })
    expect(refusalIn(await apply())).toEqual([409, 'RUNNING'])
    expect(await updates()).toMatchObject({ install: { version: '99.1.0', taskId, state: 'RUNNING', endedAt: null } })
    expect(await installed()).toMatchObject({ state: 'INSTALLED', code: null, taskId })
    expect(await taskOf(taskId)).toMatchObject({ state: 'SUCCEEDED', result: { step: 'READY', rolledBack: false } })
    const after = await running()
    expect(after.id).not.toBe(before.id)
    expect(after.env).toEqual(expect.arrayContaining(['VERSION=2.0.0', `RELEASE_SHA256=${sha256}`]))
    own.container = after.id
    const { lines } = ok(await call('GET', '/system/updates/log'))
    expect(lines.slice(0, 2).map(({ text }: { text: string }) => text)).toEqual([
      'The panel installed version 99.1.0',
      'An account asked the panel to install version 99.1.0',
    ])
  })

  test('a version that does not serve is taken back', async () => {
    await publish('99.2.0', IMAGE_FILE, images.make('2.1.0', { isChecked: true, ready: 'no' }).file)
    const before = await running()
    ok(await apply(), 202)
    expect(await installed()).toMatchObject({ version: '99.2.0', state: 'FAILED', code: 'TAKEN_BACK' })
    expect(await running()).toEqual(before)
  })

  test('bytes that the signed list does not name reach no agent', async () => {
    network.by = async ({ pathname, search }, init) => {
      const answered = await fetch(service.url + pathname + search, init)
      if (!pathname.startsWith('/api/versions/')) return answered
      const bytes = Buffer.from(await answered.arrayBuffer())
      bytes[0]! ^= 1
      return new Response(bytes)
    }
    const { taskId } = ok(await apply(), 202)
    expect(await installed()).toMatchObject({ state: 'FAILED', code: 'FILE_NOT_FETCHED' })
    expect(await taskOf(taskId)).toMatchObject({
      state: 'FAILED',
      attempt: 0,
      error: { message: expect.stringContaining('other bytes') },
    })
    comeBack()
  })
})
