/** Where applications are reached, over HTTP: URLs, ports of servers, and the addresses that they leave from. */
import { afterEach, expect, test } from 'vitest'
import { registries } from '#panel/registries/decider'
import { serverPorts } from '#panel/servers/ports/decider'
import { ok, projectFixture, refusalIn } from '../../support/panel/project-fixture.ts'
import { FACTS } from '../../support/panel/server-examples.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const PANEL_PORT = 20_001
const panel = await startPanel({ port: PANEL_PORT })
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const [HERE, THERE, SIX] = ['192.0.2.10', '192.0.2.11', '2001:db8::10']
const PUBLIC = 'host.example.com'

type Who = { readonly as: string }
let made = 0
const send = (method: string, { as }: Who, path: string, body?: unknown) =>
  panel.call(method, `/api/applications${path}`, { as, ...(body === undefined ? {} : { body }) })
const setDomain = async (value: string) =>
  ok(await panel.call('PATCH', '/api/admin/settings/appsDomain', { as: root.as, body: { value } }))

/** A server of its own, so that its ports begin anew. */
async function newHost(more: object = {}): Promise<string> {
  const { id, installToken } = await servers.add(root, more)
  await servers.register(installToken, { facts: { ...FACTS, addresses: [HERE, THERE, SIX] } })
  await panel.panel.projector.catchUp()
  return id
}

async function shop(on?: string) {
  const serverId = on ?? (await newHost())
  const owner = await panel.somebody()
  const projectId = await floor.project(owner)
  const environmentId = await floor.environment(owner, projectId, 'live')
  const source = { kind: 'IMAGE', image: 'shop:1' }
  const create = (more: object = {}) => {
    const place = { projectId, environmentId, serverId, name: `App ${(made += 1)}` }
    return send('POST', owner, '', { ...place, source, memoryMiB: 16, cpuMillis: 50, port: 8_080, ...more })
  }
  const taken = async () => {
    const { taken: all } = await panel.run((unit) => unit.look(serverPorts, serverId))
    return all.buckets.flatMap((bucket) =>
      [...bucket.values()].flat().map(({ ip, port, protocol }) => [ip, port, protocol]),
    )
  }
  return {
    serverId,
    owner,
    projectId,
    environmentId,
    create,
    add: async (more?: object) => ok(await create(more), 201),
    taken,
  }
}

afterEach(() => setDomain(''))

test('an application with a port has a URL of its own, which goes with it', async () => {
  const { owner, add, taken } = await shop()
  const [one, two] = [await add(), await add()]
  expect(one).toMatchObject({ url: `http://${HERE}:20000`, urlMode: 'PORT', bindIp: null, outboundIp: null })
  expect(two.url).toBe(`http://${HERE}:20001`)
  expect(ok(await send('GET', owner, `/${one.id}`))).toEqual(one)
  expect(ok(await send('GET', owner, ''))).toEqual([two, one])
  expect(await taken()).toEqual(
    expect.arrayContaining([
      [null, 20_000, 'TCP'],
      [null, 20_001, 'TCP'],
    ]),
  )
  ok(await send('DELETE', owner, `/${one.id}`), 204)
  expect(await taken()).toEqual([[null, 20_001, 'TCP']])
  expect((await add()).url, 'no other application is at the old URL').toBe(`http://${HERE}:20002`)
})

test('the URL names the public address of the server, and comes and goes with the port', async () => {
  const { owner, add, taken } = await shop(await newHost({ publicAddress: PUBLIC }))
  const { id, url } = await add({ port: null })
  expect([url, await taken()]).toEqual([null, []])
  const change = async (body: object) => ok(await send('PATCH', owner, `/${id}`, body)).url
  expect(await change({ port: 3_000 })).toBe(`http://${PUBLIC}:20000`)
  expect(await change({ port: 3_001, replicas: 2 })).toBe(`http://${PUBLIC}:20000`)
  expect(await change({ port: null, healthCheck: { kind: 'NONE' } })).toBeNull()
  expect(await taken()).toEqual([])
})

test('applications that are created at once have different ports', async () => {
  const { create, taken } = await shop()
  const replies = await Promise.all(Array.from({ length: 12 }, () => create()))
  const urls = replies.map((reply) => ok(reply, 201).url)
  expect(new Set(urls).size).toBe(urls.length)
  expect(await taken()).toHaveLength(urls.length)
})

