/** Pages and their assets over HTTP: which paths there are, and with which headers they are sent. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withDocumentation } from '#kernel/http/openapi/docs-routes'
import { pagesOf } from '#kernel/http/pages'
import type { PageSurface } from '#kernel/http/pages'
import { readBundle } from '#kernel/http/pages-bundle'
import type { PagesBundle } from '#kernel/http/pages-bundle'
import { ID, rig } from '../../support/kernel/http-rig.ts'
import type { Rig } from '../../support/kernel/http-rig.ts'
import { scratchBase } from '../../support/scratch-base.ts'
import { scratchPath } from '../../support/scratch.ts'

const DOCS = { title: 'Things', version: '9.8.7', description: 'Keeps "things".', errorCodes: [] }
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'
const OFFICE: PageSurface = {
  name: 'office',
  base: '/office',
  title: 'The office & more',
  paths: ['/office', '/office/things', '/office/things/:id', '/office/exports/:resource'],
}
const HOME: PageSurface = { name: 'home', base: '/', title: 'Home', paths: ['/', '/setup'] }
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(5_000))})`

const folder = mkdtempSync(join(scratchBase, 'daybook-pages-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function bundle(): Promise<PagesBundle> {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const files = { 'theme-1.js': 'try {} catch {}', 'icon-1.svg': '<svg/>', 'notices-1.txt': 'MIT', 'main-1.js': SCRIPT }
  const more = { 'shared-1.js': 'export const one = 1', 'main-1.css': 'body { margin: 0 }' }
  for (const [name, text] of Object.entries({ ...files, ...more })) writeFileSync(join(folder, 'assets', name), text)
  const parts = { module: 'assets/main-1.js', preloads: ['assets/shared-1.js'], styles: ['assets/main-1.css'] }
  const manifest = {
    theme: 'assets/theme-1.js',
    icon: 'assets/icon-1.svg',
    notices: 'assets/notices-1.txt',
    surfaces: { office: parts, home: parts },
  }
  writeFileSync(join(folder, 'pages.json'), JSON.stringify(manifest))
  return readBundle(folder)
}

async function served(surface: PageSurface, built: PagesBundle | undefined): Promise<Rig> {
  const { routes, root } = pagesOf({ surfaces: [surface], bundle: built, baseUrl: 'https://things.test' })
  return rig([...withDocumentation([], DOCS, 'https://things.test', root), ...routes])
}

let office: Rig
let home: Rig
let bare: Rig
beforeAll(async () => {
  const built = await bundle()
  office = await served(OFFICE, built)
  home = await served(HOME, built)
  bare = await served(HOME, undefined)
})
afterAll(() => Promise.all([office, home, bare].map((each) => each.close())))

describe('a shell', () => {
  test.each([
    '/office',
    '/office/things',
    '/office/things?status=ACTIVE&page=2',
    `/office/things/${ID}`,
    '/office/exports/customers',
  ])('%s is the page of its surface under the strict policy', async (path) => {
    const { status, headers, text } = await office.call('GET', path)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(/^(?:[a-z-]+=\(\)(?:, |$))+$/),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(text).toContain('<title>The office &amp; more</title>')
    expect(text).toContain('<meta name="origin" content="https://things.test">')
    expect(text).toContain('<meta name="base" content="/office">')
    expect(text).toContain('<div id="root"></div>')
  })

  test('holds nothing inline, and everything that it names is there', async () => {
    const { text } = await office.call('GET', '/office')
    expect(text).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*\ssrc=)|javascript:/)
    expect(text.indexOf('theme-1.js')).toBeLessThan(text.indexOf('type="module"'))
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path!)
    expect(named).toHaveLength(6)
    for (const path of named) expect((await office.call('GET', path)).status, path).toBe(200)
  })

  test('is not sent again while it is the same', async () => {
    const { headers } = await office.call('GET', '/office')
    const again = await office.call('GET', '/office/things', { headers: { 'if-none-match': headers.etag } })
    expect([again.status, again.text]).toEqual([304, ''])
    expect(again.headers['content-security-policy']).toBe(headers['content-security-policy'])
  })

  test.each(['/office/', '/office/nothing', '/office/things/7', `/office/things/${ID}/more`, '/Office', '/console'])(
    '%s is no page',
    async (path) => {
      const nowhere = await office.call('GET', '/no/such/path')
      const { status, json } = await office.call('GET', path)
      expect([status, json]).toEqual([404, nowhere.json])
    },
  )

  test('is not in the document of the API', async () => {
    const { json } = await office.call('GET', '/api/openapi.json')
    expect(Object.keys(json.paths).toSorted()).toEqual(['/', '/api/docs', '/api/openapi.json'])
  })
})

describe('an asset', () => {
  test('is kept for ever, and only by its origin', async () => {
    const { status, headers, text } = await office.call('GET', '/assets/main-1.js')
    expect([status, text]).toEqual([200, SCRIPT])
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'cross-origin-resource-policy': 'same-origin',
      vary: 'Accept-Encoding',
    })
  })

  /** Browsers accept brotli over https only. */
  test.each([
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
  ])('is compressed as the client accepts: %s', async (accepted, coding) => {
    const response = await fetch(`http://127.0.0.1:${office.port}/assets/main-1.js`, {
      headers: { 'accept-encoding': accepted },
    })
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual([coding, SCRIPT])
    expect(Number(response.headers.get('content-length'))).toBeLessThan(SCRIPT.length / 5)
  })

  test.each([
    ['/assets/main-1.css', 'text/css; charset=utf-8'],
    ['/assets/icon-1.svg', 'image/svg+xml; charset=utf-8'],
    ['/assets/notices-1.txt', 'text/plain; charset=utf-8'],
  ])('%s has the type %s', async (path, type) => {
    expect((await office.call('GET', path)).headers['content-type']).toBe(type)
  })

  test.each([
    '/assets/main-2.js',
    '/assets/pages.json',
    '/assets/..%5cpages.json',
    '/assets/',
    '/assets',
    '/assets/constructor',
  ])('%s is none', async (path) => {
    expect((await office.call('GET', path)).status).toBe(404)
  })
})

