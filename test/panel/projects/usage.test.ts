/** Usage of a project by day, over HTTP. */
import { afterAll, expect, test } from 'vitest'
import { apiKeyFixture } from '../../support/panel/api-key-fixture.ts'
import { deployedShop } from '../../support/panel/deployed-shop.ts'
import { deployingHost, failing } from '../../support/panel/deploying-host.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const DAY_MS = 86_400_000
const panel = await startPanel()
await panel.licensed()
const root = await panel.somebody('SUPERADMIN')
const [floor, servers, keys] = [projectFixture(panel), serverFixture(panel), apiKeyFixture(panel)]
const host = await deployingHost(panel, { servers, owner: root })
afterAll(() => host.stop())

const today = () => panel.panel.clock.now().toISOString().slice(0, 10)
const before = (days: number) => new Date(Date.parse(today()) - days * DAY_MS).toISOString().slice(0, 10)

test('what happened is counted by its day, and numbers without a change repeat', async () => {
  const owner = await panel.somebody()
  const { projectId, add, deploy, send } = await deployedShop(panel, owner, { floor, host })
  const [one, other] = [await add({ source: { kind: 'DOCKERFILE' } }), await add()]
  ok(await send('PATCH', `applications/${one.id}/files/dockerfile`, { content: 'FROM scratch' }))
  host.script('image.build', async () => {
    panel.passTime(40_000)
    return { imageId: `sha256:${'c'.repeat(64)}`, bytes: 1, ports: [], builder: 'BUILDKIT', cachedSteps: 0 }
  })
  expect((await deploy(one.id)).status).toBe('SUCCEEDED')
  host.script('image.build', failing('BUILD_FAILED'))
  expect((await deploy(one.id)).status).toBe('FAILED')
  host.usual('image.build')
  await deploy(other.id)
  const { memberId } = await floor.member(owner, projectId)
  ok(await floor.post(owner, `/${projectId}/members`, { email: 'invited@panel.test' }), 201)
  ok(await floor.remove(owner, `/${projectId}/members/${memberId}`), 204)
  await floor.member(owner, projectId)
  ok(await send('DELETE', `applications/${other.id}`), 204)
  await panel.settle()
  const history = async (query = '', who: { readonly as: string } = owner) =>
    panel.call('GET', `/api/projects/${projectId}/usage/history${query}`, { as: who.as })
  const days = ok(await history())
  expect(days).toHaveLength(30)
  expect(days[0]).toEqual({
    day: before(29),
    applications: 0,
    deployments: 0,
    failed: 0,
    buildSeconds: 0,
    members: 0,
  })
  const [last] = days.slice(-1)
  expect(last).toMatchObject({ day: today(), applications: 1, deployments: 3, failed: 1, members: 2 })
  expect(last.buildSeconds).toBeGreaterThanOrEqual(40)
  expect(last.buildSeconds).toBeLessThan(60)
  const { secret } = await keys.minted(owner, { scopes: ['platform:projects:view'] })
  expect(ok(await history(`?from=${today()}`, { as: secret }))).toEqual([last])
  expect(ok(await history(`?from=${before(3)}&to=${before(1)}`)).map(({ day }: any) => day)).toEqual([
    before(3),
    before(2),
    before(1),
  ])
  for (const query of [`?to=${before(-1)}`, `?from=${today()}&to=${before(1)}`, `?from=${before(400)}`, '?from=today'])
    expect((await history(query)).status, query).toBe(400)
  expect(ok(await history(`?from=${before(399)}`))).toHaveLength(400)
  expect((await history('', await panel.somebody())).status).toBe(404)
})