test('a URL is bound to one address of its server and to all of them again', async () => {
  const { owner, add, taken } = await shop(await newHost({ publicAddress: PUBLIC }))
  const { id, url } = await add()
  const bind = (ip: unknown) => send('PATCH', owner, `/${id}/bind-ip`, { ip })
  expect(ok(await bind(THERE))).toEqual({ bindIp: THERE, outboundIp: null, url: `http://${THERE}:20000` })
  expect(await taken()).toEqual([[THERE, 20_000, 'TCP']])
  expect(ok(await bind('2001:0DB8:0::0010'))).toMatchObject({ bindIp: SIX, url: `http://[${SIX}]:20000` })
  expect(ok(await bind(''))).toEqual({ bindIp: null, outboundIp: null, url })
  expect(await taken()).toEqual([[null, 20_000, 'TCP']])
  for (const ip of ['192.0.2.99', '0.0.0.0', 'example.com', '192.0.2.10 ', '::'])
    expect(refusalIn(await bind(ip)), ip).toEqual([400, 'NOT_AN_ADDRESS_HERE'])
  for (const ip of [undefined, 1, 'a'.repeat(46)]) expect((await bind(ip)).status).toBe(400)
  expect(ok(await send('GET', owner, `/${id}`)).bindIp).toBeNull()
})

test('a URL stays where it is if another application has its port on another address', async () => {
  const { owner, add } = await shop()
  const [{ id }, other] = [await add(), await add({ port: null })]
  ok(await send('PATCH', owner, `/${id}/bind-ip`, { ip: HERE }))
  ok(await send('POST', owner, `/${other.id}/host-ports`, { containerPort: 1, ip: THERE, port: 20_000 }), 201)
  expect(refusalIn(await send('PATCH', owner, `/${id}/bind-ip`, { ip: null }))).toEqual([409, 'PORT_TAKEN'])
  expect(refusalIn(await send('PATCH', owner, `/${id}/bind-ip`, { ip: THERE }))).toEqual([409, 'PORT_TAKEN'])
  expect(ok(await send('GET', owner, `/${id}`)).url).toBe(`http://${HERE}:20000`)
})

test('connections leave from an address of the server, unless it is the panel’s own host', async () => {
  const { owner, add } = await shop()
  const { id } = await add()
  const leave = (ip: unknown, of = id) => send('PATCH', owner, `/${of}/outbound-ip`, { ip })
  expect(ok(await leave(THERE))).toMatchObject({ bindIp: null, outboundIp: THERE })
  expect(ok(await leave(null))).toMatchObject({ outboundIp: null })
  expect(refusalIn(await leave('192.0.2.99'))).toEqual([400, 'NOT_AN_ADDRESS_HERE'])
})

test('a clean URL is a name under the domain of the installation, and takes no port', async () => {
  const { owner, add, taken } = await shop()
  const { id, slug, url } = await add()
  const mode = (value: unknown) => send('PATCH', owner, `/${id}/url-mode`, { mode: value })
  expect(refusalIn(await mode('CLEAN'))).toEqual([409, 'NO_BASE_DOMAIN'])
  await setDomain('apps.example.com')
  expect(ok(await mode('CLEAN'))).toEqual({ url: `http://${slug}.apps.example.com` })
  expect([ok(await send('GET', owner, `/${id}/ports`)), await taken()]).toEqual([[], []])
  await setDomain('')
  expect(ok(await send('GET', owner, `/${id}`))).toMatchObject({ urlMode: 'CLEAN', url: null })
  expect(ok(await mode('PORT'))).toEqual({ url: url.replace('20000', '20001') })
  for (const bad of ['clean', null, undefined]) expect((await mode(bad)).status).toBe(400)
  for (const value of ['Apps.example.com', 'a..b', '-a.b', 'a.b.', 'a b', 'a_b.c', `${'a'.repeat(64)}.b`, 5])
    expect((await panel.call('PATCH', '/api/admin/settings/appsDomain', { as: root.as, body: { value } })).status).toBe(
      400,
    )
})

