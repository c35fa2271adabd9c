/** Checks the documentation: every link has a target, the index names every page, and the README stays short. */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const README_LINES_MAX = 150

const textOf = (page: string): string => readFileSync(join(ROOT, page), 'utf8')
const pages = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`)
  .toSorted()

interface Link {
  readonly page: string
  readonly target: string
}

/** The links of a page to files of the project. A link with only an anchor leads to the same page. */
const linksOf = (page: string): Link[] =>
  [
    ...textOf(page)
      .replaceAll(/^```.*?^```$/gms, '')
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)\)/g),
  ]
    .map(([, target]) => ({ page, target: target! }))
    .filter(({ target }) => !/^https?:/.test(target))

/** The anchors that a Markdown viewer makes of headings. */
const anchorsOf = (text: string): string[] =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

const links = ['README.md', 'CONTRIBUTING.md', ...pages].flatMap(linksOf)

test('every link leads to a file, and every anchor to a heading', () => {
  const broken = links.filter(({ page, target }) => {
    const [path = '', anchor] = target.split('#')
    const file = path === '' ? page : normalize(join(dirname(page), path))
    if (!existsSync(join(ROOT, file))) return true
    return anchor !== undefined && !anchorsOf(textOf(file)).includes(anchor)
  })
  expect(links.length).toBeGreaterThan(50)
  expect(broken).toEqual([])
})

test('the index names every page, and the index of the reference every page of it', () => {
  const indexes = ['docs/README.md', 'docs/reference/README.md']
  const named = indexes.flatMap((index) =>
    linksOf(index).map(({ target }) => normalize(join(dirname(index), target.split('#')[0]!))),
  )
  expect(pages.filter((page) => page !== 'docs/README.md' && !named.includes(page))).toEqual([])
})

test('the README is short', () => {
  expect(textOf('README.md').split('\n').length).toBeLessThanOrEqual(README_LINES_MAX)
})
