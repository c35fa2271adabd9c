/** Objects for every path, so that a refusal depends on the caller and not on a missing object. */
import { Readable } from 'node:stream'
import { expect } from 'vitest'
import { tasks } from '#panel/agent/decider'
import { storeForTask } from '#panel/agent/transfers'
import { notificationEvents } from '#panel/notifications/events'
import { png } from '#test/support/kernel/image-fixtures'
import type { Row } from './access-table.ts'
import { apiKeyFixture } from './api-key-fixture.ts'
import type { Person } from './credentials.ts'
import { openedPreview } from './opened-preview.ts'
import { projectFixture } from './project-fixture.ts'
import { serverFixture } from './server-fixture.ts'
import type { TestUser, TestPanel } from './service.ts'

const DAY_MS = 86_400_000

/** By the names of the path parameters. */
export type Ids = Readonly<Record<string, string>>

export interface Owners {
  readonly root: TestUser
  /** The owner of the project and the team that paths name. */
  readonly owner: TestUser
  /** The account that owns objects which only their owner may change. */
  readonly other: TestUser
}

export interface AgentOfServer {
  readonly serverId: string
  readonly token: string
}

/** Routes about the caller's own objects. An object of another account is answered like an unknown one. */
export const isAboutOwn = ({ line }: Row): boolean =>
  / \/api\/(auth\/sessions|api-keys|notifications|git-providers)\/:id/.test(line)

/** Creates a new object, by the routes that use one up or need one of the caller's own. */
type Makers = Readonly<Record<string, (asker: TestUser, person: Person) => Promise<Ids>>>

/** The id of the session, from its token. */
const sessionOf = ({ as }: TestUser): string => JSON.parse(Buffer.from(as.split('.')[1]!, 'base64url').toString()).sid

