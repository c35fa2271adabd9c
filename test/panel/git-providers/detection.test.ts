/** What repositories hold, over HTTP: of a provider, and of a public repository without one. */
import { afterAll, expect, test } from 'vitest'
import { provide } from '#kernel/lib/services'
import { gitHubHost } from '#panel/git-providers/forges'
import { openPanel } from '../../../src/composition/panel.ts'
import { FORGE_TOKEN, notFound } from '../../support/panel/forges/forge-server.ts'
import { gitHubDouble, GITHUB_BASE, giteaDouble } from '../../support/panel/forges/github-like.ts'
import { REPOSITORY } from '../../support/panel/forges/repository.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const [forge, gitHub] = [await giteaDouble(), await gitHubDouble({ isPublic: true })]
afterAll(() => Promise.all([forge.close(), gitHub.close()]))
const there = provide(gitHubHost, { web: 'https://hub.example', api: `${gitHub.url}${GITHUB_BASE}` })
const panel = await startPanel({
  gitAllow: ['127.0.0.1'],
  open: (settings, log, wraps) => openPanel(settings, log, wraps, [there]),
})
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const floor = projectFixture(panel)

type Who = { readonly as: string }
const send = (method: string, { as }: Who, path: string, body?: unknown) =>
  panel.call(method, `/api/git-providers${path}`, { as, ...(body === undefined ? {} : { body }) })
const connect = async (who: Who, more: object = {}) =>
  ok(await send('POST', who, '', { kind: 'GITEA', name: 'Ours', baseUrl: forge.url, token: FORGE_TOKEN, ...more }), 201)
const APPLICATIONS = [
  { directory: 'apps/web', kind: 'NODE', port: 3_000 },
  { directory: 'apps/api', kind: 'GO', port: 8_080 },
]

test('a directory of a repository is recognised, and its Dockerfile begins with the image of the setting', async () => {
  const ada = await panel.somebody()
  const { id } = await connect(ada)
  const at = `/${id}/detect?repo=${REPOSITORY}&directory=apps/web`
  const detected = ok(await send('GET', ada, at))
  expect(detected).toMatchObject({ kind: 'NODE', port: 3_000, notes: [expect.stringContaining('no lock file')] })
  expect(detected.dockerfile).toMatch(/^FROM node:24-bookworm-slim\n/)
  const set = (value: string) => panel.call('PATCH', '/api/admin/settings/baseImages', { as: root.as, body: { value } })
  ok(await set('node=forge.example/node:1 static=box:2'))
  expect(ok(await send('GET', ada, at)).dockerfile).toMatch(/^FROM forge\.example\/node:1\n/)
  for (const value of ['node', 'ruby=ruby:3', 'node=a b', 'node=a\nRUN x'])
    expect((await set(value)).status, value).toBe(400)
  expect(ok(await send('GET', ada, `/${id}/detect?repo=${REPOSITORY}`))).toMatchObject({
    kind: 'UNKNOWN',
    dockerfile: null,
  })
  expect((await send('GET', ada, `/${id}/detect?repo=${REPOSITORY}&directory=../up`)).status).toBe(400)
  expect((await send('GET', ada, `/${id}/detect?repo=${REPOSITORY}&directory=none`)).status).toBe(404)
})

test('the applications of a repository are found, by whom it is shared with too', async () => {
  const ada = await panel.somebody()
  const projectId = await floor.project(ada)
  const bob = await floor.member(ada, projectId, { role: 'DEVELOPER' })
  const { id } = await connect(ada, { projectId, repositories: [REPOSITORY] })
  for (const who of [ada, bob]) {
    const found = ok(await send('GET', who, `/${id}/scan-monorepo?repo=${REPOSITORY}`))
    expect(found.toSorted((a: any, b: any) => (a.directory < b.directory ? 1 : -1))).toMatchObject(APPLICATIONS)
  }
  for (const route of ['detect', 'scan-monorepo'])
    expect((await send('GET', bob, `/${id}/${route}?repo=ada/notes`)).status).toBe(404)
})

test('a public repository is scanned by its URL, without any credential', async () => {
  const ada = await panel.somebody()
  const scan = (url: string, more: object = {}) => send('POST', ada, '/scan-monorepo-url', { url, ...more })
  const found = ok(await scan(`https://hub.example/${REPOSITORY}.git`))
  expect(found.map(({ directory }: any) => directory).toSorted()).toEqual(['apps/api', 'apps/web'])
  expect((await scan(`https://hub.example/${REPOSITORY}`, { branch: 'none' })).status).toBe(404)
  expect(refusalIn(await scan('https://forge.example/ada/shop'))).toEqual([409, 'PROVIDER_REFUSED'])
  expect(refusalIn(await scan('https://169.254.169.254/ada/shop'))).toEqual([400, 'ADDRESS_REFUSED'])
  for (const url of ['ssh://git@hub.example/a', 'file:///etc', 'https://a:b@hub.example/a', 'https://hub.example/../a'])
    expect((await scan(url)).status, url).toBe(400)
  gitHub.fail(notFound('gone'))
  expect((await scan(`https://hub.example/${REPOSITORY}`)).status).toBe(404)
  gitHub.fail(undefined)
})