test('ports of the server are opened, listed and closed', async () => {
  const { owner, add, taken } = await shop()
  const { id } = await add()
  const open = (body: object) => send('POST', owner, `/${id}/host-ports`, body)
  const database = ok(await open({ containerPort: 5_432, ip: HERE, port: 5_432 }), 201)
  expect(database).toEqual({
    id: expect.any(String),
    containerPort: 5_432,
    hostPort: 5_432,
    ip: HERE,
    protocol: 'TCP',
    via: 'TCP',
  })
  const voice = ok(await open({ containerPort: 5_432, ip: '', port: 5_432, protocol: 'UDP' }), 201)
  expect(voice).toMatchObject({ ip: null, via: 'ENGINE' })
  const ofUrl = { id: null, containerPort: 8_080, hostPort: 20_000, ip: null, protocol: 'TCP', via: 'EDGE' }
  expect(ok(await send('GET', owner, `/${id}/ports`))).toEqual([ofUrl, database, voice])
  for (const ip of [HERE, null])
    expect(refusalIn(await open({ containerPort: 1, ip, port: 5_432 }))).toEqual([409, 'PORT_TAKEN'])
  ok(await send('DELETE', owner, `/${id}/host-ports/${database.id}`), 204)
  expect((await send('DELETE', owner, `/${id}/host-ports/${database.id}`)).status).toBe(404)
  expect(ok(await send('GET', owner, `/${id}/ports`))).toEqual([ofUrl, voice])
  ok(await open({ containerPort: 5_432, port: 5_432 }), 201)
  ok(await send('DELETE', owner, `/${id}`), 204)
  expect(await taken()).toEqual([])
})

test('a port of another workload is refused like one of its own, and names no workload', async () => {
  const { serverId, add, owner } = await shop()
  const other = await shop(serverId)
  const [mine, theirs] = [await add(), await other.add()]
  ok(await send('POST', other.owner, `/${theirs.id}/host-ports`, { containerPort: 1, port: 7_000 }), 201)
  const refused = await send('POST', owner, `/${mine.id}/host-ports`, { containerPort: 1, ip: HERE, port: 7_000 })
  expect(refusalIn(refused)).toEqual([409, 'PORT_TAKEN'])
  expect(refused.body.message).toBe('TCP port 7000 of this server is taken: choose another one')
  for (const [path, body] of [
    [`/${theirs.id}/bind-ip`, { ip: null }],
    [`/${theirs.id}/url-mode`, { mode: 'PORT' }],
    [`/${theirs.id}/ports`, { ports: [{ id: null, hostPort: 20_500 }] }],
  ] as const)
    expect((await send('PATCH', owner, path, body)).status).toBe(404)
})

test('ports of the panel, of the mesh and of registries are reserved', async () => {
  const mesh = await newHost()
  ok(await servers.patch(root, `/${mesh}`, { meshPort: 7_946 }))
  const { id: registryId } = await servers.place(root.id, mesh)
  await panel.run(async (unit) => {
    const hosting = { serverId: mesh, cpuMillis: 1, memoryMiB: 1, diskMiB: 1 }
    const login = { name: 'Images', username: 'a', password: 'b' }
    const added = { registryId, projectId: null, kind: 'SELF_HOSTED' as const, address: null, hosting, ...login }
    await unit.decide(registries, registryId, 'Add', added)
    await unit.decide(registries, registryId, 'NotePort', { serverId: mesh, port: 40_123 })
  })
  const { owner, add } = await shop(mesh)
  const { id } = await add()
  const open = (port: number, protocol = 'TCP') =>
    send('POST', owner, `/${id}/host-ports`, { containerPort: 1, port, protocol })
  for (const port of [7_946, 40_123]) expect(refusalIn(await open(port)), `${port}`).toEqual([409, 'PORT_RESERVED'])
  ok(await open(PANEL_PORT), 201)
  for (const port of [0, 22, 80, 443, 1_023, 65_536, 1.5]) expect((await open(port)).status, `${port}`).toBe(400)
  expect((await open(5_000, 'tcp')).status).toBe(400)
})

test('the panel’s own host keeps the port of the panel, and its address', async () => {
  const local = await servers.local(panel.panel.clock.now())
  const { owner, projectId, add } = await shop(local)
  const urls = [await add(), await add()].map(({ url }) => url)
  expect(urls).toEqual(['http://192.0.2.1:20000', 'http://192.0.2.1:20002'])
  const { id } = await add()
  const asked = await send('POST', owner, `/${id}/host-ports`, { containerPort: 1, port: PANEL_PORT })
  expect(refusalIn(asked)).toEqual([409, 'PORT_RESERVED'])
  const left = await send('PATCH', owner, `/${id}/outbound-ip`, { ip: '192.0.2.1' })
  expect(refusalIn(left)).toEqual([409, 'LOCAL_SERVER'])
  expect(ok(await send('GET', owner, `/next-free-port/${projectId}`))).toEqual({ port: 20_004 })
})

