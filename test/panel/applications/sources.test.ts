/** Sources of applications over HTTP: repositories and who may use them, files, branches, and what repositories hold. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { FORGE_TOKEN } from '../../support/panel/forges/forge-server.ts'
import { giteaDouble } from '../../support/panel/forges/github-like.ts'
import { BRANCHES, commitOf, REPOSITORY } from '../../support/panel/forges/repository.ts'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel({ gitAllow: ['127.0.0.1'] })
await panel.licensed()
const forge = await giteaDouble()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const serverId = await servers.running(root)

/** Answers as `git http-backend` does to the request for its references. */
const COMMITS = ['1', '2', '3'].map((digit) => digit.repeat(40))
const line = (text: string) => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text
const references = [
  line('# service=git-upload-pack\n'),
  '0000',
  line(`${COMMITS[0]} HEAD\0multi_ack symref=HEAD:refs/heads/main agent=git/2.39.5\n`),
  line(`${COMMITS[1]} refs/heads/fix/cart\n`),
  line(`${COMMITS[0]} refs/heads/main\n`),
  line(`${COMMITS[2]} refs/tags/v1\n`),
  '0000',
].join('')
const plain = createServer(({ url, headers }, response) => {
  const isKnown = url === '/ada/shop.git/info/refs?service=git-upload-pack'
  const isPublic = headers.authorization === undefined
  const isSignedIn = headers.authorization === `Basic ${Buffer.from(`git:${FORGE_TOKEN}`).toString('base64')}`
  const status = !isKnown ? 404 : isPublic || isSignedIn ? 200 : 401
  response.writeHead(status, { 'Content-Type': 'application/x-git-upload-pack-advertisement' }).end(references)
}).listen(0, '127.0.0.1')
const plainUrl = await new Promise<string>((resolve) =>
  plain.once('listening', () => resolve(`http://127.0.0.1:${(plain.address() as AddressInfo).port}`)),
)
afterAll(async () => {
  await forge.close()
  await plain[Symbol.asyncDispose]()
})

type Who = { readonly as: string }
let made = 0
const send = (method: string, { as }: Who, path: string, body?: unknown) =>
  panel.call(method, `/api/applications${path}`, { as, ...(body === undefined ? {} : { body }) })
const providers = (method: string, { as }: Who, path: string, body?: unknown) =>
  panel.call(method, `/api/git-providers${path}`, { as, ...(body === undefined ? {} : { body }) })
const connect = async (who: Who, more: object = {}) =>
  ok(
    await providers('POST', who, '', { kind: 'GITEA', name: 'Ours', baseUrl: forge.url, token: FORGE_TOKEN, ...more }),
    201,
  )
const git = (more: object = {}) => ({ kind: 'GIT', url: `${forge.url}/${REPOSITORY}.git`, branch: 'main', ...more })
const image = { kind: 'IMAGE', image: 'shop:1' }

async function shop() {
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const environmentId = await floor.environment(owner, projectId, 'live')
  const place = () => ({
    projectId,
    environmentId,
    serverId,
    name: `App ${(made += 1)}`,
    memoryMiB: 64,
    cpuMillis: 100,
  })
  const create = (more: object = {}, who: Who = owner) => send('POST', who, '', { ...place(), source: image, ...more })
  return {
    owner,
    projectId,
    create,
    add: async (more: object = {}, who: Who = owner) => ok(await create(more, who), 201),
  }
}

test('an application has a repository, volumes and a roll-over, with defaults', async () => {
  const { owner, add } = await shop()
  const volumes = [{ name: 'data', mountPath: '/var/lib/shop' }]
  const created = await add({ source: git({ directory: 'web', watchPaths: ['web', 'lib'] }), volumes })
  expect(created).toMatchObject({
    source: {
      ...git(),
      providerId: null,
      directory: 'web',
      build: 'AUTO',
      path: null,
      watchPaths: ['web', 'lib'],
      service: null,
    },
    volumes: [{ ...volumes[0], shared: false }],
    rollover: 'AUTO',
    buildTimeoutSeconds: 1_800,
    autoDeploy: false,
  })
  expect(created).not.toHaveProperty('files')
  expect(ok(await send('GET', owner, `/${created.id}`))).toEqual(created)
  const source = { kind: 'COMPOSE', service: 'web' }
  const changed = ok(await send('PATCH', owner, `/${created.id}`, { source, volumes: [], rollover: 'STOP_FIRST' }))
  expect(changed).toMatchObject({ source, volumes: [], rollover: 'STOP_FIRST' })
})

