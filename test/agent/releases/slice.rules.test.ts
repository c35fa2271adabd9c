/** The control group of applications, where the agent makes it: by both versions of control groups, and without an answer. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ReleaseHost } from '../../../src/agent/releases/host.ts'
import { sliceOf } from '../../../src/agent/releases/slice.ts'
import { startRelease } from '../../../src/agent/releases/start.ts'
import { releaseOf, service } from '../../support/agent/release-host.ts'
import { scratchDirectory } from '../../support/scratch.ts'

const readIn = (root: string, path: string) => readFileSync(join(root, path), 'utf8')

function groups(version: 1 | 2): string {
  const root = scratchDirectory()
  if (version === 1) mkdirSync(join(root, 'cpu'))
  else writeFileSync(join(root, 'cgroup.controllers'), 'cpu memory')
  return root
}

test('where the engine makes groups itself, applications weigh ten times what builds do', async () => {
  const [former, unified] = [groups(1), groups(2)]
  expect(await sliceOf('cgroupfs', former)).toBe('/daybook.slice')
  expect(readIn(former, 'cpu/daybook.slice/cpu.shares')).toBe('10240')
  expect(await sliceOf('cgroupfs', unified)).toBe('/daybook.slice')
  expect(readIn(unified, 'daybook.slice/cpu.weight')).toBe('1000')
  expect(readIn(unified, 'cgroup.subtree_control')).toBe('+cpu')
  expect(await sliceOf('cgroupfs', unified), 'the second time').toBe('/daybook.slice')
})

test('under systemd the slice is a unit, which the agent does not make', async () => {
  const root = groups(2)
  expect(await sliceOf('systemd', root)).toBeUndefined()
  expect(existsSync(join(root, 'daybook.slice'))).toBe(false)
  mkdirSync(join(root, 'daybook.slice'))
  expect(await sliceOf('systemd', root)).toBe('daybook.slice')
})

test('where no group can be made, there is none', async () => {
  expect(await sliceOf('cgroupfs', join(scratchDirectory(), 'missing'))).toBeUndefined()
})

test('an engine that does not tell of itself ends no deployment, and none is undone while it is prepared', async () => {
  const heard: string[] = []
  const call: ReleaseHost['call'] = async (_method, path) => {
    const [, what = ''] = path.split(/[/?]/)
    if (what === 'info') return { status: 500, body: undefined }
    if (what === 'images') await pause(50)
    heard.push(what)
    return what === 'images' ? { status: 404, body: undefined } : { status: 200, body: [] }
  }
  const host = { call, directory: scratchDirectory() } as unknown as ReleaseHost
  const never = new AbortController().signal
  const say = async () => {}
  const payload = releaseOf([service(`sha256:${'a'.repeat(64)}`)]) as never
  const started = startRelease(host, { taskId: 'a task', payload, secrets: undefined, signal: never, say, write: say })
  await expect(started).rejects.toMatchObject({ code: 'IMAGE_GONE' })
  expect(heard.slice(0, 2)).toEqual(['images', 'containers'])
})
