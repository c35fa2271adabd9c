/** Programs of Python, with pip. */
import { args, cmd, from, port, run, textOf } from './dockerfile.ts'
import type { Ecosystem } from './ecosystem.ts'
import type { SourceFiles } from './source-files.ts'

const USUAL_PORT = 8_000
const MANIFESTS = ['requirements.txt', 'pyproject.toml', 'Pipfile', 'setup.py']
const PROGRAMS = ['main.py', 'app.py', 'server.py', 'wsgi.py', 'asgi.py']

interface Start {
  readonly argv: readonly string[]
  readonly notes: readonly string[]
}

const DEVELOPMENT = 'It is served by a server for development: add gunicorn to its requirements.'

function djangoStart(source: SourceFiles, uses: (name: string) => boolean, at: string): Start {
  const wsgi = source.entries.map((path) => /^(\w+)\/wsgi\.py$/.exec(path)?.[1]).find((name) => name !== undefined)
  return wsgi !== undefined && uses('gunicorn')
    ? { argv: ['gunicorn', '--bind', at, `${wsgi}.wsgi`], notes: [] }
    : { argv: ['python', 'manage.py', 'runserver', '--noreload', at], notes: [DEVELOPMENT] }
}

function startOf(source: SourceFiles, uses: (name: string) => boolean, number: number): Start {
  const at = `0.0.0.0:${number}`
  if (source.has('manage.py')) return djangoStart(source, uses, at)
  const program = PROGRAMS.find((path) => source.has(path))
  if (program === undefined)
    return { argv: ['python', 'main.py'], notes: [`None of ${PROGRAMS.join(', ')} is there: set a command.`] }
  const module = program.slice(0, -'.py'.length)
  if (uses('fastapi') || uses('starlette'))
    return { argv: ['uvicorn', `${module}:app`, '--host', '0.0.0.0', '--port', `${number}`], notes: [] }
  if (uses('gunicorn')) return { argv: ['gunicorn', '--bind', at, `${module}:app`], notes: [] }
  if (uses('flask'))
    return { argv: ['flask', '--app', module, 'run', '--host', '0.0.0.0', '--port', `${number}`], notes: [DEVELOPMENT] }
  return { argv: ['python', program], notes: [] }
}

export const python: Ecosystem = (source, { baseImages, port: asked, buildArgs }) => {
  const isPython = [...MANIFESTS, ...PROGRAMS, 'manage.py'].some((path) => source.has(path))
  if (!isPython) return undefined
  const manifests = MANIFESTS.map((path) => source.textOf(path) ?? '')
    .join('\n')
    .toLowerCase()
  const uses = (name: string) => new RegExp(`(?:^|[\\s"'\`,\\[])${name}(?![\\w.-])`).test(manifests)
  const number = asked ?? USUAL_PORT
  const { argv, notes } = startOf(source, uses, number)
  const packages = source.has('requirements.txt') ? ['-r', 'requirements.txt'] : ['.']
  const isInstalled = ['requirements.txt', 'pyproject.toml', 'setup.py'].some((path) => source.has(path))
  const lines = [
    from(baseImages.python),
    'WORKDIR /app',
    ...args(buildArgs),
    'ENV PYTHONUNBUFFERED=1',
    'COPY . .',
    ...(isInstalled ? [run('pip', 'install', '--no-cache-dir', ...packages)] : []),
    ...port(number),
    cmd(...argv),
  ]
  return { dockerfile: textOf(lines), port: number, notes }
}