export async function accessObjects(panel: TestPanel, { root, owner, other }: Owners) {
  const [floor, keys, servers] = [projectFixture(panel), apiKeyFixture(panel), serverFixture(panel)]
  let named = 0
  const newName = () => `thing-${(named += 1)}`

  async function made({ as }: TestUser, method: string, path: string, body: unknown): Promise<any> {
    const reply = await panel.call(method, path, { as, body })
    expect(reply.status, `${method} ${path} ${reply.text}`).toBeLessThan(300)
    return reply.body
  }

  async function photograph({ as }: TestUser, path: string): Promise<void> {
    const headers = { authorization: `Bearer ${as}`, 'content-type': 'application/octet-stream' }
    const { status } = await fetch(panel.url + path, { method: 'POST', headers, body: new Uint8Array(png(8, 8)) })
    expect(status, path).toBe(200)
  }

  async function notification({ id: userId }: TestUser): Promise<Ids> {
    const id = await panel.run(async (unit) => {
      const [notificationId, causeId] = [unit.newId(), unit.newId()]
      const about = {
        kind: 'MEMBERSHIP' as const,
        title: 'Something',
        projectId: null,
        teamId: null,
        apiKeyId: null,
        serverId: null,
      }
      unit.appendEvent(
        notificationEvents,
        userId,
        notificationEvents.NotificationAdded({ notificationId, userId, causeId, ...about }),
      )
      return notificationId
    })
    await panel.panel.projector.catchUp()
    return { id }
  }

  const account = async () => ({ id: (await panel.account('USER')).id })
  async function photographed(): Promise<Ids> {
    const { id } = await account()
    await photograph(root, `/api/admin/users/${id}/avatar`)
    return { id }
  }
  async function ownPhoto(asker: TestUser): Promise<Ids> {
    await photograph(asker, '/api/auth/profile/avatar')
    return {}
  }
  const key = async (who: TestUser) => ({ id: (await keys.minted(who)).id })
  const adminRole = async () => ({
    roleId: (await made(root, 'POST', '/api/admin/roles', { name: newName(), permissions: [] })).id as string,
  })
  const team = async () => ({ id: (await made(owner, 'POST', '/api/teams', { name: newName() })).id as string })
  async function teamMember(id: string, userId?: string): Promise<Ids> {
    const memberUserId = userId ?? (await account()).id
    await made(owner, 'POST', `/api/teams/${id}/members`, { userId: memberUserId })
    return { memberUserId }
  }

  const machine = await keys.minted(root, { kind: 'MACHINE' })
  const project = await floor.project(owner)
  const path = `/api/projects/${project}`
  const join = async (userId: string, role: string, at = path) => ({
    memberId: (await made(owner, 'POST', `${at}/members`, { userId, role })).id as string,
  })
  const member = async () => join((await account()).id, 'VIEWER')
  const role = async () => ({
    roleId: (await made(owner, 'POST', `${path}/roles`, { name: newName(), permissions: ['apps:view'] })).id as string,
  })
  const environment = async () => ({ envId: await floor.environment(owner, project, newName()) })
  async function variable(): Promise<Ids> {
    const { envId } = await environment()
    const [row] = await made(owner, 'PUT', `${path}/shared-env?environmentId=${envId}`, {
      variables: [{ name: 'A', value: '1' }],
    })
    return { rowId: row.id }
  }
  async function projectTeam(): Promise<Ids> {
    const { id: teamId } = await team()
    await made(owner, 'POST', `${path}/teams`, { teamId, role: 'VIEWER' })
    return { teamId }
  }
  /** A key without an owner, as MACHINE keys have none. */
  async function ownerless(): Promise<Ids> {
    const { id } = await made({ ...root, as: machine.secret }, 'POST', '/api/projects', { name: newName() })
    return { id }
  }
  /** Joins a second project: the caller stays a member of the project that other routes use. */
  async function joined({ id }: TestUser, { inProject }: Person): Promise<Ids> {
    const another = await floor.project(owner)
    await join(id, inProject!, `/api/projects/${another}`)
    return { id: another }
  }

  const server = async () => ({
    id: (await made(root, 'POST', '/api/servers', { name: newName() })).server.id as string,
  })
  const grant = async (serverId: string, userId: string, level: 'USE' | 'MANAGE'): Promise<Ids> => ({
    ruleId: (await made(root, 'POST', `/api/servers/${serverId}/access`, { userId, level })).id,
  })

  /** Nothing listens there. */
  const login = { kind: 'EXTERNAL', address: '127.0.0.1:59999', username: 'ada', password: 'a password' }
  const registry = async () => ({
    id: (await made(root, 'POST', '/api/registries', { name: newName(), ...login })).id as string,
  })

  const { envId: environmentId } = await environment()
  const home = await servers.running(root)
  async function application(): Promise<Ids> {
    const values = { name: newName(), source: { kind: 'IMAGE', image: 'shop:1' }, memoryMiB: 16, cpuMillis: 50 }
    const place = { projectId: project, environmentId, serverId: home }
    return { id: (await made(owner, 'POST', '/api/applications', { ...place, ...values })).id }
  }
  async function schedule(): Promise<Ids> {
    const { id: applicationId } = await application()
    const { id } = await made(owner, 'POST', '/api/scheduled-deploys', { applicationId, cron: '0 0 * * *' })
    return { id }
  }
  const preview = async () => {
    const { id } = await application()
    return { previewId: await openedPreview(panel, { id: id!, projectId: project, environmentId, serverId: home }) }
  }
  /** Of an application of its own, since one has at most 20. */
  async function envSet(): Promise<Ids> {
    const { id } = await application()
    const { id: setId } = await made(owner, 'POST', `/api/applications/${id}/env-sets`, { name: newName() })
    return { id: id!, setId }
  }
  /** That waits for its server, and can be cancelled. */
  async function deployment(): Promise<Ids> {
    const { id, ...ids } = await hostPort()
    const { id: depId } = await made(owner, 'POST', '/api/deployments', { applicationId: id })
    return { ...ids, id: id!, depId }
  }
  const deploymentAlone = async () => ({ id: (await deployment())['depId']! })
  let ports = 10_000
  /** Of an application of its own, as sets are. */
  async function hostPort(): Promise<Ids> {
    const { id, ...set } = await envSet()
    const port = { containerPort: 80, port: (ports += 1) }
    return { ...set, id: id!, portId: (await made(owner, 'POST', `/api/applications/${id}/host-ports`, port)).id }
  }
  /** Of a kind without an API, so that nothing is called. */
  const generic = { kind: 'GENERIC', baseUrl: 'https://forge.example', token: 'a-token' }
  const gitProvider = async (asker: TestUser) => ({
    id: (await made(asker, 'POST', '/api/git-providers', { name: newName(), ...generic })).id as string,
  })

  const [viewer, developer, admin] = [await panel.somebody(), await panel.somebody(), await panel.somebody()]
  const { memberId } = await join(viewer.id, 'VIEWER')
  await join(developer.id, 'DEVELOPER')
  await join(admin.id, 'ADMIN')
  const { id: teamId } = await team()
  await teamMember(teamId, developer.id)
  const { id: serverId } = await server()
  await grant(serverId, viewer.id, 'USE')
  await grant(serverId, developer.id, 'MANAGE')
  const registered = async (): Promise<AgentOfServer> => {
    const { installToken } = await servers.add(root)
    return servers.register(installToken)
  }
  const agents = { 'the server': await registered(), 'another server': await registered() }
  const host = agents['the server'].serverId
  await grant(host, viewer.id, 'USE')
  await grant(host, developer.id, 'MANAGE')
  const taskId = await panel.run(async (unit) => {
    const [id, expiresAt] = [unit.newId(), new Date(unit.at.getTime() + DAY_MS).toISOString()]
    const asked = { kind: 'echo', kindVersion: 1, lane: null, payload: '{}', causeType: 'test', causeId: id }
    await unit.decide(tasks, id, 'Queue', { taskId: id, serverId: host, projectId: null, expiresAt, ...asked })
    return id
  })
  await storeForTask(
    { telemetry: panel.panel.pool, service: panel.panel.services },
    { transferId: taskId, toTask: taskId, bytesMax: 5 },
    Readable.from([Buffer.from('bytes')]),
  )
  await panel.panel.projector.catchUp()
  await servers.local(panel.panel.clock.now())
  const { installToken } = await servers.add(root)
  const rule = async () => grant(serverId, (await account()).id, 'USE')

  const STANDING: readonly (readonly [paths: RegExp, ids: Ids])[] = [
    [
      /^\/api\/projects\/:id/,
      {
        id: project,
        memberId,
        ...(await role()),
        ...(await environment()),
        dstEnvId: (await environment()).envId,
        ...(await variable()),
        ...(await projectTeam()),
      },
    ],
    [/^\/api\/(admin\/)?teams\/:id/, { id: teamId, ...(await teamMember(teamId)) }],
    [/^\/api\/(admin\/quotas\/)?servers\/:id/, { id: serverId, ...(await rule()) }],
    [
      /^\/api\/engine\/servers\/:serverId/,
      { serverId, imageId: `sha256:${'a'.repeat(64)}`, id: 'a'.repeat(64), name: 'data' },
    ],
    [/^\/api\/agent\/tasks\/:id/, { id: taskId }],
    [/^\/api\/deployments\/:id/, await deploymentAlone()],
    [/^\/api\/applications\/:id/, await deployment()],
    [/^\/api\/applications\/next-free-port/, { projectId: project }],
    [/^\/api\/applications\/previews\/:previewId/, await preview()],
    [/^\/api\/webhooks\/applications\/:id/, await application()],
    [/^\/api\/scheduled-deploys\/:id/, await schedule()],
    [/^\/api\/registries\/:id/, await registry()],
    [/^\/api\/git-providers\/:id/, await gitProvider(other)],
    [/^\/api\/agent\/transfers\/:taskId/, { taskId }],
    [/^\/api\/(admin\/)?(quotas\/)?users\/:id/, await photographed()],
    [/^\/api\/admin\/roles\/:roleId/, await adminRole()],
    [/^\/api\/(admin\/)?api-keys\/:id/, await key(other)],
    [/^\/api\/notifications\/:id/, await notification(other)],
    [/^\/api\/auth\/sessions\/:id/, { id: sessionOf(other) }],
    [/^\/api\/admin\/settings\/:key/, { key: 'registrationOpen' }],
  ]

  /** What they make does not depend on who asks. */
  const USED_UP_BY_KEYS: Readonly<Record<string, () => Promise<Ids>>> = { 'DELETE /api/applications/:id': application }

  const MAKERS: Makers = {
    ...USED_UP_BY_KEYS,
    'DELETE /api/auth/profile/avatar': ownPhoto,
    'DELETE /api/auth/sessions/:id': async (asker) => ({ id: sessionOf(asker) }),
    'POST /api/api-keys/:id/revoke': key,
    'DELETE /api/api-keys/:id': key,
    'POST /api/notifications/:id/read': notification,
    'DELETE /api/notifications/:id': notification,
    'DELETE /api/users/:id': account,
    'DELETE /api/admin/users/:id': account,
    'DELETE /api/admin/users/:id/avatar': photographed,
    'DELETE /api/admin/roles/:roleId': adminRole,
    'POST /api/admin/api-keys/:id/revoke': () => key(root),
    'DELETE /api/admin/api-keys/:id': () => key(root),
    'POST /api/projects/:id/claim-ownership': ownerless,
    'DELETE /api/projects/:id': async (asker) => ({ id: await floor.project(asker) }),
    'DELETE /api/projects/:id/members/me': joined,
    'DELETE /api/projects/:id/members/:memberId': member,
    'DELETE /api/projects/:id/roles/:roleId': role,
    'DELETE /api/projects/:id/environments/:envId': environment,
    'DELETE /api/projects/:id/shared-env/:rowId': variable,
    'DELETE /api/projects/:id/teams/:teamId': projectTeam,
    'DELETE /api/applications/:id/env-sets/:setId': envSet,
    'POST /api/applications/:id/env-sets/:setId/activate': envSet,
    'DELETE /api/applications/:id/host-ports/:portId': hostPort,
    'POST /api/applications/:id/deployments/:depId/cancel': deployment,
    'DELETE /api/scheduled-deploys/:id': schedule,
    'DELETE /api/applications/previews/:previewId': preview,
    'DELETE /api/git-providers/:id': gitProvider,
    'GET /api/git-providers/:id/repos': gitProvider,
    'GET /api/git-providers/:id/tree': gitProvider,
    'GET /api/git-providers/:id/file': gitProvider,
    'GET /api/git-providers/:id/detect': gitProvider,
    'GET /api/git-providers/:id/scan-monorepo': gitProvider,
    'DELETE /api/registries/:id': registry,
    'DELETE /api/servers/:id': server,
    'DELETE /api/servers/:id/access/:ruleId': rule,
    'DELETE /api/teams/:id': team,
    'DELETE /api/admin/teams/:id': team,
    'DELETE /api/teams/:id/members/:memberUserId': () => teamMember(teamId),
    'DELETE /api/admin/teams/:id/members/:memberUserId': () => teamMember(teamId),
  }

  /** Objects that no request changes. They belong to another account where a path is about the caller's own. */
  function standing({ line }: Row): Ids {
    const path = line.slice(line.indexOf(' ') + 1)
    const named = STANDING.find(([paths]) => paths.test(path))?.[1] ?? {}
    for (const [, name] of path.matchAll(/:(\w+)/g))
      if (named[name!] === undefined) throw new Error(`There is nothing that ${name} of ${line} could name`)
    return named
  }

  return {
    /** Members of the project, by their roles there. */
    members: { VIEWER: viewer, DEVELOPER: developer, ADMIN: admin, OWNER: owner },
    project,
    agents,
    installToken,
    standing,
    freshForKey: async (row: Row): Promise<Ids> => ({ ...standing(row), ...(await USED_UP_BY_KEYS[row.line]?.()) }),
    /** Objects for an allowed caller. */
    async fresh(row: Row, asker: TestUser, person: Person): Promise<Ids> {
      return { ...standing(row), ...(await MAKERS[row.line]?.(asker, person)) }
    },
  }
}