test('a source with a bad field is refused', async () => {
  const { create } = await shop()
  for (const more of [
    { source: { kind: 'GIT' } },
    { source: git({ url: 'ext::sh -c id' }) },
    { source: git({ url: 'file:///etc' }) },
    { source: git({ url: 'https://ada:word@forge.example/a' }) },
    { source: git({ branch: '--upload-pack=x' }) },
    { source: git({ branch: 'a..b' }) },
    { source: git({ directory: '../up' }) },
    { source: git({ directory: '/etc' }) },
    { source: git({ path: '-f' }) },
    { source: git({ build: 'STATIC', path: 'a' }) },
    { source: git({ service: 'web' }) },
    { source: git({ watchPaths: Array.from({ length: 21 }, (_, nth) => `a${nth}`) }) },
    { source: { kind: 'COMPOSE', service: 'Web' } },
    { source: { kind: 'DOCKERFILE', content: 'FROM x' } },
    { volumes: [{ name: '../x', mountPath: '/a' }] },
    { volumes: [{ name: 'a', mountPath: '/' }] },
    { volumes: [{ name: 'a', mountPath: '/a/../b' }] },
    {
      volumes: [
        { name: 'a', mountPath: '/a' },
        { name: 'a', mountPath: '/b' },
      ],
    },
    { source: { kind: 'COMPOSE' }, volumes: [{ name: 'a', mountPath: '/a' }] },
    { rollover: 'NEVER' },
    { buildTimeoutSeconds: 7_201 },
  ])
    expect((await create(more)).status, JSON.stringify(more)).toBe(400)
})

test('a provider is used by its owner, and in the project that it is shared with for the repositories named then', async () => {
  const { owner, projectId, create, add } = await shop()
  const member = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const refused = async (source: object, who: Who) => refusalIn(await create({ source }, who))
  const [own, shared] = [await connect(owner), await connect(owner, { projectId, repositories: [REPOSITORY] })]
  const { id } = await add({ source: git({ providerId: own.id }) })
  await add({ source: git({ providerId: shared.id }) }, member)
  expect(await refused(git({ providerId: own.id }), member)).toEqual([400, 'UNKNOWN_PROVIDER'])
  expect(await refused(git({ providerId: serverId }), owner)).toEqual([400, 'UNKNOWN_PROVIDER'])
  const other = `${forge.url}/ada/notes.git`
  expect(await refused(git({ providerId: shared.id, url: other }), member)).toEqual([400, 'NOT_OF_PROVIDER'])
  await add({ source: git({ providerId: shared.id, url: other }) })
  const elsewhere = git({ providerId: own.id, url: `${plainUrl}/ada/shop.git` })
  expect(await refused(elsewhere, owner)).toEqual([400, 'NOT_OF_PROVIDER'])
  expect(await refused(git({ url: 'ssh://git@forge.example/a' }), owner)).toEqual([400, 'PROVIDER_NEEDED'])
  const foreign = await shop()
  expect(refusalIn(await foreign.create({ source: git({ providerId: shared.id }) }))).toEqual([400, 'UNKNOWN_PROVIDER'])
  // A member chooses another branch of what the owner has given to the application, and no other repository.
  const change = (source: object) => send('PATCH', member, `/${id}`, { source })
  ok(await change(git({ providerId: own.id, branch: 'next' })))
  expect(refusalIn(await change(git({ providerId: own.id, url: other })))).toEqual([400, 'UNKNOWN_PROVIDER'])
})

test('files are written, read and removed, kept sealed, and refused by the policy', async () => {
  const { owner, projectId, add } = await shop()
  const { id } = await add({ source: { kind: 'COMPOSE', service: null } })
  const compose = `/${id}/files/compose`
  const content = 'services: {web: {image: "shop:1", environment: {TOKEN: canary-of-a-compose-file}}}'
  expect(ok(await send('GET', owner, compose))).toEqual({ content: null, source: 'STORED' })
  expect(ok(await send('PATCH', owner, compose, { content }))).toEqual({ content, source: 'STORED' })
  expect(ok(await send('GET', owner, compose))).toEqual({ content, source: 'STORED' })
  await panel.panel.projector.catchUp()
  expect(await panel.dump()).not.toContain('canary-of-a-compose-file')
  const hostile = await send('PATCH', owner, compose, { content: 'services: {web: {image: a, volumes: ["/:/host"]}}' })
  expect(refusalIn(hostile)).toEqual([400, 'COMPOSE_REFUSED'])
  expect(hostile.body.message).toContain('services.web.volumes.0, by the rule BIND_MOUNT')
  const large = (bytes: number) => `# ${'x'.repeat(bytes - 2 - content.length - 1)}\n${content}`
  ok(await send('PATCH', owner, compose, { content: large(262_144) }))
  expect((await send('PATCH', owner, compose, { content: large(262_145) })).status).toBe(400)
  expect((await send('PATCH', owner, compose, { content: 'x'.repeat(1_048_577) })).status).toBe(413)
  ok(await send('PATCH', owner, compose, { content: 'services: {web: {image: a, mem_limit: 64m}}' }))
  expect(refusalIn(await send('PATCH', owner, `/${id}`, { memoryMiB: 32 }))).toEqual([400, 'COMPOSE_REFUSED'])
  expect(ok(await send('PATCH', owner, compose, { content: null }))).toEqual({ content: null, source: 'STORED' })
  ok(await send('PATCH', owner, `/${id}`, { source: git() }))
  expect(ok(await send('GET', owner, `/${id}/files/dockerfile`))).toEqual({ content: null, source: 'GENERATED' })
  expect(ok(await send('PATCH', owner, `/${id}/files/dockerfile`, { content: 'FROM x\n' })).source).toBe('STORED')
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  expect((await send('GET', viewer, compose)).status).toBe(403)
  expect((await send('PATCH', viewer, compose, { content: null })).status).toBe(403)
})

