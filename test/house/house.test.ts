/**
 * Checks the layout: where files are, what they are called, which files may import which, and what no file
 * may contain.
 */
import { readFileSync, readdirSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sections } from '#licensing/index'
import { sections as panelSections } from '#panel/index'
import { auditTrail } from '#projections/audit-trail'
import { routes } from '../../src/composition/licensing.ts'
import { routes as panelRoutes } from '../../src/composition/panel.ts'

const ROOT = join(import.meta.dirname, '../..')

const filesUnder = (directory: string): string[] =>
  readdirSync(join(ROOT, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|mjs|sql)$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted()

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')
const source = [...filesUnder('src'), ...filesUnder('projections')]
const SERVICES = [
  { service: 'licensing', sections, routes },
  { service: 'panel', sections: panelSections, routes: panelRoutes },
] as const

/** Folders of a service that are not sections. */
const NO_SECTION = ['access', 'workflows', 'adapters']

const sectionFoldersOf = (service: string): string[] =>
  [...new Set(filesUnder(`src/${service}`).map((file) => file.split('/')[2]!))]
    .filter((name) => name !== 'index.ts' && !NO_SECTION.includes(name))
    .toSorted()

/** Routes whose first path segment is not the name of their section, because the contract fixes the path. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'GET /api/v1/license/keys': 'license-api',
  'GET /api/v1/license/versions': 'license-api',
  'POST /api/v1/license/activate': 'license-api',
  'POST /api/v1/license/heartbeat': 'license-api',
  'POST /api/v1/license/deactivate': 'license-api',
  'GET /api/v1/license/crl': 'license-api',
  'GET /install.sh': 'provisioning',
  'GET /api/shop/announcements': 'announcements',
  'POST /api/webhooks/payments/:provider': 'payments',
  'POST /api/webhooks/applications/:id': 'applications',
  'POST /api/admin/agents/update': 'agent',
  'GET /api/projects/:id/mesh': 'servers',
  'GET /api/git/providers': 'git-providers',
  'PATCH /api/projects/:id/quota': 'quotas',
  'GET /api/projects/:id/resource-quota': 'quotas',
  'PATCH /api/projects/:id/resource-quota': 'quotas',
}

test('every section of the panel says who sees the events of each of its streams', () => {
  for (const { name, streams, visibleTo } of panelSections)
    expect(Object.keys(visibleTo).toSorted(), name).toEqual(streams.map((each) => each.name).toSorted())
})

describe.each(SERVICES)('the service $service', ({ service, sections, routes }) => {
  test('sections, folders and read models have the same names', () => {
    const folders = sectionFoldersOf(service)
    expect(folders).toEqual(sections.map(({ name }) => name).toSorted())
    const projections = filesUnder(`projections/${service}`).map((file) => file.split('/')[2]!.replace('.ts', ''))
    expect(projections.filter((name) => !folders.includes(name))).toEqual([])
    for (const { name, readModels } of sections)
      if (readModels.some((model) => model !== auditTrail)) expect(projections).toContain(name)
  })

  test('every section has an index.ts, and the index of the service is one line a section', () => {
    for (const name of sectionFoldersOf(service)) expect(source).toContain(`src/${service}/${name}/index.ts`)
    const imported = importsOf(`src/${service}/index.ts`).filter(
      (from) => from.startsWith('./') && !NO_SECTION.includes(from.split('/')[1]!),
    )
    expect(imported.toSorted()).toEqual(sectionFoldersOf(service).map((name) => `./${name}/index.ts`))
  })

  test('a route lies in the folder of its first path segment', () => {
    for (const { name, routes } of sections)
      for (const { line, path } of routes)
        expect(ELSEWHERE[line] ?? path.replace(/^\/api\/(admin\/)?/, '').split('/')[0], line).toBe(name)
  })

  test('every section with routes has a folder of tests', () => {
    const tests = filesUnder(`test/${service}`).map((file) => file.split('/')[2])
    for (const { name, routes } of sections) if (routes.length > 0) expect(tests, name).toContain(name)
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

/** The role of a file, by its path. The first match decides. */
const ROLES = [
  ['kernel', /^src\/kernel\//],
  ['license-client', /^src\/license-client\//],
  ['tasks', /^src\/tasks\//],
  ['agent', /^src\/agent\//],
  ['api-client', /^src\/api-client\//],
  ['projections', /^projections\//],
  ['vocabulary', /^src\/(licensing|panel)\/access\/(permissions|rights)\.ts$/],
  ['access', /^src\/(licensing|panel)\/access\//],
  ['workflows', /^src\/(licensing|panel)\/workflows\//],
  ['adapters', /^src\/(licensing|panel)\/adapters\//],
  ['index', /^src\/(licensing|panel)\/(.+\/)?index\.ts$/],
  ['events', /^src\/(licensing|panel)\/.+\/events\.ts$/],
  ['rules', /^src\/(licensing|panel)\/.+[/-]rules\.ts$/],
  ['decider', /^src\/(licensing|panel)\/.+\/decider\.ts$/],
  ['resource', /^src\/(licensing|panel)\/.+\/(resource|records|operation)\.ts$/],
  ['views', /^src\/(licensing|panel)\/.+\/views\.ts$/],
  ['routes', /^src\/(licensing|panel)\/.+\/routes\.ts$/],
  ['reactions', /^src\/(licensing|panel)\/.+\/reactions\.ts$/],
  ['part', /^src\/(licensing|panel)\/[^/]+\//],
  ['web-build', /^src\/web\/build(\.ts|\/)/],
  ['web-pages', /^src\/web\/([^/]+|.+\/pages)\.ts$/],
  ['web', /^src\/web\//],
  ['config', /^src\/config\//],
  ['composition', /^src\//],
] as const satisfies readonly (readonly [role: string, files: RegExp])[]
type Role = (typeof ROLES)[number][0]

const VOCABULARY: readonly Role[] = ['kernel', 'license-client', 'vocabulary']
const EVENTS: readonly Role[] = [...VOCABULARY, 'events']
const RULES: readonly Role[] = [...EVENTS, 'rules']
/** A resource, a record or an operation of the kit is its events and its decider in one declaration. */
const DECIDERS: readonly Role[] = [...RULES, 'decider', 'resource']
/** A part is a file of a section with a name of its own, such as the keeper of the panel's license. */
const SERVICE: readonly Role[] = [
  ...DECIDERS,
  'tasks',
  'projections',
  'views',
  'part',
  'access',
  'workflows',
  'adapters',
]

/** Which role may import which. Sections of one service may use each other's files by the same table. */
const MAY_IMPORT: Readonly<Record<Role, readonly Role[]>> = {
  kernel: ['kernel'],
  'license-client': ['kernel', 'license-client'],
  /** What agents and panels share: declarations of kinds, envelopes, messages. */
  tasks: ['kernel', 'tasks'],
  agent: ['kernel', 'tasks', 'agent'],
  /** A package of its own, which browsers load too. */
  'api-client': ['api-client'],
  vocabulary: VOCABULARY,
  events: EVENTS,
  rules: RULES,
  decider: DECIDERS,
  resource: DECIDERS,
  projections: ['kernel', 'events', 'resource', 'projections'],
  views: [...DECIDERS, 'projections', 'views'],
  part: SERVICE,
  access: SERVICE,
  workflows: SERVICE,
  /** The forms of an outside system's secrets are read by its adapter and by the configuration, which loads no adapter. */
  adapters: [...SERVICE, 'config'],
  routes: SERVICE,
  reactions: SERVICE,
  index: [...SERVICE, 'routes', 'reactions', 'index'],
  /** What browsers run: the services reach it as built files only. */
  web: ['web', 'web-pages', 'api-client'],
  /** The lists of pages, which browsers and services import. */
  'web-pages': ['web-pages', 'api-client'],
  'web-build': ['kernel', 'web-pages', 'web-build'],
  config: [...SERVICE, 'config', 'composition', 'web-pages'],
  /** The command line runs the agent, and starts it beside the panel. */
  composition: [...SERVICE, 'index', 'config', 'composition', 'web-pages', 'web-build', 'agent'],
}

/** The aliases of package.json, as `['#kernel/', 'src/kernel/']`. */
const ALIASES = Object.entries<string>(JSON.parse(textOf('package.json')).imports).map(([name, path]) => [
  name.replace('*', ''),
  path.replace(/^\.\//, '').replace('*.ts', ''),
])

/** The file that an import names; undefined for packages and Node's own modules. */
function targetOf(file: string, from: string): string | undefined {
  for (const [alias, folder] of ALIASES) if (from.startsWith(alias!)) return `${folder}${from.slice(alias!.length)}.ts`
  return from.startsWith('.') ? join(dirname(file), from).split(sep).join('/') : undefined
}

const roleOf = (file: string): Role => ROLES.find(([, files]) => files.test(file))![0]
const serviceOf = (file: string): string | undefined => /^(?:src|projections)\/(licensing|panel)\//.exec(file)?.[1]

const arrows = source.flatMap((file) =>
  importsOf(file).flatMap((from) => {
    const target = targetOf(file, from)
    return target === undefined || !/\.tsx?$/.test(target) ? [] : [{ file, target }]
  }),
)

test('imports follow the table of roles', () => {
  const wrong = arrows.filter(({ file, target }) => !MAY_IMPORT[roleOf(file)].includes(roleOf(target)))
  expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
  expect(arrows.length).toBeGreaterThan(2_000)
})

/** Files of the kernel that an agent loads: without a database and a server. */
const AGENT_KERNEL = /^src\/kernel\/(credentials\/jws|lib\/[a-z-]+|outbound\/[a-z-]+)\.ts$/

test('an agent has no database, no server and no shell, and needs no package but zod', () => {
  const files = source.filter((file) => ['agent', 'tasks'].includes(roleOf(file)))
  const packages = files.flatMap((file) => importsOf(file).filter((from) => targetOf(file, from) === undefined))
  expect(packages.filter((from) => from !== 'zod' && !isBuiltin(from))).toEqual([])
  expect(packages.filter((from) => /cluster|node:repl|node:vm/.test(from))).toEqual([])
  // Two files start programs, by lists of arguments: those of tasks, and the proxy, which runs on.
  const starters = files.filter((file) => importsOf(file).some((from) => from.includes('child_process')))
  expect(starters).toEqual(['src/agent/proxy/program.ts', 'src/agent/run-program.ts'])
  for (const each of starters) expect(textOf(each)).not.toMatch(/\bshell\b\s*:|\bexec(?:Sync)?\(/)
  const kernel = arrows.filter(({ file, target }) => files.includes(file) && roleOf(target) === 'kernel')
  expect(kernel.filter(({ target }) => !AGENT_KERNEL.test(target))).toEqual([])
  expect(files.length).toBeGreaterThan(3)
})

test('browser code imports no module of Node', () => {
  const browser = source.filter((file) => ['web', 'web-pages', 'api-client'].includes(roleOf(file)))
  const wrong = browser.flatMap((file) => importsOf(file).filter((from) => isBuiltin(from)))
  expect(wrong).toEqual([])
  expect(browser.length).toBeGreaterThan(5)
})

/** The files that an import of this one loads: without what only types are taken from, and without `import()`. */
function loadedBy(file: string): string[] {
  const loaded = [...textOf(file).matchAll(/^(?:import|export) (?!type )[^'"]*from '([^']+)'/gm)]
  return loaded.flatMap(([, from]) => targetOf(file, from!) ?? []).filter((target) => /\.tsx?$/.test(target))
}

test('the schemas of operations are loaded with the page that uses them', () => {
  const entry = new Set(source.filter((file) => /^src\/web\/[^/]+\/main\.tsx$/.test(file)))
  for (const file of entry) for (const target of loadedBy(file)) entry.add(target)
  const uses = source
    .filter((file) => file.startsWith('src/web/'))
    .flatMap((file) => loadedBy(file).map((target) => ({ file, target })))
    .filter(({ target }) => /^src\/api-client\/(licensing|panel)\b/.test(target))
  const isRight = ({ file, target }: (typeof uses)[number]): boolean =>
    target.endsWith('/bare.ts') ? entry.has(file) : !entry.has(file) && /(licensing|panel)\//.test(target)
  const wrong = uses.filter((use) => !isRight(use)).map(({ file, target }) => `${file} imports ${target}`)
  expect(wrong, 'what a surface begins with imports `bare`, a page the module of a section').toEqual([])
  expect(uses.filter(({ file }) => entry.has(file)).length).toBeGreaterThan(5)
  expect(uses.length).toBeGreaterThan(100)
})

/** A longer page holds a part with a name of its own. */
const PAGE_LINES_MAX = 120

test('a page is short', () => {
  const pages = source.filter((file) => /^src\/web\/(back-office|panel|shop)\/.*\.tsx$/.test(file))
  expect(pages.filter((file) => textOf(file).trimEnd().split('\n').length > PAGE_LINES_MAX)).toEqual([])
})

test('neither service imports the other', () => {
  const wrong = arrows.filter(({ file, target }) => {
    const [own, others] = [serviceOf(file), serviceOf(target)]
    return own !== undefined && others !== undefined && own !== others
  })
  expect(wrong).toEqual([])
})

/** Packages that files of a pure role may import. */
const PURE: readonly (readonly [role: Role, allowed: RegExp])[] = [
  ['events', /^zod$/],
  ['rules', /^zod$/],
  ['decider', /^zod$/],
  ['resource', /^zod$/],
  ['projections', /^(zod|kysely(?:\/helpers\/postgres)?)$/],
  ['api-client', /^$/],
]

/** Files of the kernel that declarations and rules may use: without input, output, clock or random source. */
const PURE_KERNEL =
  /^src\/kernel\/(events\/(event|decider|memberships)|lib\/(timestamps|rejection|persistent-map|display-text|without-key|record-states)|auth\/[a-z-]+|resource\/(fields|resource|record|operation|settings-(events|decider)))\.ts$/

test('events, rules and deciders are pure, and the client of the APIs needs no package', () => {
  const wrong = source.flatMap((file) => {
    const role = roleOf(file)
    const packages = importsOf(file).filter((from) => targetOf(file, from) === undefined)
    const allowed = PURE.find(([each]) => each === role)?.[1]
    return allowed ? packages.filter((from) => !allowed.test(from)).map((from) => `${file} imports ${from}`) : []
  })
  const impure = arrows.filter(
    ({ file, target }) =>
      ['events', 'rules', 'decider', 'resource'].includes(roleOf(file)) &&
      roleOf(target) === 'kernel' &&
      !PURE_KERNEL.test(target),
  )
  expect(wrong).toEqual([])
  expect(impure).toEqual([])
})

const roomOf = (file: string): string => file.split('/')[2]!

test('no circle between the rooms of the kernel, types included', () => {
  const inKernel = arrows.filter(({ file, target }) => roleOf(file) === 'kernel' && roleOf(target) === 'kernel')
  const to = Map.groupBy(inKernel, ({ file }) => roomOf(file))
  const reachable = (room: string, seen: Set<string> = new Set()): Set<string> => {
    for (const { target } of to.get(room) ?? []) {
      const next = roomOf(target)
      if (next !== room && !seen.has(next)) reachable(next, seen.add(next))
    }
    return seen
  }
  const rooms = [...to.keys()]
  expect(rooms.length).toBeGreaterThan(10)
  expect(rooms.filter((room) => reachable(room).has(room))).toEqual([])
})

/** Words of a service in the code of the kernel: its routes, tables, environment variables and roles. Comments are read by people. */
const SERVICE_WORDS =
  /\/api\/(admin|shop|v1)|machine_token|api_key|staff_|user_session|SMTP_URL|DATABASE_URL|SECRET_KEY/

test('the kernel names no route, table or variable of a service', () => {
  const kernel = source.filter((file) => roleOf(file) === 'kernel')
  const lines = kernel.flatMap((file) =>
    textOf(file)
      .split('\n')
      .map((line) => [file, line] as const),
  )
  const named = lines.filter(([, line]) => !/^\s*(\*|\/[/*])/.test(line) && SERVICE_WORDS.test(line))
  expect(named).toEqual([])
  expect(kernel.length).toBeGreaterThan(150)
})

test('no file lies loose in the root of the kernel or of a service', () => {
  const loose = source.filter((file) => /^src\/(kernel|licensing|panel)\/[^/]+$/.test(file))
  expect(loose).toEqual(['src/licensing/index.ts', 'src/panel/index.ts'])
})

/** What no file of `where` may contain, and why. */
const NEVER: readonly (readonly [what: RegExp, where: RegExp, except: RegExp, why: string])[] = [
  [
    /\bDate\.now\(|new Date\(\)|Math\.random|randomUUID|randomBytes|performance\.now/,
    /(decider|rules|resource|records|operation)\.ts$/,
    /^$/,
    'rules are pure',
  ],
  [/\bDate\.now\(|new Date\(\)/, /^(src\/licensing|src\/panel|projections)\//, /^$/, 'time is the database’s'],
  [/process\.env/, /^(src|projections)\//, /^src\/(config|cli)\//, 'the environment is read in one place'],
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
  [
    /\blogger\(/,
    /^src\//,
    /^src\/(kernel\/logging|cli)\/log\.ts$/,
    'every log holds back what the environment says in secret',
  ],
  [
    /sql\.raw/,
    /^(src|projections)\//,
    /^src\/kernel\/(projections\/rebuild|store\/migrate)\.ts$/,
    'input must not become SQL',
  ],
  [
    /\b(TODO|FIXME|XXX)\b|lint-disable|@ts-ignore|@ts-expect-error/,
    /^(src|projections|migrations)\//,
    /^$/,
    'nothing is left for later',
  ],
  [/\b(Kysely|Transaction|SelectQueryBuilder)<any/, /^(src|projections)\//, /^$/, 'a read knows its columns'],
  [/from 'csv-stringify/, /^src\//, /^src\/kernel\/lib\/csv\.ts$/, 'spreadsheets compute what others write'],
  [/dangerouslySetInnerHTML|\.innerHTML\b/, /^src\/web\//, /^$/, 'text is never markup'],
  [/console\./, /^(src|projections)\//, /^src\/(main\.ts|cli\/)/, 'what is not for people at a terminal is logged'],
]

test.each(NEVER)('no file says %s: %s', (what, where, except, why) => {
  const guilty = [...source, ...filesUnder('migrations')].filter(
    (file) => where.test(file) && !except.test(file) && what.test(textOf(file).replaceAll(/\.exec\(/g, '')),
  )
  expect(guilty, why).toEqual([])
})

test('the comment of a file stands above its imports', () => {
  const below = /^import [^\n]*\n\/\*\*(?:(?!\*\/).)*\*\/\nimport /ms
  expect(
    [...source, ...filesUnder('scripts'), ...filesUnder('test')].filter((file) => below.test(textOf(file))),
  ).toEqual([])
})

/** Declarations of different kinds in one list: the compiler has no other type for what they have in common. */
const ANY_MAX = 32

/** Without comments and literals. */
const codeOf = (text: string): string =>
  text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\[\s\S])*`/gm, '')

test('the type any does not spread', () => {
  const places = source.flatMap((file) => codeOf(textOf(file)).match(/(?<![.\w])any\b/g) ?? [])
  expect(places.length).toBeLessThanOrEqual(ANY_MAX)
})
