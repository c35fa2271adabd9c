/** The client of the panel: its two kinds of list, and its change feed, over real HTTP. */
import { expect, test } from 'vitest'
import { createCall } from '#api-client/call'
import { createFeed } from '#api-client/feed'
import type { FeedEvent } from '#api-client/feed'
import { createWalk, readPage } from '#api-client/paging'
import { getAdminAuditLogs, getEventsStream, getProjects, postAuthLogout, postProjects } from '#api-client/panel'
import { idsOf } from '../support/ids-of.ts'
import { startPanel } from '../support/panel/service.ts'

const panel = await startPanel({ compareReadModels: false })
await panel.licensed()

const clientOf = (as: string, send: typeof fetch = fetch) =>
  createCall({ baseUrl: panel.url, token: () => as, fetch: send })

/** Cuts each connection after so many bytes. The service asks readers to wait for 2 s; a test does not wait. */
const cutAfter =
  (bytesMax: number): typeof fetch =>
  async (target, init) => {
    const answer = await fetch(target, init)
    let left = bytesMax
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(bytes, controller) {
        const text = new TextDecoder().decode(bytes).replace('retry: 2000', 'retry: 1')
        controller.enqueue(new TextEncoder().encode(text).slice(0, left))
        left -= text.length
        if (left <= 0) controller.error(new TypeError('The connection was cut'))
      },
    })
    return new Response(answer.body!.pipeThrough(cut), answer)
  }

test('walks a list of pages to its end', async () => {
  const { as } = await panel.somebody()
  const call = clientOf(as)
  const ids: string[] = []
  for (let nth = 0; nth < 5; nth += 1)
    ids.push((await call(postProjects, { body: { name: `Project ${nth}` } })).data.id)
  const query = { page: 1, pageSize: 2 }
  const walked = await idsOf(createWalk(call)(getProjects, { query }))
  expect(walked).toEqual(ids.toReversed())
  expect(await readPage(call, getProjects, { query })).toMatchObject({ total: 5, next: { page: 2, pageSize: 2 } })
})

test('walks the audit trail by positions, so entries that come meanwhile shift nothing', async () => {
  const { as } = await panel.somebody('SUPERADMIN')
  const call = clientOf(as)
  const positions: number[] = []
  for await (const { position } of createWalk(call)(getAdminAuditLogs, { query: { page: 1, pageSize: 3 } })) {
    if (positions.length === 3) await call(postProjects, { body: { name: 'Meanwhile' } })
    positions.push(position)
  }
  expect(positions.length).toBeGreaterThan(9)
  expect(positions).toEqual([...new Set(positions)].toSorted((one, other) => other - one))
  expect(positions.at(-1)).toBe(1)
})

test('follows the feed over cut connections: nothing is missed and nothing comes twice', async () => {
  const { as } = await panel.somebody()
  const call = clientOf(as)
  const ending = new AbortController()
  const lost: unknown[] = []
  const after = await panel.panel.store.head()
  const feed = createFeed(
    clientOf(as, cutAfter(400)),
    getEventsStream,
  )({
    after,
    signal: ending.signal,
    onLost: (reason) => lost.push(reason),
  })
  const projects = 12
  const made: string[] = []
  for (let nth = 0; nth < projects; nth += 1)
    made.push((await call(postProjects, { body: { name: `Project ${nth}` } })).data.id)

  const heard: FeedEvent[] = []
  for await (const event of feed) {
    heard.push(event)
    if (event.type === 'change' && event.ids['projectId'] === made.at(-1)) ending.abort()
  }
  const named = heard.flatMap((event) => (event.type === 'change' ? (event.ids['projectId'] ?? []) : []))
  expect([...new Set(named)]).toEqual(made)
  const positions = heard.map(({ position }) => position)
  expect(positions).toEqual([...new Set(positions)].toSorted((one, other) => one - other))
  expect(lost.length).toBeGreaterThan(3)
})

test('says when the reader must read everything again', async () => {
  const { as } = await panel.somebody()
  const unknown = (await panel.panel.store.head()) + 1_000
  const feed = createFeed(clientOf(as), getEventsStream)({ after: unknown })
  expect((await feed.next()).value).toMatchObject({ type: 'reset' })
  await feed.return()
})

test('ends with a refusal when the session ends', async () => {
  const { as } = await panel.somebody()
  const feed = createFeed(clientOf(as, cutAfter(1_000_000)), getEventsStream)()
  const next = feed.next()
  await clientOf(as)(postAuthLogout, { body: {} })
  await expect(next).rejects.toMatchObject({ statusCode: 401 })
})

test.each([429, 503])('comes again after the time that a %d asks for', async (status) => {
  const { as } = await panel.somebody()
  const asked: number[] = []
  const busyOnce: typeof fetch = async (target, init) => {
    asked.push(performance.now())
    return asked.length > 1 ? fetch(target, init) : new Response('{}', { status, headers: { 'Retry-After': '3' } })
  }
  const ending = new AbortController()
  const after = await panel.panel.store.head()
  await clientOf(as)(postProjects, { body: { name: 'Busy' } })
  for await (const _ of createFeed(clientOf(as, busyOnce), getEventsStream)({ after, signal: ending.signal }))
    ending.abort()
  expect(asked[1]! - asked[0]!).toBeGreaterThanOrEqual(2_900)
})
