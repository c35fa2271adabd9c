/** The panel’s own host, as a server. */
import { expect, test } from 'vitest'
import { ok, refusalIn } from '../../support/panel/project-fixture.ts'
import { BEAT } from '../../support/panel/server-examples.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'

const panel = await startPanel()
await panel.licensed()
const { get, local, remove } = serverFixture(panel)
const root = await panel.somebody('SUPERADMIN')
const person = await panel.somebody()

test('without an agent it is said what is missing; with one there are its facts and figures', async () => {
  expect(ok(await get(root, '/local'))).toEqual({
    server: null,
    problem: { code: 'NO_AGENT', message: expect.any(String), remedy: expect.any(String) },
  })
  expect((await get(person, '/local-public')).status).toBe(404)
  expect((await get(root, '/local/stats')).status).toBe(404)

  const now = panel.panel.clock.now()
  const id = await local(now)
  expect(ok(await get(root, '/local'))).toMatchObject({
    server: { id, kind: 'LOCAL', status: 'ONLINE' },
    problem: null,
  })
  expect(ok(await get(person, '/local-public'))).toEqual({
    name: 'local',
    status: 'ONLINE',
    publicAddress: null,
    ipv4: '192.0.2.1',
    ipv6: '2001:db8::1',
  })
  panel.passTime(60_000)
  expect(ok(await get(root, '/local/stats'))).toEqual({ ...BEAT, at: now.toISOString(), ageSeconds: 60 })
  expect(refusalIn(await remove(root, `/${id}`))).toEqual([409, 'LOCAL'])
})
