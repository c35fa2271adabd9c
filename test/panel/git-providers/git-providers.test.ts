/** Git providers over HTTP: who connects, uses and removes them, and what is shown of them. */
import { generateKeyPairSync } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { FORGE_TOKEN } from '../../support/panel/forges/forge-server.ts'
import { gitHubDouble, giteaDouble } from '../../support/panel/forges/github-like.ts'
import { gitLabDouble } from '../../support/panel/forges/gitlab.ts'
import { OTHER, REPOSITORY } from '../../support/panel/forges/repository.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel({ gitAllow: ['127.0.0.1'] })
await panel.licensed()
const double = await giteaDouble()
afterAll(() => double.close())
const floor = projectFixture(panel)

type Who = { readonly as: string }
const send = (method: string, who: Who, path: string, body?: unknown) =>
  panel.call(method, `/api/git-providers${path}`, { as: who.as, ...(body === undefined ? {} : { body }) })
const values = (more: object = {}) => ({
  kind: 'GITEA',
  name: 'Ours',
  baseUrl: double.url,
  token: FORGE_TOKEN,
  ...more,
})
const connect = async (who: Who, more: object = {}) => ok(await send('POST', who, '', values(more)), 201)
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id)
const listed = async (who: Who, query = '') => idsOf(ok(await send('GET', who, query)))
const { privateKey } = generateKeyPairSync('ed25519', {
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const SSH = { kind: 'SSH', baseUrl: 'ssh://git@forge.example:2222', token: privateKey }

test('the kinds say what each needs', async () => {
  const { as } = await panel.somebody()
  const kinds = ok(await panel.call('GET', '/api/git/providers', { as }))
  expect(kinds.map(({ kind }: { kind: string }) => kind)).toEqual([
    'GITHUB',
    'GITLAB',
    'GITEA',
    'BITBUCKET',
    'GENERIC',
    'SSH',
  ])
  expect(kinds.at(-1)).toEqual({
    kind: 'SSH',
    ways: ['KEY'],
    configured: true,
    baseUrl: null,
    takes: ['baseUrl'],
    needs: ['baseUrl'],
    hasApi: false,
  })
})

test('a provider is connected, listed and removed, and its token is shown and stored nowhere in the clear', async () => {
  const [ada, bob] = [await panel.somebody(), await panel.somebody('SUPERADMIN')]
  const provider = await connect(ada, { baseUrl: `${double.url}/` })
  expect(provider).toEqual({
    id: expect.any(String),
    kind: 'GITEA',
    name: 'Ours',
    baseUrl: double.url,
    account: 'ada',
    projectId: null,
    repositories: [],
    isMine: true,
    status: 'CHECKED',
    createdAt: expect.any(String),
  })
  expect(ok(await send('GET', ada, ''))).toEqual([provider])
  expect(await listed(bob)).toEqual([])
  for (const path of ['/repos', `/tree?repo=${REPOSITORY}`, `/file?repo=${REPOSITORY}&path=README.md`])
    expect((await send('GET', bob, `/${provider.id}${path}`)).status, path).toBe(404)
  expect((await send('DELETE', bob, `/${provider.id}`)).status).toBe(404)
  expect(await panel.dump()).not.toContain(FORGE_TOKEN)
  ok(await send('DELETE', ada, `/${provider.id}`), 204)
  expect(await listed(ada)).toEqual([])
  expect((await send('GET', ada, `/${provider.id}/repos`)).status).toBe(404)
  expect((await send('DELETE', ada, `/${provider.id}`)).status).toBe(404)
})

test('GitHub and GitLab are connected at an address of their own', async () => {
  const ada = await panel.somebody()
  const others = [
    ['GITHUB', await gitHubDouble()],
    ['GITLAB', await gitLabDouble()],
  ] as const
  for (const [kind, { url, close }] of others) {
    const { id, account } = await connect(ada, { kind, baseUrl: url })
    expect(account).toBe('ada')
    expect(ok(await send('GET', ada, `/${id}/repos?search=shop`)).items).toMatchObject([{ name: REPOSITORY }])
    await close()
    expect(refusalIn(await send('GET', ada, `/${id}/repos`))).toEqual([409, 'PROVIDER_UNREACHABLE'])
  }
})

test('credentials that the provider does not take, and addresses that may not be called, are not stored', async () => {
  const ada = await panel.somebody()
  const before = await panel.panel.store.head()
  const refused = async (more: object) => refusalIn(await send('POST', ada, '', values(more)))
  expect(await refused({ token: 'another-token' })).toEqual([409, 'CREDENTIALS_REFUSED'])
  expect(await refused({ kind: 'GITLAB' })).toEqual([409, 'CREDENTIALS_REFUSED'])
  expect(await refused({ baseUrl: 'http://127.0.0.1:59999' })).toEqual([409, 'PROVIDER_UNREACHABLE'])
  for (const baseUrl of [
    'https://10.1.2.3',
    'https://169.254.169.254',
    'https://[::ffff:10.0.0.1]',
    'https://2130706434',
  ])
    for (const kind of ['GITEA', 'GENERIC'])
      expect(await refused({ kind, baseUrl }), `${kind} ${baseUrl}`).toEqual([400, 'ADDRESS_REFUSED'])
  expect(await refused({ ...SSH, baseUrl: 'ssh://git@10.1.2.3' })).toEqual([400, 'ADDRESS_REFUSED'])
  expect(await listed(ada)).toEqual([])
  expect(await panel.history(before)).toEqual([])
})

test('a body with a bad field is refused', async () => {
  const ada = await panel.somebody()
  const { id: projectId } = { id: await floor.project(ada) }
  for (const more of [
    { kind: 'OTHER' },
    { name: '' },
    { token: '' },
    { token: 'two words' },
    { token: 'two\nlines' },
    { baseUrl: undefined },
    { baseUrl: 'http://forge.example' },
    { baseUrl: 'https://ada:secret@forge.example' },
    { baseUrl: 'https://forge.example/?a=b' },
    { baseUrl: 'https://forge.example:22' },
    { baseUrl: 'file:///etc/passwd' },
    { account: 'ada' },
    { username: 'ada' },
    { kind: 'BITBUCKET', baseUrl: undefined },
    { kind: 'BITBUCKET', account: 'ada' },
    { kind: 'GENERIC', username: 'a:b' },
    { ...SSH, token: FORGE_TOKEN },
    { ...SSH, baseUrl: 'ssh://-oProxyCommand=x@forge.example' },
    { ...SSH, baseUrl: 'ssh://git@-oProxyCommand' },
    { ...SSH, baseUrl: 'https://forge.example' },
    { projectId },
    { repositories: [REPOSITORY] },
    { projectId, repositories: [] },
    { projectId, repositories: ['../etc'] },
  ])
    expect((await send('POST', ada, '', values(more))).status, JSON.stringify(more)).toBe(400)
})

test('what has no API is taken as it is, and lists and reads nothing', async () => {
  const ada = await panel.somebody()
  const generic = { kind: 'GENERIC', baseUrl: 'https://forge.example', username: 'ada' }
  for (const more of [generic, SSH]) {
    const { id, status, account } = await connect(ada, more)
    expect([status, account]).toEqual(['UNCHECKED', null])
    expect(refusalIn(await send('GET', ada, `/${id}/repos`))).toEqual([409, 'NO_REPOSITORY_LIST'])
    expect(refusalIn(await send('GET', ada, `/${id}/tree?repo=a/b`))).toEqual([409, 'NO_GIT_READER'])
    expect(refusalIn(await send('GET', ada, `/${id}/file?repo=a/b&path=c`))).toEqual([409, 'NO_GIT_READER'])
  }
  expect(await panel.dump()).not.toContain(privateKey.split('\n')[1])
})

test('its owner lists repositories by page, reads directories, and texts only', async () => {
  const ada = await panel.somebody()
  const { id } = await connect(ada)
  const get = (path: string) => send('GET', ada, `/${id}${path}`)
  const file = (path: string) => get(`/file?repo=${REPOSITORY}&path=${encodeURIComponent(path)}`)
  const second = ok(await get('/repos?page=2'))
  expect([second.items.length, second.nextPage]).toEqual([5, null])
  expect(ok(await get(`/tree?repo=${REPOSITORY}&path=many`))).toMatchObject({ isCut: true })
  expect(ok(await get(`/tree?repo=${REPOSITORY}&path=src&ref=feature/cart`)).entries).toHaveLength(2)
  expect(ok(await file('README.md'))).toEqual({ text: '# Shop — a text\n' })
  expect(refusalIn(await file('logo.png'))).toEqual([415, 'NOT_TEXT'])
  expect(refusalIn(await file('latin1.txt'))).toEqual([415, 'NOT_TEXT'])
  expect(refusalIn(await file('secret'))).toEqual([409, 'NOT_A_FILE'])
  const asked = double.heard.length
  for (const query of [
    '/tree?repo=ada/../root',
    '/tree?repo=-ada/shop',
    `/tree?repo=${REPOSITORY}&ref=--upload-pack`,
    `/tree?repo=${REPOSITORY}&ref=a..b`,
    `/tree?repo=${REPOSITORY}&ref=/main`,
    `/tree?repo=${REPOSITORY}&path=../etc`,
    `/tree?repo=${REPOSITORY}&path=/etc`,
    `/file?repo=${REPOSITORY}&path=src/../../etc`,
    `/file?repo=${REPOSITORY}`,
    `/file?repo=${REPOSITORY}&path=a%00b`,
    '/repos?page=0',
  ])
    expect((await get(query)).status, query).toBe(400)
  expect(double.heard).toHaveLength(asked)
})

test('a shared provider serves the project with the repositories named then, and no others', async () => {
  const [owner, stranger] = [await panel.somebody(), await panel.somebody()]
  const projectId = await floor.project(owner)
  const admin = await floor.member(owner, projectId, { role: 'ADMIN' })
  const developer = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  const sharing = { projectId, repositories: [REPOSITORY, 'ada/unknown'] }
  expect((await send('POST', viewer, '', values(sharing))).status).toBe(403)
  expect((await send('POST', stranger, '', values(sharing))).status).toBe(404)
  const { id } = await connect(developer, sharing)
  const ofProject = `?projectId=${projectId}`
  for (const who of [owner, admin, developer]) expect(await listed(who, ofProject)).toEqual([id])
  for (const who of [viewer, stranger]) expect((await send('GET', who, ofProject)).status).toBe(403)
  const unknown = await send('GET', stranger, '?projectId=01890000-0000-7000-8000-00000000dead')
  expect((await send('GET', stranger, ofProject)).text).toBe(unknown.text)
  expect(ok(await send('GET', owner, ofProject))).toMatchObject([{ isMine: false, ...sharing }])
  expect(await listed(owner)).toEqual([])

  const names = async (who: Who, query = '') =>
    ok(await send('GET', who, `/${id}/repos${query}`)).items.map(({ name }: { name: string }) => name)
  expect(await names(owner)).toEqual([REPOSITORY])
  expect(await names(owner, '?search=note')).toEqual([])
  expect(await names(developer, '?search=note')).toEqual([OTHER])
  for (const [who, repo, status] of [
    [owner, REPOSITORY, 200],
    [owner, OTHER, 404],
    [developer, OTHER, 200],
    [viewer, REPOSITORY, 404],
    [stranger, REPOSITORY, 404],
  ] as const) {
    expect((await send('GET', who, `/${id}/tree?repo=${repo}`)).status, repo).toBe(status)
    const read = await send('GET', who, `/${id}/file?repo=${repo}&path=README.md`)
    expect(read.status, repo).toBe(status)
  }

  expect((await send('DELETE', viewer, `/${id}`)).status).toBe(404)
  const other = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  expect((await send('DELETE', other, `/${id}`)).status).toBe(403)
  ok(await send('DELETE', admin, `/${id}`), 204)
  expect(await listed(developer)).toEqual([])
})

test('a project that is deleted and an account that is erased take their providers with them', async () => {
  const [root, owner, leaver] = [await panel.somebody('SUPERADMIN'), await panel.somebody(), await panel.somebody()]
  const [projectId, kept] = [await floor.project(owner), await floor.project(leaver)]
  const sharing = { repositories: [REPOSITORY] }
  const ofProject = await connect(owner, { ...sharing, projectId })
  const own = await connect(owner)
  const ofLeaver = [await connect(leaver), await connect(leaver, { ...sharing, projectId: kept })]
  ok(await floor.remove(owner, `/${projectId}`), 204)
  ok(await panel.call('DELETE', `/api/admin/users/${leaver.id}`, { as: root.as }), 204)
  await panel.settle()
  expect(await listed(owner)).toEqual([own.id])
  const removed = (await panel.history()).filter(({ type }) => type === 'GitProviderRemoved')
  const ids = removed.map(({ data }) => data['gitProviderId'])
  expect(ids).toEqual(expect.arrayContaining([ofProject.id, ...idsOf(ofLeaver)]))
  expect(ids).not.toContain(own.id)
})

test('an account connects at most 20 providers a minute', async () => {
  const ada = await panel.somebody()
  const generic = { kind: 'GENERIC', baseUrl: 'https://forge.example' }
  for (let nth = 0; nth < 20; nth += 1) await connect(ada, generic)
  expect((await send('POST', ada, '', values(generic))).status).toBe(429)
})
