/** A caller loses a right between the gate and the append: the change is refused at the append. */
import pino from 'pino'
import { afterAll, describe, expect, test } from 'vitest'
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { apiKeys } from '#panel/api-keys/decider'
import { projects } from '#panel/projects/decider'
import { users } from '#panel/users/decider'
import { rivalWriter } from '#test/support/rival-writer'
import { SYSTEM } from '#test/support/serve'
import { openPanel } from '../../../src/composition/panel.ts'
import { projectFixture, ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { Reply, TestUser } from '../../support/panel/service.ts'

const { overtaken, overtaking } = rivalWriter()

const panel = await startPanel({ wrapStore: overtaking })
const { get, post, patch, put, remove, project, member, role, environment } = projectFixture(panel)

/** Another process on the same events. */
const other = await openPanel(panel.settings, pino({ enabled: false }))
afterAll(() => other.close())
const elsewhere = (work: (unit: UnitOfWork) => Promise<unknown>) => other.commands.run(SYSTEM, work)

const RIGHTS = ['settings:manage', 'environments:manage', 'apps:env'] as const

/** A project with an environment, a variable in it, and a member who may change them by a custom role. */
async function scene() {
  await panel.licensed()
  const owner = await panel.somebody()
  const id = await project(owner)
  const [envId, elsewhere] = [await environment(owner, id, 'live'), await environment(owner, id, 'other')]
  const variables = [{ name: 'A', value: 'before' }]
  const [row] = ok(await put(owner, `/${id}/shared-env?environmentId=${envId}`, { variables }))
  const who = await member(owner, id)
  const roleId = await role(owner, id, RIGHTS)
  ok(await patch(owner, `/${id}/members/${who.memberId}/custom-role`, { roleId }))
  return { owner, id, envId, elsewhere, rowId: row.id as string, who }
}
type Scene = Awaited<ReturnType<typeof scene>>

const WRITES: readonly (readonly [line: string, before: string, ask: (at: Scene) => Promise<Reply>])[] = [
  ['PATCH', 'ProjectChanged', ({ who, id }) => patch(who, `/${id}`, { name: 'After' })],
  [
    'POST environments',
    'ProjectEnvironmentAdded',
    ({ who, id }) => post(who, `/${id}/environments`, { name: 'after' }),
  ],
  [
    'PATCH environments',
    'ProjectEnvironmentRenamed',
    ({ who, id, envId }) => patch(who, `/${id}/environments/${envId}`, { name: 'after' }),
  ],
  [
    'DELETE environments',
    'ProjectEnvironmentRemoved',
    ({ who, id, elsewhere }) => remove(who, `/${id}/environments/${elsewhere}`),
  ],
  [
    'PUT shared-env of all',
    'ProjectSharedEnvWritten',
    ({ who, id }) => put(who, `/${id}/shared-env`, { variables: [{ name: 'B', value: 'after' }] }),
  ],
  [
    'PUT shared-env of one',
    'ProjectSharedEnvWritten',
    ({ who, id, envId }) =>
      put(who, `/${id}/shared-env?environmentId=${envId}`, { variables: [{ name: 'A', value: 'after' }] }),
  ],
  ['DELETE shared-env', 'ProjectVariableRemoved', ({ who, id, rowId }) => remove(who, `/${id}/shared-env/${rowId}`)],
]

/** All that the writes could have changed, as the owner sees it. */
const seen = async ({ owner, id, envId }: Scene) =>
  Promise.all(
    ['', '/environments', '/shared-env', `/shared-env?environmentId=${envId}`].map(async (path) =>
      ok(await get(owner, `/${id}${path}`)),
    ),
  )

const by = ({ owner }: Scene) => ({ userId: owner.id, teamIds: [], platform: undefined })
const removed = (at: Scene) =>
  elsewhere((unit) => unit.decide(projects, at.id, 'RemoveMember', { memberId: at.who.memberId, by: by(at) }))
const demoted = (at: Scene) => {
  const looking = { memberId: at.who.memberId, roleId: null, by: by(at) }
  return elsewhere((unit) => unit.decide(projects, at.id, 'SetCustomRole', looking))
}

describe.each(WRITES)('%s', (_line, before, ask) => {
  test('by a member who may no more than look meanwhile: 403, and nothing is written', async () => {
    const at = await scene()
    const was = await seen(at)
    overtaken(before, () => demoted(at))
    expect(refusalIn(await ask(at))).toEqual([403, 'PERMISSION_MISSING'])
    expect(await seen(at)).toEqual(was)
  })

  test('by a member who is removed meanwhile: as if there were no project, and nothing is written', async () => {
    const at = await scene()
    const was = await seen(at)
    overtaken(before, () => removed(at))
    expect(refusalIn(await ask(at))).toEqual([404, 'NOT_FOUND'])
    expect(await seen(at)).toEqual(was)
  })
})

test('whoever keeps his right writes, whatever else has happened meanwhile', async () => {
  const at = await scene()
  const change = { description: 'meanwhile', by: by(at) }
  overtaken('ProjectChanged', () => elsewhere((unit) => unit.decide(projects, at.id, 'ChangeProject', change)))
  const { name, description } = ok(await patch(at.who, `/${at.id}`, { name: 'After' }))
  expect([name, description]).toEqual(['After', 'meanwhile'])
})

test('an environment that somebody’s role does not reach any more is like none', async () => {
  const at = await scene()
  const was = await seen(at)
  const narrowed = { memberId: at.who.memberId, environmentIds: [at.elsewhere], by: by(at) }
  overtaken('ProjectEnvironmentRenamed', () =>
    elsewhere((unit) => unit.decide(projects, at.id, 'ChangeMember', narrowed)),
  )
  const renaming = await patch(at.who, `/${at.id}/environments/${at.envId}`, { name: 'after' })
  expect(refusalIn(renaming)).toEqual([404, 'NOT_FOUND'])
  expect(await seen(at)).toEqual(was)
})

describe('by an API key', () => {
  const minted = async (who: TestUser, more: object = {}) =>
    ok(
      await panel.call('POST', '/api/api-keys', {
        as: who.as,
        body: { name: 'CI', scopes: ['platform:projects:manage'], ...more },
      }),
      201,
    )
  const revoked = (holder: string, apiKeyId: string) =>
    elsewhere((unit) => unit.decide(apiKeys, holder, 'RevokeKey', { apiKeyId }))
  const changed = (secret: string, id: string) => patch({ as: secret }, `/${id}`, { name: 'After' })

  test('that is revoked meanwhile: 401 like any key that is not good', async () => {
    const at = await scene()
    const was = await seen(at)
    const { key, secret } = await minted(at.owner)
    overtaken('ProjectChanged', () => revoked(at.owner.id, key.id))
    expect(refusalIn(await changed(secret, at.id))).toEqual([401, 'API_KEY_INVALID'])
    const second = await minted(at.owner)
    overtaken('ProjectCreated', () => revoked(at.owner.id, second.key.id))
    expect(refusalIn(await post({ as: second.secret }, '', { name: 'After' }))).toEqual([401, 'API_KEY_INVALID'])
    expect(await seen(at)).toEqual(was)
  })

  test('whose owner is removed meanwhile: as if there were no project', async () => {
    const at = await scene()
    const { secret } = await minted(at.who)
    overtaken('ProjectChanged', () => removed(at))
    expect(refusalIn(await changed(secret, at.id))).toEqual([404, 'NOT_FOUND'])
  })

  test('whose owner is suspended meanwhile: 401', async () => {
    const at = await scene()
    const { secret } = await minted(at.who)
    const suspension = { by: { id: 'test', role: 'SUPERADMIN' as const }, status: 'SUSPENDED' as const }
    overtaken('ProjectChanged', () => elsewhere((unit) => unit.decide(users, at.who.id, 'ChangeUser', suspension)))
    expect(refusalIn(await changed(secret, at.id))).toEqual([401, 'API_KEY_INVALID'])
  })

  test('of nobody: it changes what it may, until it is revoked', async () => {
    const at = await scene()
    const root = await panel.somebody('SUPERADMIN')
    const { key, secret } = await minted(root, { kind: 'MACHINE' })
    expect(ok(await changed(secret, at.id)).name).toBe('After')
    overtaken('ProjectChanged', () => revoked('machine', key.id))
    expect(refusalIn(await changed(secret, at.id))).toEqual([401, 'API_KEY_INVALID'])
  })
})
