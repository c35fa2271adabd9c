/** Which applications run with older values of shared variables, over HTTP. */
import { afterAll, expect, test } from 'vitest'
import { deployedShop } from '../../support/panel/deployed-shop.ts'
import { deployingHost } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers] = [projectFixture(panel), serverFixture(panel)]
const host = await deployingHost(panel, { servers, owner: root })
afterAll(() => host.stop())
const owner = await panel.somebody()

async function shop() {
  const made = await deployedShop(panel, owner, { floor, host })
  const path = `projects/${made.projectId}/shared-env`
  return {
    ...made,
    async share(values: Record<string, string>, environmentId?: string) {
      const variables = Object.entries(values).map(([name, value]) => ({ name, value }))
      const query = environmentId === undefined ? '' : `?environmentId=${environmentId}`
      ok(await made.send('PUT', `${path}${query}`, { variables }))
    },
    async stale(who: { readonly as: string } = owner) {
      await panel.settle()
      const reply = ok(await made.send('GET', `${path}/stale`, undefined, who))
      return reply.map(({ applicationId, names }: any) => [applicationId, names])
    },
    readStale: (who: { readonly as: string }) => made.send('GET', `${path}/stale`, undefined, who),
  }
}

test('what runs with other values than those of now is named, until new containers have them', async () => {
  const { add, deploy, environmentId, share, stale, environmentOf, readStale } = await shop()
  await share({ COLOR: 'red', SIZE: 'small', GONE: 'soon' })
  const { id } = await add()
  expect(await stale()).toEqual([])
  const first = await deploy(id)
  expect(await stale()).toEqual([])
  await share({ COLOR: 'blue', SIZE: 'small', NEW: 'one' })
  expect(await stale()).toEqual([[id, ['COLOR', 'GONE', 'NEW']]])
  const [told] = ok(await readStale(owner))
  expect(told).toEqual({ applicationId: id, deploymentId: first.id, names: told.names, since: first.startingAt })
  expect(JSON.stringify(told)).not.toMatch(/red|blue/)
  await share({ SIZE: 'large' }, environmentId)
  expect(await stale()).toEqual([[id, ['COLOR', 'GONE', 'NEW', 'SIZE']]])
  const second = await deploy(id, 'restart')
  expect(environmentOf(second.id)).toMatchObject({ COLOR: 'blue', SIZE: 'large', NEW: 'one' })
  expect(await stale()).toEqual([])
  await deploy(id, 'rollback', { deploymentId: first.id })
  expect(await stale()).toEqual([[id, ['COLOR', 'GONE', 'NEW', 'SIZE']]])
  await deploy(id, 'stop')
  expect(await stale()).toEqual([])
})

test('a variable of another environment, or one that the application replaces, is no reason', async () => {
  const { add, deploy, projectId, environmentId, send, share, stale } = await shop()
  const trial = await floor.environment(owner, projectId, 'trial')
  const { id } = await add()
  const set = [{ name: 'OWN', value: 'mine' }]
  ok(await send('PATCH', `applications/${id}/env`, { set }))
  await share({ PLACE: 'live' }, environmentId)
  await deploy(id)
  await share({ OTHER: 'x' }, trial)
  await share({ OWN: 'shared', PLACE: 'project' })
  expect(await stale()).toEqual([])
  ok(await send('PATCH', `applications/${id}/env`, { remove: ['OWN'] }))
  expect(await stale()).toEqual([])
  await share({ PLACE: 'elsewhere' }, environmentId)
  expect(await stale()).toEqual([[id, ['PLACE']]])
})

test('a caller learns only of environments in which it may view applications', async () => {
  const { add, deploy, projectId, environmentId, share, stale, readStale } = await shop()
  const trial = await floor.environment(owner, projectId, 'trial')
  const [here, there] = [await add(), await add({ environmentId: trial })]
  for (const { id } of [here, there]) await deploy(id)
  await share({ COLOR: 'red' })
  expect(await stale()).toHaveLength(2)
  const viewer = await floor.member(owner, projectId, { role: 'VIEWER', environmentIds: [environmentId] })
  expect(await stale(viewer)).toEqual([[here.id, ['COLOR']]])
  const blind = await floor.member(owner, projectId, { roleId: await floor.role(owner, projectId, ['apps:logs']) })
  expect((await readStale(blind)).status).toBe(403)
  expect((await readStale(await panel.somebody())).status).toBe(404)
})
