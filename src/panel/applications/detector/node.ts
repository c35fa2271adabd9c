/** Programs and sites of Node.js, with npm, pnpm or Yarn. */
import { args, cmd, from, PLAIN_PATH, port, run, textOf } from './dockerfile.ts'
import type { DetectorOptions, Ecosystem, Recipe } from './ecosystem.ts'
import { textsIn } from './source-files.ts'
import type { SourceFiles } from './source-files.ts'
import { served } from './static.ts'

const USUAL_PORT = 3_000
/** Where tools put the site that they build. */
const OUTPUT_OF: Readonly<Record<string, string>> = {
  'react-scripts': 'build',
  '@docusaurus/core': 'build',
  '@11ty/eleventy': '_site',
  gatsby: 'public',
  '@vue/cli-service': 'dist',
  parcel: 'dist',
  astro: 'dist',
  vite: 'dist',
}
const ENTRIES = ['server.js', 'index.js', 'app.js', 'main.js', 'src/index.js', 'src/server.js']

type Package = Readonly<Record<string, unknown>>

interface Tool {
  readonly name: 'npm' | 'pnpm' | 'yarn'
  readonly install: readonly string[]
  readonly notes: readonly string[]
}

const exact = (name: Tool['name'], ...install: readonly string[]): Tool => ({ name, install, notes: [] })

function toolOf(source: SourceFiles, { packageManager }: Package): Tool {
  const named = typeof packageManager === 'string' ? packageManager : ''
  const isNewYarn = source.has('.yarnrc.yml') || /^yarn@(?:[2-9]|\d\d)/.test(named)
  if (source.has('pnpm-lock.yaml')) return exact('pnpm', 'pnpm', 'install', '--frozen-lockfile')
  if (source.has('yarn.lock')) return exact('yarn', 'yarn', 'install', isNewYarn ? '--immutable' : '--frozen-lockfile')
  if (source.has('package-lock.json') || source.has('npm-shrinkwrap.json')) return exact('npm', 'npm', 'ci')
  const name = named.startsWith('pnpm@') ? 'pnpm' : named.startsWith('yarn@') ? 'yarn' : 'npm'
  return { name, install: [name, 'install'], notes: ['There is no lock file, so each build may take other packages.'] }
}

/** What starts the program. Undefined: it is a site that is built, or nothing that can be started. */
function startOf(source: SourceFiles, about: Package, { name }: Tool): readonly string[] | undefined {
  const script = textsIn(about, 'scripts').get('start')
  const direct = script === undefined ? undefined : /^node ((?:\.\/)?[\w.-]+(?:\/[\w.-]+)*)$/.exec(script)?.[1]
  if (direct !== undefined) return ['node', direct]
  if (script !== undefined) return [name, 'run', 'start']
  const { main } = about
  if (typeof main === 'string' && PLAIN_PATH.test(main) && source.has(main)) return ['node', main]
  const entry = ENTRIES.find((path) => source.has(path))
  return entry === undefined ? undefined : ['node', entry]
}

const outputOf = (about: Package): string | undefined => {
  const uses = [...textsIn(about, 'dependencies').keys(), ...textsIn(about, 'devDependencies').keys()]
  const tool = Object.keys(OUTPUT_OF).find((name) => uses.includes(name))
  return tool === undefined ? undefined : OUTPUT_OF[tool]
}

function built(about: Package, tool: Tool, { baseImages, buildArgs }: DetectorOptions, stage?: string): string[] {
  const hasBuild = textsIn(about, 'scripts').has('build')
  return [
    from(baseImages.node, stage),
    'WORKDIR /app',
    ...args(buildArgs),
    ...(tool.name === 'npm' ? [] : [run('corepack', 'enable')]),
    'COPY . .',
    run(...tool.install),
    ...(hasBuild ? [run(tool.name, 'run', 'build')] : []),
  ]
}

export const node: Ecosystem = (source, options): Recipe | undefined => {
  if (!source.has('package.json')) return undefined
  const about = source.jsonOf('package.json') ?? {}
  const tool = toolOf(source, about)
  const [start, output] = [startOf(source, about, tool), outputOf(about)]
  if (start === undefined && output !== undefined) {
    const { lines, port: number } = served(`--from=build /app/${output}`, options.baseImages, options.port)
    const notes = [...tool.notes, `The site that is built in ${output} is served.`]
    return { dockerfile: textOf([...built(about, tool, options, 'build'), ...lines]), port: number, notes }
  }
  const number = options.port ?? USUAL_PORT
  const lines = [
    ...built(about, tool, options),
    'ENV NODE_ENV=production',
    ...port(number),
    cmd(...(start ?? ['node', '.'])),
  ]
  const unsure = start === undefined ? ['package.json has no start script: add one.'] : []
  return { dockerfile: textOf(lines), port: number, notes: [...tool.notes, ...unsure] }
}
