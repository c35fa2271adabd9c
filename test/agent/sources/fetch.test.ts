/** Sources of deployments, fetched by the real git from a real server of repositories. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fetchPerformer } from '../../../src/agent/sources/fetch.ts'
import { removeSources, sweepAllSources } from '../../../src/agent/sources/source-directories.ts'
import type { SourceFacts } from '../../../src/tasks/builds.ts'
import { codeOf, perform } from '../../support/agent/working.ts'
import { repositoryIn, serveGit } from '../../support/git-server.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const scratch = scratchOfFile()
const directory = join(scratch, 'agent')
mkdirSync(directory)
const LOGIN = { username: 'x-token', password: 'canary-of-the-token' }
const git = await serveGit(scratch, { login: LOGIN })
afterAll(git.close)

const shop = repositoryIn(join(scratch, 'shop'))
shop.write({
  'package.json': '{"name":"shop"}',
  'package-lock.json': '{}',
  'src/index.js': 'console.log(1)',
  'apps/web/Dockerfile': 'FROM scratch',
  'apps/web/deep/inner.txt': 'x',
  'compose.prod.yml': 'services: {}',
})
symlinkSync('/etc/passwd', join(shop.directory, 'Procfile'))
symlinkSync('/etc', join(shop.directory, 'linked'))
const first = shop.commit('Begin\n\nWith a body')
shop.git('tag', '--annotate', '--message', 'One', 'v1')

const WORKLOAD = { kind: 'APPLICATION', id: '01890000-0000-7000-8000-000000000001' } as const
const DEPLOYMENT = '01890000-0000-7000-8000-0000000000d1'
const ALLOWED = ['127.0.0.0/8']
const PASSWORD = { kind: 'PASSWORD', ...LOGIN }

interface Result {
  readonly commit: string
  readonly subject: string
  readonly changed: boolean
  readonly hostKey: string | null
  readonly facts: SourceFacts
}

const fetcher = fetchPerformer({ directory })
const asked = (more: object = {}) => ({
  installation: 'one',
  workload: WORKLOAD,
  deploymentId: DEPLOYMENT,
  url: git.url('shop'),
  ref: 'main',
  directory: '',
  watch: { from: null, paths: [] },
  ...more,
})
interface Doing {
  readonly login?: object
  readonly allow?: readonly string[]
  readonly signal?: AbortSignal
  readonly isResumed?: boolean
}
const fetchSource = (more: object = {}, { login = PASSWORD, allow = ALLOWED, ...doing }: Doing = {}) =>
  perform<Result>(fetcher, asked(more), { secrets: { login, allow }, ...doing })
const source = (deploymentId = DEPLOYMENT) => join(directory, 'sources', `application-${WORKLOAD.id}`, deploymentId)

test('the head of a branch is fetched, told and exported without the repository', async () => {
  const { facts, ...told } = await fetchSource()
  expect(told).toEqual({ commit: first, subject: 'Begin', changed: true, hostKey: null })
  expect(git.seen, 'the server is asked by one fetch').toHaveLength(3)
  expect(facts.entries).toEqual([
    'Procfile',
    'apps/',
    'compose.prod.yml',
    'linked',
    'package-lock.json',
    'package.json',
    'src/',
    'apps/web/',
    'src/index.js',
  ])
  expect(facts.files).toEqual([
    { path: 'compose.prod.yml', text: 'services: {}' },
    { path: 'package.json', text: '{"name":"shop"}' },
  ])
  expect(readdirSync(source())).not.toContain('.git')
  expect([lstatSync(join(source(), 'Procfile')).isSymbolicLink(), readlinkSync(join(source(), 'linked'))]).toEqual([
    true,
    '/etc',
  ])
})

test('a whole name is fetched, whatever branches are called', async () => {
  shop.git('update-ref', 'refs/pull/7/head', first)
  shop.git('update-ref', 'refs/heads/refs/pull/7/head', 'main')
  expect(await fetchSource({ ref: 'refs/pull/7/head' })).toMatchObject({ commit: first })
  shop.git('update-ref', '-d', 'refs/pull/7/head')
  shop.git('update-ref', '-d', 'refs/heads/refs/pull/7/head')
  expect(await codeOf(fetchSource({ ref: 'refs/pull/7/head' }))).toBe('NO_SUCH_REF')
  // Git would take it for the branch.
  shop.git('update-ref', 'refs/tags/refs/heads/none', first)
  expect(await codeOf(fetchSource({ ref: 'none' }))).toBe('NO_SUCH_REF')
  shop.git('update-ref', '-d', 'refs/tags/refs/heads/none')
})

test('a tag, a commit and a directory are fetched too', async () => {
  expect((await fetchSource({ ref: 'v1' })).commit).toBe(first)
  const { facts } = await fetchSource({ ref: first, directory: 'apps/web' })
  expect(facts).toEqual({
    entries: ['Dockerfile', 'deep/', 'deep/inner.txt'],
    files: [{ path: 'Dockerfile', text: 'FROM scratch' }],
  })
  expect(await codeOf(fetchSource({ directory: 'apps/none' }))).toBe('NO_SUCH_DIRECTORY')
  expect(await codeOf(fetchSource({ directory: 'linked' })), 'a link').toBe('NO_SUCH_DIRECTORY')
})

test('what has changed is told by the paths that are watched', async () => {
  shop.write({ 'docs/a.md': 'a' })
  const second = shop.commit('Write')
  const changed = async (from: string | null, paths: string[]) =>
    (await fetchSource({ watch: { from, paths } })).changed
  expect(await changed(first, ['src', 'apps'])).toBe(false)
  expect(await changed(first, ['docs'])).toBe(true)
  expect(await changed(first, [''])).toBe(true)
  expect(await changed(second, ['docs'])).toBe(false)
  expect(await changed(null, ['docs'])).toBe(true)
  expect(await changed(first, [])).toBe(true)
  expect(await changed('a'.repeat(40), ['src']), 'a commit that is nowhere').toBe(true)
  // Also from a host that has not fetched the older one.
  const other = { ...WORKLOAD, id: '01890000-0000-7000-8000-000000000002' }
  expect((await fetchSource({ workload: other, watch: { from: first, paths: ['src'] } })).changed).toBe(false)
})

test('the next deployment of a workload takes the place of its source, and only changes travel', async () => {
  shop.write({ 'big.bin': 'x'.repeat(100_000) })
  shop.commit('Grow')
  await fetchSource()
  shop.write({ 'small.txt': 'y' })
  shop.commit('Small')
  const next = '01890000-0000-7000-8000-0000000000d2'
  await fetchSource({ deploymentId: next })
  expect([existsSync(source()), existsSync(join(source(next), 'small.txt'))]).toEqual([false, true])
  const folder = join(directory, 'repositories', `application-${WORKLOAD.id}`)
  const [name = ''] = readdirSync(folder)
  const packs = readdirSync(join(folder, name, 'objects/pack')).filter((each) => each.endsWith('.pack'))
  const sizes = packs.map((each) => lstatSync(join(folder, name, 'objects/pack', each)).size)
  expect(Math.min(...sizes)).toBeLessThan(700)
})

test('what is not there, or not for this login, has its own code', async () => {
  expect(await codeOf(fetchSource({ ref: 'none' }))).toBe('NO_SUCH_REF')
  expect(await codeOf(fetchSource({ ref: 'b'.repeat(40) }))).toBe('NO_SUCH_REF')
  expect(await codeOf(fetchSource({}, { login: { kind: 'NONE' } }))).toBe('LOGIN_REFUSED')
  expect(await codeOf(fetchSource({}, { login: { ...PASSWORD, password: 'wrong' } }))).toBe('LOGIN_REFUSED')
  expect(await codeOf(fetchSource({ url: git.url('nothing') }))).toBe('LOGIN_REFUSED')
  expect(await codeOf(fetchSource({ url: 'http://127.0.0.1:1/shop' }))).toBe('UNREACHABLE')
})

test('an address that is neither public nor allowed is not dialled', async () => {
  const before = git.seen.length
  expect(await codeOf(fetchSource({}, { allow: [] }))).toBe('ADDRESS_REFUSED')
  for (const url of [
    'https://127.0.0.1:1/x',
    'https://[::1]:1/x',
    'https://169.254.169.254/x',
    'ssh://git@127.0.0.1:1/x',
  ])
    expect(await codeOf(fetchSource({ url }, { allow: [] })), url).toBe('ADDRESS_REFUSED')
  expect(await codeOf(fetchSource({}, { allow: ['10.0.0.0/8'] }))).toBe('ADDRESS_REFUSED')
  const resolving = (addresses: string[]) =>
    fetchPerformer({ directory }, { resolve: async () => addresses.map((address) => ({ address, family: 4 })) })
  const named = { url: `http://git.example:${git.port}/shop` }
  const by = (addresses: string[], allow: string[]) =>
    codeOf(perform(resolving(addresses), asked(named), { secrets: { login: PASSWORD, allow } }))
  expect(await by(['127.0.0.1'], [])).toBe('ADDRESS_REFUSED')
  expect(await by(['127.0.0.1', '10.0.0.1'], ALLOWED), 'one of two').toBe('ADDRESS_REFUSED')
  expect(await by(['8.8.8.8'], []), 'public, but in the clear').toBe('ADDRESS_REFUSED')
  expect(git.seen.length).toBe(before)
  expect(await by(['127.0.0.1'], ALLOWED)).toBe('done')
})

test.each([
  'ext::sh -c touch% /tmp/x',
  'file:///etc',
  '/etc',
  '-oProxyCommand=true',
  'ssh://-oProxyCommand=true/x',
  'ssh://git@-host/x',
  'git://127.0.0.1/x',
  'https://user:secret@example.org/x',
  'https://user@example.org/x',
  'http://127.0.0.1/x\n[core]',
  'http://127.0.0.1/%0a[core]',
  'https://example.org',
  'ssh://git@example.org/--upload-pack=x',
  'https://example.org/x?y',
])('%s is no address of a repository', async (url) => {
  expect(await codeOf(fetchSource({ url }))).toBe('ADDRESS_REFUSED')
})

test.each(['--upload-pack=touch', '-x', 'a..b', 'a b', 'refs/heads/x.lock', 'x:y', 'a\nb', '+main'])(
  'the ref %j reaches no repository as an option',
  async (ref) => {
    const parsed = fetcher.kind.payload.safeParse(asked({ ref }))
    expect(parsed.success ? await codeOf(fetchSource({ ref })) : 'NO_SUCH_REF').toBe('NO_SUCH_REF')
  },
)

test('no server leads git to another address', async () => {
  const reached: string[] = []
  const inner = await serveGit(scratch, { before: (request) => void reached.push(request.url!) as never })
  for (const status of [301, 302, 307]) {
    const leading = await serveGit(scratch, {
      before(request, response) {
        response.writeHead(status, { location: `http://127.0.0.1:${inner.port}${request.url}` }).end()
        return true
      },
    })
    const done = fetchSource({ url: leading.url('shop') })
    expect(await codeOf(done)).toBe('UNREACHABLE')
    leading.close()
  }
  inner.close()
  expect(reached).toEqual([])
})

/** The arguments of all processes. */
const commandLines = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')]
      } catch {
        return []
      }
    })

