/** What `/` answers to a caller without a credential: nothing that the documentation does not contain. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { preferredType } from '#kernel/http/content-negotiation'
import { readiness } from '#kernel/http/health'
import { route } from '#kernel/http/route'
import { rig } from '../../support/kernel/http-rig.ts'
import type { Rig } from '../../support/kernel/http-rig.ts'

const docs = { title: 'Things & <more>', version: '9.8.7', description: 'Keeps "things".', errorCodes: [] }
const CHROME = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const hidden = route('GET /api/admin/things', {
  does: 'List things.',
  access: { kinds: ['staff'] },
  handle: async () => {},
})

let server: Rig
beforeAll(async () => {
  server = await rig([hidden, ...readiness([]).routes], { docs })
})
afterAll(() => server.close())

const get = (path: string, accept?: string) =>
  server.call('GET', path, accept === undefined ? {} : { headers: { accept } })

describe('GET /', () => {
  it.each([undefined, '*/*', 'application/json'])('tells programs what this is (Accept: %s)', async (accept) => {
    const { status, headers, json } = await get('/', accept)
    expect([status, headers['content-type'], headers['vary']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'Accept',
    ])
    expect(json).toEqual({
      name: docs.title,
      version: docs.version,
      description: docs.description,
      links: { documentation: '/api/docs', openapi: '/api/openapi.json', health: '/api/health' },
    })
    for (const path of Object.values<string>(json.links)) expect((await get(path)).status, path).toBe(200)
  })

  it('shows a browser a page under a policy that allows its own style only', async () => {
    const { status, headers, text } = await get('/', CHROME)
    expect([status, headers['content-type'], headers['vary']]).toEqual([200, 'text/html; charset=utf-8', 'Accept'])
    const [, style] = /<style>([^]*?)<\/style>/.exec(text)!
    const hash = createHash('sha256').update(style!).digest('base64')
    expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`)
    expect(text).toContain('<title>Things &amp; &lt;more&gt;</title>')
    expect(text).toContain('Version 9.8.7. Keeps &quot;things&quot;.')
    for (const path of ['/api/docs', '/api/openapi.json', '/api/health']) expect(text).toContain(`href="${path}"`)
    expect(text).not.toMatch(/<script|\son\w+=|style=/)
  })

  it('tells nothing beside the title, the version and the description of the documentation', async () => {
    for (const accept of [CHROME, '*/*']) expect((await get('/', accept)).text).not.toContain('admin')
  })

  it('names no link that does not answer', async () => {
    const bare = await rig([hidden], { docs })
    const { json } = await bare.call('GET', '/')
    await bare.close()
    expect(json.links).toEqual({ documentation: '/api/docs', openapi: '/api/openapi.json' })
  })

  it.each([
    ['POST', '/'],
    ['DELETE', '/'],
    ['GET', '//'],
    ['GET', '/api'],
    ['GET', '/index.html'],
  ])('%s %s tells a stranger nothing', async (method, path) => {
    const nowhere = await server.call(method, '/no/such/path')
    const { status, json } = await server.call(method, path)
    expect([status, json]).toEqual([404, nowhere.json])
  })
})

describe('of several types', () => {
  it.each([
    [undefined, 'a/json'],
    ['', 'a/json'],
    ['*/*', 'a/json'],
    ['b/html', 'b/html'],
    ['b/*', 'b/html'],
    ['A/JSON;Q=0.5, B/HTML', 'b/html'],
    ['b/html, a/json', 'a/json'],
    ['b/html;q=0.1, */*;q=0.2', 'a/json'],
    ['b/html;q=0, */*', 'a/json'],
    ['b/html;q=0.001,a/json;q=0', 'b/html'],
    ['b/html;q=2', 'a/json'],
    ['b/html;level=1;q=0.9, a/json;q=0.8', 'b/html'],
    ['image/png', 'a/json'],
    [',;q=,/', 'a/json'],
  ])('Accept: %j likes %s best', (accept, best) => {
    expect(preferredType(['a/json', 'b/html'], accept)).toBe(best)
  })
})
