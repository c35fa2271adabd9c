/**
 * Compares the panel's routes with the catalog of its contract: method, path, credential and scope. A route
 * of the catalog that no stage has built is not registered.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WEBHOOK } from '#kernel/http/signed-delivery'
import { KEY, SSE } from '#panel/access/access'
import { PROJECT_PERMISSIONS } from '#panel/access/permissions'
import { routes } from '../../src/composition/panel.ts'
import { byLine, catalog, HEALTH } from '../support/panel/catalog.ts'
import { STAGE_1 } from '../support/panel/stage-1-routes.ts'
import { STAGE_2 } from '../support/panel/stage-2-routes.ts'
import { STAGE_3 } from '../support/panel/stage-3-routes.ts'

const built = [...routes.map(({ line }) => line as string), ...HEALTH]

test('the catalog is whole', () => {
  expect(catalog).toHaveLength(468)
  expect(byLine.size).toBe(468)
  expect(catalog.filter(({ scope }) => scope !== null)).toHaveLength(62)
  expect(new Set(catalog.flatMap(({ scope }) => scope ?? [])).size).toBe(21)
  expect(STAGE_1).toHaveLength(137)
  expect(STAGE_1.filter((line) => byLine.get(line)!.scope !== null)).toHaveLength(8)
})

test('what is built agrees with the catalog', () => {
  for (const { line, access, upload } of routes) {
    const entry = byLine.get(line)
    expect(entry, `${line} stands in the catalog`).toBeDefined()
    const { auth, scope, raw_body: isRaw = false } = entry!
    const isOpenToKeys = access.kinds.includes(KEY)
    expect(isOpenToKeys, `${line} open to keys`).toBe(auth === 'session-or-key')
    expect(access.scope ?? null, `${line} scope`).toBe(scope)
    expect(access.scheme === SSE, `${line} by an SSE token`).toBe(auth === 'sse')
    expect(access.scheme === WEBHOOK, `${line} by a signature`).toBe(auth === 'webhook')
    expect(upload !== undefined, `${line} takes raw bytes`).toBe(isRaw)
    // Logout accepts the cookie alone when the session has run out (security.md A12), so its handler checks the
    // proof.
    if (line !== 'POST /api/auth/logout') expect(access.kinds.length === 0, `${line} public`).toBe(auth === 'public')
  }
})

const STAGES = [...STAGE_1, ...STAGE_2, ...STAGE_3]

test('what is built are the first three stages, whole, and nothing beyond them', () => {
  const keyReachable = built.filter((line) => (byLine.get(line)?.scope ?? null) !== null).length
  console.log(`built ${built.length} of ${catalog.length} (${keyReachable} of 62 key-reachable)`)
  expect(built.toSorted()).toEqual(STAGES.toSorted())
  expect([STAGE_2.length, STAGE_3.length, built.length, keyReachable]).toEqual([54, 77, 268, 26])
})

const ROOT = join(import.meta.dirname, '../..')
const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** Words of permissions without a route. As soon as a route exists, its word may appear in texts. */
function unbuilt(): string[] {
  const segments = new Set<string>(routes.flatMap(({ path }) => path.split('/')))
  const areas = new Set(PROJECT_PERMISSIONS.map((permission) => permission.split(':')[0]!))
  return [...areas].filter((area) => !segments.has(area === 'apps' ? 'applications' : area))
}

/**
 * Literals of more than one word, which are texts for people: descriptions, mails, sentences of the audit
 * trail, errors.
 */
function sentencesOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '')
  return [...code.matchAll(/'([^'\n]* [^'\n]*)'|`([^`]* [^`]*)`/g)].map(([, quoted, template]) => quoted ?? template!)
}

test('no text of the panel speaks of what is not built as if it were there', () => {
  expect(unbuilt()).toEqual(['databases', 'domains', 'backups'])
  const spoken = new RegExp(`\\b(${unbuilt().join('|')})\\b(?!:)`, 'i')
  const files = ['src/panel', 'projections/panel'].flatMap((directory) =>
    readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => `${directory}/${file}`),
  )
  const texts = [...files, 'src/composition/panel.ts'].flatMap((file) =>
    sentencesOf(textOf(file)).map((text) => [file, text]),
  )
  expect(texts.length).toBeGreaterThan(500)
  expect(texts.filter(([, text = '']) => spoken.test(text))).toEqual([])
  const pages = readdirSync(join(ROOT, 'docs/panel')).map((file) => `docs/panel/${file}`)
  const lines = pages.flatMap((page) => textOf(page).split('\n'))
  expect(lines.filter((line) => spoken.test(line))).toEqual([])
  for (const page of ['README.md', 'docs/panel/api.md'])
    expect(textOf(page)).toContain(`${STAGES.length} of ${catalog.length} routes`)
})