describe('the root', () => {
  test('leads a browser to the first page, and tells programs what the service is', async () => {
    const browser = await office.call('GET', '/', { headers: { accept: BROWSER } })
    expect([browser.status, browser.headers.location, browser.headers.vary]).toEqual([303, '/office', 'Accept'])
    const program = await office.call('GET', '/')
    expect([program.status, program.headers.vary, program.json.name]).toEqual([200, 'Accept', 'Things'])
  })

  test('is a page itself where a surface has one there', async () => {
    const browser = await home.call('GET', '/', { headers: { accept: BROWSER } })
    expect(browser.status).toBe(200)
    expect(browser.text).toContain('<meta name="base" content="/">')
    expect(browser.headers).toMatchObject({ vary: 'Accept, Accept-Encoding', 'cache-control': 'no-cache' })
    const { etag } = browser.headers
    const again = await home.call('GET', '/', { headers: { accept: BROWSER, 'if-none-match': etag } })
    expect([again.status, again.text]).toEqual([304, ''])
    const program = await home.call('GET', '/', { headers: { accept: 'application/json' } })
    expect([program.status, program.json.name, program.headers['cache-control']]).toEqual([200, 'Things', 'no-store'])
  })
})

describe('without a bundle', () => {
  test('a page says what to do, and the API is there', async () => {
    const { status, json, headers } = await bare.call('GET', '/setup')
    expect([status, headers['error-code']]).toEqual([503, 'PAGES_NOT_BUILT'])
    expect(json.message).toContain('run "daybook pages DIR", set PAGES_DIR to that directory')
    expect((await bare.call('GET', '/api/openapi.json')).status).toBe(200)
    expect((await bare.call('GET', '/assets/main-1.js')).status).toBe(404)
  })

  test('the root describes the service, and says what to do', async () => {
    const { status, text } = await bare.call('GET', '/', { headers: { accept: BROWSER } })
    expect(status).toBe(200)
    expect(text).toContain('href="/api/docs"')
    expect(text).toContain('set PAGES_DIR to that directory')
  })
})

test('a folder without a manifest, or with a file of another kind, is no bundle', async () => {
  const other = scratchPath()
  cpSync(folder, other, { recursive: true })
  writeFileSync(join(other, 'assets', 'font-1.woff2'), '')
  await expect(readBundle(other)).rejects.toThrow('font-1.woff2 has no known content type')
  rmSync(join(other, 'pages.json'))
  await expect(readBundle(other)).rejects.toThrow('pages.json')
})
