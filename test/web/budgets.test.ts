/** How much a browser loads, in bytes as brotli sends them: for the first page of a surface, and for each further one. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { SURFACES } from '../../src/web/surfaces.ts'
import { builtPages } from '../support/built-pages.ts'

/** With React, its answers, dialogs, menus and messages. */
const ENTRY_MAX = 150_000
const PAGE_MAX = 12_000
const STYLES_MAX = 12_000
/** What draws plots is loaded with the first plot. */
const PLOT_MAX = 25_000
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

interface SurfaceFiles {
  readonly module: string
  readonly preloads: readonly string[]
  readonly styles: readonly string[]
}

const folder = await builtPages()
const { surfaces } = JSON.parse(readFileSync(join(folder, 'pages.json'), 'utf8')) as {
  readonly surfaces: Readonly<Record<string, SurfaceFiles>>
}
const bytesOf = (file: string): number => brotliCompressSync(readFileSync(join(folder, file)), BROTLI).length
const sum = (files: readonly string[]): number => files.reduce((all, file) => all + bytesOf(file), 0)

describe.each(Object.entries(surfaces))('%s', (name, { module, preloads, styles }) => {
  test('loads little code before its first page', () => {
    expect(sum([module, ...preloads])).toBeLessThan(ENTRY_MAX)
  })

  test('names the files of its pages, and of no part of a page', () => {
    const named = readFileSync(join(folder, module), 'utf8').matchAll(/\.\/([\w/-]+)\.tsx/g)
    const { pages } = SURFACES.find((surface) => surface.name === name)!
    expect(new Set([...named].map(([, file]) => file))).toEqual(new Set(Object.values(pages).map(({ page }) => page)))
  })

  test('loads few styles', () => {
    expect(sum(styles)).toBeLessThan(STYLES_MAX)
  })
})

test('no further page loads much', () => {
  const first = new Set(Object.values(surfaces).flatMap(({ module, preloads }) => [module, ...preloads]))
  const others = readdirSync(join(folder, 'assets'))
    .map((file) => `assets/${file}`)
    .filter((file) => file.endsWith('.js') && !first.has(file))
  expect(others.length).toBeGreaterThan(40)
  const maxOf = (file: string): number => (file.includes('/plot-canvas-') ? PLOT_MAX : PAGE_MAX)
  expect(others.filter((file) => bytesOf(file) > maxOf(file))).toEqual([])
})