test('ports move all at once, so that two of them may be swapped', async () => {
  const { owner, add, taken } = await shop()
  const { id } = await add()
  const open = async (port: number) =>
    ok(await send('POST', owner, `/${id}/host-ports`, { containerPort: port, port }), 201).id
  const [one, two] = [await open(6_001), await open(6_002)]
  const move = (...ports: object[]) => send('PATCH', owner, `/${id}/ports`, { ports })
  const swapped = ok(
    await move({ id: one, hostPort: 6_002 }, { id: two, hostPort: 6_001 }, { id: null, hostPort: 25_000 }),
  )
  expect(swapped.map((port: any) => [port.id, port.containerPort, port.hostPort])).toEqual([
    [null, 8_080, 25_000],
    [one, 6_001, 6_002],
    [two, 6_002, 6_001],
  ])
  expect(ok(await send('GET', owner, `/${id}`)).url).toBe(`http://${HERE}:25000`)
  const before = await taken()
  expect(refusalIn(await move({ id: one, hostPort: 6_500 }, { id: two, hostPort: 25_000 }))).toEqual([
    409,
    'PORT_TAKEN',
  ])
  expect(refusalIn(await move({ id: null, hostPort: 19_999 }))).toEqual([400, 'NOT_A_URL_PORT'])
  expect((await move({ id: id as string, hostPort: 6_500 })).status).toBe(404)
  for (const ports of [
    [],
    [{ id: one, hostPort: 1_023 }],
    [{ hostPort: 6_500 }],
    [
      { id: one, hostPort: 1 },
      { id: one, hostPort: 2 },
    ],
  ])
    expect((await move(...ports)).status, JSON.stringify(ports)).toBe(400)
  expect(await taken()).toEqual(before)
})

test('a free port is told to those who may create and use the server', async () => {
  const { serverId, owner, projectId, add } = await shop()
  const ask = (who: Who, of = projectId, on = serverId) => send('GET', who, `/next-free-port/${of}?serverId=${on}`)
  expect(ok(await ask(owner))).toEqual({ port: 20_000 })
  await add()
  expect(ok(await ask(owner))).toEqual({ port: 20_001 })
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  const environmentIds = [await floor.environment(owner, projectId, 'trial')]
  const partly = await floor.member(owner, projectId, { role: 'DEVELOPER', environmentIds })
  expect((await ask(viewer)).status).toBe(403)
  expect((await ask(partly)).status).toBe(200)
  expect((await ask(await panel.somebody())).status).toBe(404)
  await servers.grant(root, serverId, { userId: root.id })
  expect(refusalIn(await ask(owner))).toEqual([403, 'SERVER_NOT_YOURS'])
  expect(refusalIn(await ask(owner, projectId, projectId))).toEqual([403, 'SERVER_NOT_YOURS'])
})

test('members need apps:create to change addresses, and see ports with apps:view', async () => {
  const { owner, projectId, add } = await shop()
  const { id } = await add()
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER' })
  ok(await send('GET', viewer, `/${id}/ports`))
  for (const [method, path, body] of [
    ['PATCH', 'bind-ip', { ip: null }],
    ['PATCH', 'outbound-ip', { ip: null }],
    ['PATCH', 'url-mode', { mode: 'PORT' }],
    ['PATCH', 'ports', { ports: [{ id: null, hostPort: 20_100 }] }],
    ['POST', 'host-ports', { containerPort: 1, port: 6_000 }],
    ['DELETE', `host-ports/${id}`, undefined],
  ] as const)
    expect((await send(method, viewer, `/${id}/${path}`, body)).status, path).toBe(403)
})

test('the audit trail tells which ports were taken and freed', async () => {
  const { owner, add, serverId } = await shop()
  const { id } = await add()
  const { id: portId } = ok(
    await send('POST', owner, `/${id}/host-ports`, { containerPort: 53, port: 5_353, protocol: 'UDP' }),
    201,
  )
  ok(await send('DELETE', owner, `/${id}/host-ports/${portId}`), 204)
  const recent = (await panel.history()).slice(-10).map(({ type }) => type)
  expect(recent).toEqual(
    expect.arrayContaining(['ServerPortTaken', 'ApplicationPortOpened', 'ApplicationPortClosed', 'ServerPortFreed']),
  )
  const trail = ok(await panel.call('GET', `/api/admin/audit-logs?subject=${serverId}`, { as: root.as }))
  expect(JSON.stringify(trail)).toContain(
    `took UDP port 5353 of all addresses of server ${serverId} for APPLICATION ${id}`,
  )
})
