/** The plan of the house, kept: where things lie, what they are called, who may import whom, and what no file may do. */
import { readFileSync, readdirSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sections } from '#licensing/index'
import { sections as panelSections } from '#panel/index'
import { auditTrail } from '#projections/audit-trail'
import { routes } from '../../src/composition/licensing.ts'
import { routes as panelRoutes } from '../../src/composition/panel.ts'

const ROOT = join(import.meta.dirname, '../..')

const filesUnder = (directory: string): string[] =>
  readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|sql)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const source = [...filesUnder('src'), ...filesUnder('projections')]
/** `identity` is no section: like the kernel's, it is who calls, and what every section asks of him. */
const SERVICES = [
  { service: 'licensing', sections, routes },
  { service: 'panel', sections: panelSections, routes: panelRoutes },
] as const

const inFoldersOf = (service: string): string[] =>
  filesUnder(`src/${service}`).filter(
    (file) => file.split('/').length > 3 && !file.startsWith(`src/${service}/identity/`),
  )

/** Where the path's first word is not the section's name: the contract's path, the house's folder. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'GET /api/v1/license/keys': 'license-api',
  'GET /api/v1/license/versions': 'license-api',
  'POST /api/v1/license/activate': 'license-api',
  'POST /api/v1/license/heartbeat': 'license-api',
  'POST /api/v1/license/deactivate': 'license-api',
  'GET /api/v1/license/crl': 'license-api',
  'GET /install.sh': 'provisioning',
  'POST /api/webhooks/payments/:provider': 'payments',
  'PATCH /api/projects/:id/quota': 'quotas',
  'GET /api/projects/:id/resource-quota': 'quotas',
  'PATCH /api/projects/:id/resource-quota': 'quotas',
}

describe.each(SERVICES)('the service $service', ({ service, sections, routes }) => {
  const inFolders = inFoldersOf(service)

  test('a section has events, decider, routes and reactions, and no fifth kind of file', () => {
    const strange = inFolders.filter((file) => !/\/(events|decider|routes|reactions)\.ts$/.test(file))
    expect(strange).toEqual([])
  })

  test('sections, folders and read models have the same names', () => {
    const folders = new Set(inFolders.map((file) => file.split('/')[2]!))
    expect([...folders].toSorted()).toEqual(sections.map(({ name }) => name).toSorted())
    const projections = filesUnder(`projections/${service}`).map((file) => file.split('/')[2]!.replace('.ts', ''))
    expect(projections.filter((name) => !folders.has(name))).toEqual([])
    for (const { name, readModels } of sections)
      if (readModels.some((model) => model !== auditTrail)) expect(projections).toContain(name)
  })

  test('a route lies in the folder of its first path segment', () => {
    for (const { name, routes } of sections)
      for (const { line, path } of routes)
        expect(ELSEWHERE[line] ?? path.replace(/^\/api\/(admin\/)?/, '').split('/')[0], line).toBe(name)
  })

  test('every section with routes has a test file of its name', () => {
    const tests = filesUnder(`test/${service}`)
    for (const { name, routes } of sections)
      if (routes.length > 0) expect(tests, name).toContain(`test/${service}/${name}.test.ts`)
  })

  test('every route is declared once and says what it does', () => {
    expect(new Set(routes.map(({ line }) => line)).size).toBe(routes.length)
    for (const { does, line } of routes) expect(does, line).toMatch(/^[A-Z].*[.!?)]$/s)
  })

  test('every event declares an audit sentence in the past tense of its own, and one place', () => {
    const types = sections.flatMap(({ streams }) => streams.flatMap(({ types }) => types))
    const actions = new Set(types).size
    expect(new Set(types.map(({ action }) => action)).size, 'no two events share an action').toBe(actions)
  })
})

const importsOf = (file: string): string[] =>
  [...textOf(file).matchAll(/^(?:import|export) [^'"]*from '([^']+)'|^import '([^']+)'/gm)].map(
    ([, from, bare]) => from ?? bare!,
  )

/** House rule 4, as far as a file's place decides it. */
const MAY_IMPORT: readonly (readonly [files: RegExp, allowed: RegExp])[] = [
  [/^src\/kernel\//, /^(?!#|.*\/(licensing|panel|projections|cli)\/)|^#kernel\//],
  [
    /^src\/(licensing|panel)\/.*events\.ts$/,
    /^(#kernel\/(event|instant|name|places|settings\/events|realm\/(realm-names|session-events|proof-events))|zod|(\.\.\/)+[a-z-]+\/events\.ts|(\.\.\/)+identity\/(permissions|rights)\.ts)$/,
  ],
  [
    /^src\/(licensing|panel)\/.*decider\.ts$/,
    /^(#kernel\/(event|decider|instant|places|rejection|wide-map|realm\/(refusals|account-rules|session-rules|session-decisions|proof-decisions|links))|zod|(\.|\.\.)\/events\.ts|\.\/[a-z-]+\/decider\.ts|(\.\.\/)+[a-z-]+\/(events|decider)\.ts|(\.\.\/)+identity\/(permissions|rights)\.ts)$/,
  ],
  [/^projections\//, /^(#kernel\/|#projections\/|\.\/|kysely$|zod$|#(licensing|panel)\/([a-z0-9-]+\/)+events$)/],
  [/^src\/licensing\//, /^(?!.*[/#](panel|cli)\/)(?!.*\/(app|main|config)\.ts$)/],
  [/^src\/panel\//, /^(?!.*[/#](licensing|cli)\/)(?!.*\/(app|main|config)\.ts$)/],
  [/^src\/license-client\//, /^(#kernel\/|\.\/|node:|zod$)/],
]

test('nobody imports what is not his to know', () => {
  const wrong = source.flatMap((file) =>
    MAY_IMPORT.filter(([files]) => files.test(file)).flatMap(([, allowed]) =>
      importsOf(file)
        .filter((from) => !allowed.test(from))
        .map((from) => `${file} imports ${from}`),
    ),
  )
  expect(wrong).toEqual([])
})

/** What no file of `where` may say, and why. */
const NEVER: readonly (readonly [what: RegExp, where: RegExp, except: RegExp, why: string])[] = [
  [
    /\bDate\.now\(|new Date\(\)|Math\.random|randomUUID|randomBytes|performance\.now/,
    /decider\.ts$/,
    /^$/,
    'rules are pure',
  ],
  [/\bDate\.now\(|new Date\(\)/, /^(src\/licensing|src\/panel|projections)\//, /^$/, 'time is the database’s'],
  [/process\.env/, /^(src|projections)\//, /^src\/(config|cli\/)/, 'the environment is read in one place'],
  [
    /\benv(\.|\[['"`]?)[A-Z]/,
    /^(src|projections)\//,
    /^$/,
    'a variable is read as it is declared: --help names it then',
  ],
  [
    /\bctx\.(ip|ips|host|hostname|href|origin|protocol|secure|redirect)\b|router\.use/,
    /^src\//,
    /^$/,
    'callers can write these',
  ],
  [/\bexec(Sync)?\(|shell: true/, /^(src|projections)\//, /^$/, 'no shell'],
  [/\blogger\(/, /^src\//, /^src\/(kernel|cli)\/log\.ts$/, 'every log holds back what the environment says in secret'],
  [/sql\.raw/, /^(src|projections)\//, /^src\/kernel\/(rebuild|store\/migrate)\.ts$/, 'input must not become SQL'],
  [
    /\b(TODO|FIXME|XXX)\b|lint-disable|@ts-ignore|@ts-expect-error/,
    /^(src|projections|migrations)\//,
    /^$/,
    'nothing is left for later',
  ],
  [/from 'csv-stringify/, /^src\//, /^src\/kernel\/csv\.ts$/, 'spreadsheets compute what others write'],
  [/console\./, /^(src|projections)\//, /^src\/(main\.ts|cli\/)/, 'what is not for people at a terminal is logged'],
]

test.each(NEVER)('no file says %s: %s', (what, where, except, why) => {
  const guilty = [...source, ...filesUnder('migrations')].filter(
    (file) => where.test(file) && !except.test(file) && what.test(textOf(file).replaceAll(/\.exec\(/g, '')),
  )
  expect(guilty, why).toEqual([])
})
