/** Names that a repository may have and a shell would run: the agent starts git for them, and no shell. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { repositoryIn, serveGit } from '../../support/git-server.ts'
import { programTrace } from '../../support/program-trace.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const PROGRAM = fileURLToPath(new URL('../../support/agent/fetch-process.ts', import.meta.url))
const CORPUS = fileURLToPath(new URL('../../support/agent/hostile-corpus.ts', import.meta.url))
const scratch = scratchOfFile()
const git = await serveGit(scratch)
afterAll(git.close)
const REFS = [
  '$(touch${IFS}owned)',
  '`touch${IFS}owned`',
  "a'b",
  'a"b',
  'a;touch${IFS}owned',
  'a|id',
  'a&&id',
  '#x',
  '!x',
  '%s',
  '$HOME',
]
const DIRECTORIES = ['$(touch owned)', 'a b;id', "'", '`id`/"']

test('each of them is fetched as it is named, and git starts nothing but itself', { timeout: 60_000 }, async () => {
  const shop = repositoryIn(join(scratch, 'shop'))
  shop.write(Object.fromEntries(DIRECTORIES.map((name) => [join(name, 'file'), name])))
  const head = shop.commit('One')
  for (const ref of REFS) shop.git('update-ref', `refs/heads/${ref}`, head)
  const payload = (more: object) => ({
    installation: 'one',
    workload: { kind: 'APPLICATION', id: '01890000-0000-7000-8000-000000000001' },
    deploymentId: '01890000-0000-7000-8000-0000000000d1',
    url: git.url('shop'),
    ref: 'main',
    directory: '',
    watch: { from: null, paths: [] },
    ...more,
  })
  const watched = { watch: { from: head, paths: DIRECTORIES } }
  const all = [
    ...REFS.map((ref) => payload({ ref })),
    ...DIRECTORIES.map((directory) => payload({ directory, ...watched })),
  ]
  const secrets = { login: { kind: 'NONE' }, allow: ['127.0.0.0/8'] }
  const asked = all.map((each) => JSON.stringify({ payload: each, secrets }))
  const directory = join(scratch, 'agent')
  mkdirSync(directory)
  const trace = programTrace(join(scratch, 'trace'))
  const [command = '', ...args] = [...trace.within, process.execPath, PROGRAM, directory, ...asked]
  const running = spawn(command, args, { cwd: directory, stdio: ['ignore', 'pipe', 'inherit'] })
  expect((await text(running.stdout)).trim().split('\n')).toEqual(all.map(() => head))
  expect(existsSync(join(directory, 'owned'))).toBe(false)
  const programs = await trace.programs()
  const names = new Set([...(programs ?? [])].map((path) => basename(path)))
  names.delete(basename(process.execPath))
  for (const name of names) expect(name).toMatch(/^git(?:-remote-https?)?$/)
  if (programs) expect(names).toContain('git')
})

test('ten thousand hostile branches, paths, addresses and Compose files start no program, and none leads out', async () => {
  const source = join(scratch, 'source')
  mkdirSync(join(source, 'in', 'in'), { recursive: true })
  mkdirSync(join(scratch, 'outside'))
  symlinkSync('../outside', join(source, 'out'))
  const trace = programTrace(join(scratch, 'trace-of-corpus'))
  const [command, ...args] = [...trace.within, process.execPath, CORPUS, source, '10000']
  const running = spawn(command, args, { cwd: source, stdio: ['ignore', 'pipe', 'inherit'] })
  const told = JSON.parse(await text(running.stdout))
  expect(told).toMatchObject({ names: 10_000, escapes: [] })
  // Both kinds are there: those that are refused, and those that are taken as they are.
  for (const taken of [told.refs, told.paths, told.urls, told.files, told.opened])
    expect([taken > 100, taken < 10_000]).toEqual([true, true])
  expect(existsSync(join(source, 'owned'))).toBe(false)
  const programs = await trace.programs()
  if (programs) expect([...programs].map((path) => basename(path))).toEqual([basename(process.execPath)])
})
