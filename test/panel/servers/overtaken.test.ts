/** A caller loses MANAGE of a server between the gate and the append: the change is refused at the append. */
import pino from 'pino'
import { afterAll, expect, test } from 'vitest'
import { serverAccess } from '#panel/servers/access/decider'
import { servers } from '#panel/servers/decider'
import { mustManageServer } from '#panel/workflows/server-access'
import { rivalWriter } from '#test/support/rival-writer'
import { SYSTEM } from '#test/support/serve'
import { openPanel } from '../../../src/composition/panel.ts'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { callerOf, serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { Reply, TestUser } from '../../support/panel/service.ts'

const { overtaken, overtaking } = rivalWriter()
const panel = await startPanel({ wrapStore: overtaking })
await panel.licensed()
const { get, post, patch, remove, running, grant } = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')
const UNKNOWN_ID = '01890000-0000-7000-8000-00000000dead'

/** Another process on the same events. */
const other = await openPanel(panel.settings, pino({ enabled: false }))
afterAll(() => other.close())

interface Scene {
  readonly id: string
  readonly who: TestUser
  readonly rule: string
}

const WRITES: readonly (readonly [line: string, before: string, ask: (at: Scene) => Promise<Reply>])[] = [
  ['PATCH', 'ServerChanged', ({ who, id }) => patch(who, `/${id}`, { cordoned: true })],
  [
    'POST access',
    'ServerAccessGranted',
    ({ who, id }) => post(who, `/${id}/access`, { userId: root.id, level: 'USE' }),
  ],
  ['DELETE access', 'ServerAccessRevoked', ({ who, id, rule }) => remove(who, `/${id}/access/${rule}`)],
]

test.each(WRITES)('%s', async (_line, before, ask) => {
  const id = await running(root)
  const [who, third] = [await panel.somebody(), await panel.somebody()]
  const own = await grant(root, id, { userId: who.id, level: 'MANAGE' })
  const rule = await grant(root, id, { userId: third.id })
  const seen = async () => [ok(await get(root, `/${id}`)), ok(await get(root, `/${id}/access`)).rules.length]
  const [server] = await seen()
  overtaken(before, () =>
    other.commands.run(SYSTEM, (unit) =>
      unit.decide(serverAccess, id, 'Revoke', { serverId: id, ruleId: own, by: { isManager: true } }),
    ),
  )
  expect(refusalIn(await ask({ id, who, rule }))).toEqual([403, 'PERMISSION_MISSING'])
  await panel.panel.projector.catchUp()
  expect(await seen()).toEqual([server, 1])
})

test('no rule is added to a server that is deleted meanwhile', async () => {
  const id = await running(root)
  overtaken('ServerAccessGranted', () => other.commands.run(SYSTEM, (unit) => unit.decide(servers, id, 'Remove', {})))
  expect((await post(root, `/${id}/access`, { userId: root.id, level: 'USE' })).status).toBe(404)
  const unknown = panel.run((unit) => mustManageServer(unit, callerOf(root.id), UNKNOWN_ID))
  await expect(unknown).rejects.toMatchObject({ statusCode: 404 })
})
