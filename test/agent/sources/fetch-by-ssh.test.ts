/** Sources that are fetched by SSH, from a real server. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { fetchPerformer } from '../../../src/agent/sources/fetch.ts'
import { codeOf, perform } from '../../support/agent/working.ts'
import { noSshd, repositoryIn, serveSsh } from '../../support/git-server.ts'
import { scratchOfFile } from '../../support/scratch.ts'

const scratch = scratchOfFile()
const directory = join(scratch, 'agent')
mkdirSync(directory)
if (noSshd !== undefined) {
  if (process.env['CI']) throw new Error(`CI needs a server of SSH: ${noSshd}`)
  console.log(`SKIPPED: ${noSshd}`)
}
const server = noSshd === undefined ? await serveSsh(join(scratch, 'sshd')) : undefined
afterAll(() => server?.stop())
const shop = repositoryIn(join(scratch, 'shop'))
shop.write({ 'package.json': '{}' })
const commit = shop.commit('Begin')

const KEY = server ? readFileSync(server.at('user'), 'utf8') : ''
const fetcher = fetchPerformer({ directory }, { resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
const url = `ssh://root@git.example:${server?.port}${shop.directory}`

function fetchSource(login: object = {}, more: object = {}, doing: object = {}) {
  const payload = {
    installation: 'one',
    workload: { kind: 'APPLICATION', id: '01890000-0000-7000-8000-000000000001' },
    deploymentId: '01890000-0000-7000-8000-0000000000d1',
    url,
    ref: 'main',
    directory: '',
    watch: { from: null, paths: [] },
    ...more,
  }
  const secrets = { login: { kind: 'KEY', privateKey: KEY, hostKey: null, ...login }, allow: ['127.0.0.1'] }
  return perform<{ commit: string; hostKey: string }>(fetcher, payload, { secrets, ...doing })
}

const hostKeyOf = (name: string): string => readFileSync(server!.at(name), 'utf8').split(' ').slice(0, 2).join(' ')
const files = (): string[] => readdirSync(directory, { recursive: true, encoding: 'utf8' })

test.skipIf(!server)('the first host key is told, and a pinned one is asked for', async () => {
  const own = hostKeyOf('host.pub')
  expect(await fetchSource()).toMatchObject({ commit, hostKey: own })
  expect(await fetchSource({ hostKey: own })).toMatchObject({ commit, hostKey: own })
  server!.makeKey('other')
  expect(await codeOf(fetchSource({ hostKey: hostKeyOf('other.pub') }))).toBe('HOST_KEY_CHANGED')
  expect(await codeOf(fetchSource({ hostKey: 'ssh-ed25519 AAAA\n* ssh-ed25519 AAAA' }))).toBe('HOST_KEY_CHANGED')
})

test.skipIf(!server)('no key stays on the disk', async () => {
  const during = fetchSource()
  const login = () => files().filter((name) => name.includes('login'))
  await expect.poll(login).not.toEqual([])
  await during
  expect(login()).toEqual([])
})

test.skipIf(!server)('what is not there, or not for this login, has its own code', async () => {
  server!.makeKey('stranger')
  const stranger = readFileSync(server!.at('stranger'), 'utf8')
  expect(await codeOf(fetchSource({ privateKey: stranger }))).toBe('LOGIN_REFUSED')
  expect(await codeOf(fetchSource({ privateKey: 'no key' }))).toBe('LOGIN_REFUSED')
  expect(await codeOf(fetchSource({ kind: 'NONE', privateKey: undefined, hostKey: undefined }))).not.toBe('done')
  expect(await codeOf(fetchSource({}, { ref: 'none' }))).toBe('NO_SUCH_REF')
  expect(await codeOf(fetchSource({}, { url: `ssh://git.example:1${shop.directory}` }))).toBe('UNREACHABLE')
  expect(await codeOf(fetchSource({}, { url: `ssh://root@git.example:${server!.port}/none` }))).toBe('LOGIN_REFUSED')
})