test('a server is asked by TLS through a tunnel to the address that was checked', async () => {
  const [key, cert] = [join(scratch, 'tls.key'), join(scratch, 'tls.crt')]
  const subject = ['-subj', '/CN=git', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:git.example']
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    ...subject,
  ]
  execFileSync('openssl', [...args, '-keyout', key, '-out', cert], { stdio: 'ignore' })
  const secure = await serveGit(scratch, { login: LOGIN, tls: { key: readFileSync(key), cert: readFileSync(cert) } })
  const url = secure.url('shop').replace('127.0.0.1', 'git.example')
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const fetched = (roots: string[]) =>
    perform<Result>(fetchPerformer({ directory }, { resolve, roots }), asked({ url }), {
      secrets: { login: PASSWORD, allow: ALLOWED },
    })
  expect(await codeOf(fetched([])), 'a certificate that is not known').toBe('UNREACHABLE')
  expect((await fetched([readFileSync(cert, 'utf8')])).commit).toBe(shop.git('rev-parse', 'HEAD'))
  secure.close()
})

/** A server that never answers what is packed. */
const stuckServer = () =>
  serveGit(scratch, {
    before: (request) => (request.url!.endsWith('/git-upload-pack') ? new Promise(() => {}) : false),
  })

test('a login is in no command line, and a cancelled fetch is gone within 2 s', async () => {
  const stuck = await stuckServer()
  const stop = new AbortController()
  const done = fetchSource({ url: stuck.url('shop') }, { signal: stop.signal })
  const ofGit = () => commandLines().filter((line) => line.includes(`127.0.0.1:${stuck.port}`))
  await expect.poll(() => ofGit().some((line) => line.includes('remote-http'))).toBe(true)
  const canaries = [LOGIN.password, Buffer.from(`${LOGIN.username}:${LOGIN.password}`).toString('base64')]
  for (const line of commandLines()) for (const canary of canaries) expect(line).not.toContain(canary)
  const startedMs = performance.now()
  stop.abort()
  expect(await codeOf(done)).toBe('AbortError')
  expect([performance.now() - startedMs < 2_000, ofGit()]).toEqual([true, []])
  stuck.close()
})

