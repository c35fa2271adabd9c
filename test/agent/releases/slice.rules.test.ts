/** The control group of applications, where the agent makes it: by both versions of control groups. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sliceOf } from '../../../src/agent/releases/slice.ts'
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
