/** The pages are built once for each state of their sources, as a whole or not at all. */
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { MANIFEST, readBundle } from '#kernel/http/pages-bundle'
import { buildForDevelopment, buildInto, ensureBuilt, pagesKey } from '../../src/web/build.ts'
import { SURFACES } from '../../src/web/surfaces.ts'
import { builtPages } from '../support/built-pages.ts'
import { scratchPath } from '../support/scratch.ts'

const KEY = 'a'.repeat(32)

function builder(text = 'built') {
  const builds: string[] = []
  return {
    builds,
    build: async (folder: string) => {
      builds.push(folder)
      await pause(20)
      writeFileSync(join(folder, MANIFEST), text)
    },
  }
}

test('the key names the sources, the client and the lock', () => {
  const root = scratchPath()
  const written = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
    return pagesKey(root)
  }
  const keys = [
    written('package-lock.json', '{}'),
    written('src/web/shop/main.tsx', 'one'),
    written('src/web/shop/main.tsx', 'two'),
    written('src/web/shop/other.tsx', ''),
    written('src/api-client/call.ts', ''),
    written('package-lock.json', '{ }'),
  ]
  expect(new Set(keys).size).toBe(keys.length)
  expect(written('src/kernel/lib/clock.ts', ''), 'code of a service changes no page').toBe(keys.at(-1))
  const copy = scratchPath()
  cpSync(root, copy, { recursive: true })
  expect(pagesKey(copy), 'wherever the sources lie').toBe(keys.at(-1))
})

test('two starts at once build once, and a third one not at all', async () => {
  const [dir, { build, builds }] = [scratchPath(), builder()]
  const folders = await Promise.all([1, 2].map(() => ensureBuilt(dir, { key: KEY, build })))
  folders.push(await ensureBuilt(dir, { key: KEY, build }))
  expect(folders).toEqual(Array(3).fill(join(dir, KEY)))
  expect(builds).toHaveLength(1)
  expect(readdirSync(dir)).toEqual([KEY])
})

test('a build of changed sources takes the place of the older one', async () => {
  const [dir, { build }] = [scratchPath(), builder()]
  await ensureBuilt(dir, { key: KEY, build })
  await ensureBuilt(dir, { key: 'b'.repeat(32), build })
  expect(readdirSync(dir)).toEqual(['b'.repeat(32)])
})

test('a build that fails leaves nothing, and is tried again', async () => {
  const dir = scratchPath()
  const failing = async (folder: string) => {
    writeFileSync(join(folder, 'half'), '')
    throw new Error('no such module')
  }
  await expect(ensureBuilt(dir, { key: KEY, build: failing })).rejects.toThrow('no such module')
  expect(readdirSync(dir)).toEqual([])
  expect(existsSync(await ensureBuilt(dir, { key: KEY, build: builder().build }))).toBe(true)
})

test.each([
  ['whose process has ended', '2147483646', 0],
  ['older than any build', String(process.pid), 120_000],
])('what a killed process leaves is no obstacle: a part, and a lock %s', async (_whose, pid, ageMs) => {
  const dir = scratchPath()
  mkdirSync(join(dir, `${KEY}.part`), { recursive: true })
  writeFileSync(join(dir, `${KEY}.part`, 'half'), '')
  writeFileSync(join(dir, 'build.lock'), pid)
  const then = new Date(Date.now() - ageMs)
  utimesSync(join(dir, 'build.lock'), then, then)
  const folder = await ensureBuilt(dir, { key: KEY, build: builder().build })
  expect([readdirSync(dir), readdirSync(folder)]).toEqual([[KEY], [MANIFEST]])
})

test('a build for development warns of mistakes, and reloads', async () => {
  const folder = await ensureBuilt(scratchPath(), { build: buildForDevelopment })
  const { assets } = await readBundle(folder)
  const texts = [...assets.keys()].map((name) => readFileSync(join(folder, 'assets', name), 'utf8'))
  expect(texts.some((text) => text.includes('Each child in a list'))).toBe(true)
  expect(texts.some((text) => text.includes('method: "HEAD"'))).toBe(true)
})

test('a build that is stopped ends at once and leaves no folder', async () => {
  const dir = scratchPath()
  const stopping = new AbortController()
  const building = ensureBuilt(dir, { signal: stopping.signal })
  setTimeout(() => stopping.abort(), 150)
  await expect(building).rejects.toThrow('aborted')
  expect(readdirSync(dir)).toEqual([])
})

test('production builds into a directory, again in place of itself, and never over something else', async () => {
  const dir = join(scratchPath(), 'pages')
  await buildInto(dir, builder('first').build)
  await buildInto(dir, builder('second').build)
  expect([readdirSync(dir), readFileSync(join(dir, MANIFEST), 'utf8')]).toEqual([[MANIFEST], 'second'])
  const other = scratchPath()
  mkdirSync(other)
  writeFileSync(join(other, 'letter'), '')
  await expect(buildInto(other, builder().build)).rejects.toThrow('is not empty')
  expect(readdirSync(other)).toEqual(['letter'])
})

test('the real build holds every surface, names each asset by its content, and the licenses of its packages', async () => {
  const folder = await builtPages()
  const { surfaces, assets, theme, notices } = await readBundle(folder)
  expect(Object.keys(surfaces).toSorted()).toEqual(SURFACES.map(({ name }) => name).toSorted())
  for (const name of assets.keys()) expect(name).toMatch(/-[\w-]{8}\.(js|css|svg|txt)$/)
  const textOf = (path: string) => readFileSync(join(folder, path), 'utf8')
  expect(Buffer.byteLength(textOf(theme))).toBeLessThan(400)
  expect(textOf(theme), 'it is no module').not.toMatch(/^(import|export)\b/m)
  expect(textOf(notices)).toMatch(/^== react 19\.[\d.]+ \(MIT\)$/m)
  const unwanted = /sourceMappingURL|\bnode_modules\/|Each child in a list/
  expect([...assets.keys()].filter((name) => unwanted.test(textOf(`assets/${name}`)))).toEqual([])
})
