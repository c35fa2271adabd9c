/** The change feed tells of a server to accounts that see it at that moment, and of its installation to those that see all of it. */
import { expect, test } from 'vitest'
import { servers } from '#panel/servers/decider'
import { feedFixture } from '../../support/panel/feed-fixture.ts'
import { ok } from '../../support/panel/project-fixture.ts'
import { serverFixture } from '../../support/panel/server-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import type { SseClient } from '../../support/sse-client.ts'

const panel = await startPanel({ compareReadModels: false })
await panel.licensed()
const { post, patch, remove, add, register, grant, place } = serverFixture(panel)
const { opened, heardAll } = feedFixture(panel)
const root = await panel.somebody('SUPERADMIN')

const about = ({ heard }: SseClient, id: string): string[] =>
  heard.flatMap(({ data: { kind, ids } }) => (ids?.['serverId'] === id ? kind! : []))

test('an account hears of an open server, and of a closed one only with a rule', async () => {
  const [ada, bob] = [await panel.somebody(), await panel.somebody()]
  const viewer = await panel.somebody('ADMIN', ['servers:view'])
  const readers = [ada, bob, viewer]
  const ears = await Promise.all(readers.map((reader) => opened(reader)))
  const { id, installToken } = await add(root)
  for (const [nth, ear] of ears.entries()) await heardAll(ear, readers[nth]!)
  const rule = await grant(root, id, { userId: ada.id })
  ok(await patch(root, `/${id}`, { cordoned: true }))
  await register(installToken)
  await panel.run((unit) => unit.decide(servers, id, 'RotateToken', { tokenHash: 'another' }))
  for (const [nth, ear] of ears.entries()) await heardAll(ear, readers[nth]!)
  ok(await patch(root, `/${id}/access/${rule}`, { level: 'MANAGE' }))
  ok(await patch(root, `/${id}`, { cordoned: false }))
  await place(root.id, id)
  for (const [nth, ear] of ears.entries()) await heardAll(ear, readers[nth]!)
  const [ofAda, ofBob, ofViewer] = ears.map((ear) => about(ear, id))
  const closed = ['server.access_granted', 'server.changed', 'server.registered', 'server.token_rotated']
  expect(ofBob).toEqual(['server.added'])
  expect(ofAda).toEqual([
    'server.added',
    'server.changed',
    'server.registered',
    'server.access_level_changed',
    'server.changed',
  ])
  expect(ofViewer).toEqual([
    'server.added',
    'server.install_token_issued',
    ...closed,
    'server.access_level_changed',
    'server.changed',
  ])
})

test('a removal is told to those who view all servers', async () => {
  const ada = await panel.somebody()
  const viewer = await panel.somebody('ADMIN', ['servers:view'])
  const { id } = await add(root)
  const ears = [await opened(ada), await opened(viewer)] as const
  ok(await post(root, `/${id}/reset`))
  await heardAll(ears[0], ada)
  await heardAll(ears[1], viewer)
  ok(await remove(root, `/${id}`), 204)
  await heardAll(ears[0], ada)
  await heardAll(ears[1], viewer)
  expect(about(ears[0], id)).toEqual(['server.reset'])
  expect(about(ears[1], id)).toEqual(['server.reset', 'server.install_token_issued', 'server.removed'])
})
