/** What is recognised in a source, and the Dockerfile that is made for it. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BASE_IMAGES, baseImagesIn } from '#panel/applications/detector/base-images'
import { detect } from '#panel/applications/detector/detect'
import type { DetectorOptions } from '#panel/applications/detector/ecosystem'

const OPTIONS: DetectorOptions = { baseImages: BASE_IMAGES, port: null, buildArgs: [] }
const detected = (texts: Readonly<Record<string, string | object>>, more: Partial<DetectorOptions> = {}) => {
  const files = Object.entries(texts).map(([path, text]) => ({
    path,
    text: typeof text === 'string' ? text : JSON.stringify(text),
  }))
  return detect({ entries: Object.keys(texts), files }, { ...OPTIONS, ...more })
}
const linesOf = ({ dockerfile }: { dockerfile: string | null }) => dockerfile!.trimEnd().split('\n')

test.each([
  [{ 'package-lock.json': '' }, ['RUN ["npm","ci"]'], 'CMD ["npm","run","start"]'],
  [
    { 'pnpm-lock.yaml': '' },
    ['RUN ["corepack","enable"]', 'RUN ["pnpm","install","--frozen-lockfile"]'],
    'CMD ["pnpm","run","start"]',
  ],
  [{ 'yarn.lock': '' }, ['RUN ["yarn","install","--frozen-lockfile"]'], 'CMD ["yarn","run","start"]'],
  [{ 'yarn.lock': '', '.yarnrc.yml': '' }, ['RUN ["yarn","install","--immutable"]'], 'CMD ["yarn","run","start"]'],
])('a program of Node.js is installed by its lock file: %j', (lock, install, start) => {
  const made = detected({ ...lock, 'package.json': { scripts: { start: 'next start', build: 'next build' } } })
  expect(made).toMatchObject({ kind: 'NODE', port: 3_000, notes: [] })
  expect(linesOf(made)).toEqual(expect.arrayContaining([...install, 'ENV PORT=3000', start]))
  expect(linesOf(made)[0]).toBe('FROM node:24-bookworm-slim')
})

test('a script that starts node alone is started without the package manager, which would hold back signals', () => {
  const made = detected({ 'package-lock.json': '', 'package.json': { scripts: { start: 'node src/server.js' } } })
  expect(linesOf(made).at(-1)).toBe('CMD ["node","src/server.js"]')
  const more = detected({ 'package.json': { scripts: { start: 'node a.js; id' } } })
  expect(linesOf(more).at(-1)).toBe('CMD ["npm","run","start"]')
})

test('a site that a tool of Node.js builds is served as files', () => {
  const made = detected({
    'package-lock.json': '',
    'package.json': { scripts: { build: 'vite build' }, devDependencies: { vite: '8' } },
  })
  expect(linesOf(made)).toEqual([
    'FROM node:24-bookworm-slim AS build',
    'WORKDIR /app',
    'COPY . .',
    'RUN ["npm","ci"]',
    'RUN ["npm","run","build"]',
    'FROM busybox:1.37',
    'COPY --from=build /app/dist /srv',
    'ENV PORT=8080',
    'EXPOSE 8080',
    'STOPSIGNAL SIGKILL',
    'CMD ["/bin/busybox","httpd","-f","-p","8080","-h","/srv"]',
  ])
})

test.each([
  [
    { 'requirements.txt': 'FastAPI==0.1\nuvicorn', 'main.py': '' },
    'CMD ["uvicorn","main:app","--host","0.0.0.0","--port","8000"]',
  ],
  [{ 'requirements.txt': 'flask\ngunicorn', 'app.py': '' }, 'CMD ["gunicorn","--bind","0.0.0.0:8000","app:app"]'],
  [
    { 'requirements.txt': 'flask', 'app.py': '' },
    'CMD ["flask","--app","app","run","--host","0.0.0.0","--port","8000"]',
  ],
  [
    { 'pyproject.toml': 'dependencies = ["fastapi>=1"]', 'app.py': '' },
    'CMD ["uvicorn","app:app","--host","0.0.0.0","--port","8000"]',
  ],
  [
    { 'requirements.txt': 'django\ngunicorn', 'manage.py': '', 'shop/wsgi.py': '' },
    'CMD ["gunicorn","--bind","0.0.0.0:8000","shop.wsgi"]',
  ],
  [{ 'main.py': '' }, 'CMD ["python","main.py"]'],
])('a program of Python is started by what it uses: %j', (texts, start) => {
  const made = detected(texts)
  expect(made).toMatchObject({ kind: 'PYTHON', port: 8_000 })
  expect(linesOf(made).at(-1)).toBe(start)
})

test('a program of Go is built in one image and runs in another', () => {
  const lines = linesOf(detected({ 'go.mod': 'module shop', 'cmd/': '', 'cmd/server/': '' }))
  expect(lines).toEqual(
    expect.arrayContaining(['RUN ["go","build","-o","/out/app","./cmd/server"]', 'FROM debian:bookworm-slim']),
  )
  expect(linesOf(detected({ 'go.mod': '', 'main.go': '', 'cmd/x/': '' }))).toContain(
    'RUN ["go","build","-o","/out/app","."]',
  )
})

test('a site of PHP is served from its public directory at the port of the application', () => {
  const made = detected({ 'composer.json': '{}', 'public/index.php': '', 'package.json': '{}' }, { port: 8_080 })
  expect(made).toMatchObject({ kind: 'PHP', port: 8_080 })
  expect(linesOf(made)).toEqual(
    expect.arrayContaining([
      'RUN ["sed","-i","s!DocumentRoot /var/www/html$!DocumentRoot /var/www/html/public!","/etc/apache2/sites-available/000-default.conf"]',
      'RUN ["sed","-i","s!^Listen 80$!Listen 8080!","/etc/apache2/ports.conf"]',
      'COPY --from=vendor /app /var/www/html',
    ]),
  )
})

test('files alone are served, and a directory with nothing is not known', () => {
  expect(detected({ 'index.html': '' })).toMatchObject({ kind: 'STATIC', port: 8_080 })
  expect(linesOf(detected({ 'public/index.html': '' }))).toContain('COPY public /srv')
  expect(detected({ 'notes.txt': '' })).toMatchObject({ kind: 'UNKNOWN', dockerfile: null, port: null })
})

test('a Dockerfile of the source comes first, then a Compose file', () => {
  const dockerfile = 'FROM x\nEXPOSE 9000/tcp\n'
  const both = { Dockerfile: dockerfile, 'compose.yaml': '', 'package.json': '{}' }
  expect(detected(both)).toEqual({ kind: 'DOCKERFILE', dockerfile, port: 9_000, notes: [] })
  expect(detected({ 'compose.yaml': '', 'package.json': '{}' })).toMatchObject({ kind: 'COMPOSE', dockerfile: null })
})

test('base images and build arguments are those that are given', () => {
  const baseImages = baseImagesIn('node=forge.example:5000/node:1 static=box:1')
  expect(baseImages).toEqual({ ...BASE_IMAGES, node: 'forge.example:5000/node:1', static: 'box:1' })
  const lines = linesOf(detected({ 'package.json': '{}' }, { baseImages, buildArgs: ['PUBLIC_URL'] }))
  expect(lines.slice(0, 3)).toEqual(['FROM forge.example:5000/node:1', 'WORKDIR /app', 'ARG PUBLIC_URL'])
})

const LINE =
  /^(?:FROM [\w.:/@-]+(?: AS (?:build|vendor))?|WORKDIR \/app|ARG \w+|ENV [A-Z_]+=[\w-]+|EXPOSE \d+|STOPSIGNAL SIGKILL|COPY [\w./ =-]+)$/
const hostile = fc.oneof(
  fc.constantFrom(
    'x"]\nRUN rm -rf /',
    'node a.js\nRUN x',
    '$(id)',
    '-v',
    '../../etc/passwd',
    'a b',
    'node server.js; id',
    'index.js',
  ),
  fc.string({ maxLength: 12 }),
)
const name = fc.oneof(
  fc.constantFrom(
    'package.json',
    'go.mod',
    'composer.json',
    'requirements.txt',
    'manage.py',
    'index.html',
    'main.py',
    'yarn.lock',
  ),
  fc
    .tuple(fc.constantFrom('cmd/', ''), hostile, fc.constantFrom('/', '/wsgi.py', '.go', ''))
    .map((parts) => parts.join('')),
)
const about = fc
  .record(
    {
      main: hostile,
      packageManager: hostile,
      scripts: fc.record({ start: hostile, build: hostile }),
      dependencies: fc.dictionary(hostile, hostile),
    },
    { requiredKeys: [] },
  )
  .map((all) => JSON.stringify(all))

test('whatever a source is called, each line of a made Dockerfile is one of ours, and no shell reads a command', () => {
  let made = 0
  fc.assert(
    fc.property(fc.uniqueArray(name, { maxLength: 6 }), about, hostile, (entries, json, text) => {
      const files = entries.map((path) => ({ path, text: path.endsWith('.json') ? json : text }))
      const { kind, dockerfile } = detect({ entries, files }, OPTIONS)
      if (dockerfile === null || kind === 'DOCKERFILE') return
      made += 1
      for (const line of dockerfile.trimEnd().split('\n')) {
        const argv = /^(?:RUN|CMD) (\[.+\])$/.exec(line)
        if (argv) expect(JSON.parse(argv[1]!).every((each: unknown) => typeof each === 'string')).toBe(true)
        else expect(line).toMatch(LINE)
      }
    }),
    { numRuns: 2_000 },
  )
  expect(made).toBeGreaterThan(500)
})
