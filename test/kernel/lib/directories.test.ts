import { mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeDirectory, makeDirectorySync } from '#kernel/lib/directories'
import { scratchPath } from '#test/support/scratch'

const ways = [
  ['makeDirectory', makeDirectory],
  ['makeDirectorySync', async (path: string, mode: number) => makeDirectorySync(path, mode)],
] as const

describe.each(ways)('%s', (_name, make) => {
  test('makes what is missing, each with the mode, and leaves what is there', async () => {
    const top = scratchPath()
    mkdirSync(top, { mode: 0o750 })
    const path = join(top, 'one', 'two')
    for (let again = 0; again < 2; again += 1) await make(path, 0o700)
    const modes = [top, join(top, 'one'), path].map((each) => (statSync(each).mode & 0o777).toString(8))
    expect(modes).toEqual(['750', '700', '700'])
  })

  test('of many at once none fails', async () => {
    const path = join(scratchPath(), 'one', 'two', 'three')
    await Promise.all(Array.from({ length: 20 }, () => make(path, 0o700)))
    expect(statSync(path).isDirectory()).toBe(true)
  })

  test('a file in the way is an error', async () => {
    const file = scratchPath()
    writeFileSync(file, '')
    await expect(make(file, 0o700)).rejects.toMatchObject({ code: 'EEXIST' })
    await expect(make(join(file, 'below'), 0o700)).rejects.toThrow(/EEXIST|ENOTDIR/)
  })

  test('where nothing can be made it ends', async () => {
    const link = scratchPath()
    symlinkSync(join(link, 'nowhere'), link)
    await expect(make(join(link, 'one', 'two'), 0o700)).rejects.toThrow(/EEXIST|ELOOP/)
    if (process.platform === 'linux')
      await expect(make('/proc/daybook/one', 0o700)).rejects.toMatchObject({ path: '/proc/daybook' })
  })
})