test('two editors of a file do not overwrite each other', async () => {
  const { owner, add } = await shop()
  const { id } = await add({ source: { kind: 'DOCKERFILE' } })
  const path = `/api/applications/${id}/files/dockerfile`
  const first = await panel.call('GET', path, { as: owner.as })
  const headers = { 'If-Match': first.headers.get('etag')! }
  ok(await panel.call('PATCH', path, { as: owner.as, headers, body: { content: 'FROM a' } }))
  expect((await panel.call('PATCH', path, { as: owner.as, headers, body: { content: 'FROM b' } })).status).toBe(412)
})

test('a push deploys where that is turned on', async () => {
  const { owner, add } = await shop()
  const { id } = await add()
  const set = (enabled: boolean) => send('PATCH', owner, `/${id}/auto-deploy`, { enabled })
  expect(refusalIn(await set(true))).toEqual([409, 'NO_REPOSITORY'])
  ok(await send('PATCH', owner, `/${id}`, { source: git() }))
  expect(ok(await set(true))).toEqual({ autoDeploy: true })
  expect(ok(await send('GET', owner, `/${id}`)).autoDeploy).toBe(true)
  ok(await send('PATCH', owner, `/${id}`, { source: image }))
  expect(ok(await send('GET', owner, `/${id}`)).autoDeploy).toBe(false)
})

test('branches are read through the API of the provider', async () => {
  const { owner, projectId, add } = await shop()
  const provider = await connect(owner)
  const { id } = await add({ source: git({ providerId: provider.id }) })
  const member = await floor.member(owner, projectId, { role: 'DEVELOPER' })
  const branches = ok(await send('GET', member, `/${id}/branches`))
  expect(branches).toHaveLength(BRANCHES.length)
  expect(branches).toContainEqual({ name: 'main', commit: commitOf('main'), isDefault: true })
  expect(ok(await send('GET', owner, `/${id}/branches?search=CART`))).toMatchObject([{ name: 'feature/cart' }])
  ok(await providers('DELETE', owner, `/${provider.id}?detach=true`), 204)
  expect(refusalIn(await send('GET', owner, `/${id}/branches`))).toEqual([409, 'PROVIDER_REFUSED'])
  expect(refusalIn(await send('GET', owner, `/${(await add()).id}/branches`))).toEqual([409, 'NO_REPOSITORY'])
})

test('branches of a server without an API are read as git does', async () => {
  const { owner, add } = await shop()
  const url = `${plainUrl}/ada/shop.git`
  const branchesOf = async (source: object) => send('GET', owner, `/${(await add({ source })).id}/branches`)
  const both = [
    { name: 'fix/cart', commit: COMMITS[1], isDefault: false },
    { name: 'main', commit: COMMITS[0], isDefault: true },
  ]
  expect(ok(await branchesOf(git({ url })))).toEqual(both)
  const { id: providerId } = await connect(owner, { kind: 'GENERIC', baseUrl: plainUrl })
  expect(ok(await branchesOf(git({ url, providerId })))).toEqual(both)
  const wrong = await connect(owner, { kind: 'GENERIC', baseUrl: plainUrl, token: 'another' })
  expect(refusalIn(await branchesOf(git({ url, providerId: wrong.id })))).toEqual([409, 'PROVIDER_REFUSED'])
  expect(refusalIn(await branchesOf(git({ url: `${plainUrl}/ada/none` })))).toEqual([409, 'PROVIDER_REFUSED'])
  expect(refusalIn(await branchesOf(git({ url: 'https://10.1.2.3/a' })))).toEqual([400, 'ADDRESS_REFUSED'])
})
