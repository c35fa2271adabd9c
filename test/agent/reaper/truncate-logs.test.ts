/** Logs are emptied; links and what has a second name are left alone. */
import { link, mkdir, mkdtemp, open, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { truncateLarge } from '../../../src/agent/reaper/truncate-logs.ts'

const directory = await mkdtemp(join(tmpdir(), 'logs-'))
afterAll(() => rm(directory, { recursive: true }))
const at = (name: string) => join(directory, name)
const sizeOf = async (name: string) => (await stat(at(name))).size

test('a large log is emptied, and its writer goes on at the new end', async () => {
  const writer = await open(at('large'), 'a')
  await writer.write('x'.repeat(2_000))
  expect(await truncateLarge(at('large'), 1_000)).toBe(2_000)
  await writer.write('new')
  await writer.close()
  expect(await sizeOf('large')).toBe(3)
})

test('a small log, a link, a second name, a directory and nothing are left alone', async () => {
  await writeFile(at('target'), 'x'.repeat(2_000))
  await symlink(at('target'), at('link'))
  await link(at('target'), at('second'))
  await mkdir(at('folder'))
  await writeFile(at('small'), 'x'.repeat(999))
  for (const name of ['small', 'link', 'second', 'folder', 'nothing'])
    expect(await truncateLarge(at(name), 1_000), name).toBe(0)
  expect([await sizeOf('target'), await sizeOf('small')]).toEqual([2_000, 999])
})