test('what a killed agent has left hinders no later fetch', async () => {
  await fetchSource()
  const folder = join(directory, 'repositories', `application-${WORKLOAD.id}`)
  const [name = ''] = readdirSync(folder)
  for (const left of ['shallow.lock', 'refs/daybook/head.lock', 'index.lock'])
    shop.write({ [join('..', 'agent', 'repositories', `application-${WORKLOAD.id}`, name, left)]: '' })
  mkdirSync(join(source(), '..', 'half', 'x'), { recursive: true })
  const { commit } = await fetchSource()
  expect(commit).toBe(shop.git('rev-parse', 'HEAD'))
  expect(readdirSync(join(source(), '..'))).toEqual([DEPLOYMENT])
  expect((await fetchSource({}, { isResumed: true })).commit).toBe(commit)
})

test('a tree of too many files is refused before it is written', async () => {
  const bomb = repositoryIn(join(scratch, 'bomb'))
  bomb.write({ a: 'a' })
  bomb.commit('One')
  // Each tree names the one below ten times: 10^6 files in seven objects.
  let tree = bomb.git('rev-parse', 'HEAD^{tree}')
  for (let level = 0; level < 6; level += 1) {
    const lines = Array.from({ length: 10 }, (_, at) => `040000 tree ${tree}\t${at}`).join('\n')
    bomb.write({ '.git/lines': `${lines}\n` })
    tree = bomb.mktree(join(bomb.directory, '.git/lines'))
  }
  bomb.git('update-ref', 'refs/heads/main', bomb.git('commit-tree', tree, '-m', 'Bomb'))
  const id = '01890000-0000-7000-8000-000000000003'
  expect(await codeOf(fetchSource({ url: git.url('bomb'), workload: { ...WORKLOAD, id } }))).toBe('SOURCE_TOO_LARGE')
  expect(readdirSync(join(directory, 'sources', `application-${id}`))).toEqual([])
})

test('attributes of a repository make no file larger than git counts it', async () => {
  const converted = repositoryIn(join(scratch, 'converted'))
  const text = '$Id$\n'.repeat(1_000)
  converted.write({ 'a.txt': text, 'b/c.txt': text })
  converted.commit('One')
  converted.write({ '.gitattributes': '[attr]all ident\n* all text eol=crlf\n' })
  converted.write({ 'b/.gitattributes': '*.txt ident filter=lfs working-tree-encoding=UTF-16\n' })
  converted.git('add', '.gitattributes', 'b/.gitattributes')
  converted.git('commit', '--quiet', '-m', 'Attributes')
  const workload = { ...WORKLOAD, id: '01890000-0000-7000-8000-000000000004' }
  await fetchSource({ url: git.url('converted'), workload })
  const tree = join(directory, 'sources', `application-${workload.id}`, DEPLOYMENT)
  for (const path of ['a.txt', 'b/c.txt']) expect(readFileSync(join(tree, path), 'utf8') === text, path).toBe(true)
})

test('what was fetched goes with its workload, and logins of killed fetches when an agent starts', async () => {
  const [workload, other] = ['5', '6'].map((nth) => ({ ...WORKLOAD, id: `01890000-0000-7000-8000-00000000000${nth}` }))
  for (const each of [workload!, other!]) await fetchSource({ workload: each })
  const place = (name: string, { id }: { id: string }) => join(directory, name, `application-${id}`)
  const login = join(place('repositories', other!), 'login')
  mkdirSync(login)
  writeFileSync(join(login, 'key'), 'a private key')
  await sweepAllSources(directory)
  expect([existsSync(login), existsSync(join(place('sources', other!), DEPLOYMENT))]).toEqual([false, true])
  await removeSources(directory, workload!)
  const left = (of: { id: string }) => ['sources', 'repositories'].map((name) => existsSync(place(name, of)))
  expect([left(workload!), left(other!)]).toEqual([
    [false, false],
    [true, true],
  ])
  const days = (many: number) => Date.now() / 1_000 - many * 86_400
  for (const name of ['sources', 'repositories']) utimesSync(place(name, other!), days(2), days(2))
  await sweepAllSources(directory)
  expect(left(other!)).toEqual([false, true])
  utimesSync(place('repositories', other!), days(31), days(31))
  await sweepAllSources(directory)
  expect(left(other!)).toEqual([false, false])
  await sweepAllSources(join(scratch, 'nowhere'))
})
