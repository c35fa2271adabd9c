/**
 * A reader of the change feed whose connection is cut a hundred times, at any byte, while the reader's rights
 * change.
 */
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import type { RecordedEvent } from '#kernel/events/store-port'
import { feedFixture } from '../../support/panel/feed-fixture.ts'
import { ok, projectFixture } from '../../support/panel/project-fixture.ts'
import { startPanel } from '../../support/panel/service.ts'
import { openSseClient } from '../../support/sse-client.ts'
import type { ListenOptions, SseClient, FeedMessage } from '../../support/sse-client.ts'

const CUTS = 100
/** Bytes of an answer: from a part of its beginning to a few events. */
const BYTES_MAX = 900

const panel = await startPanel({ compareReadModels: false })
const floor = projectFixture(panel)
const { marked, sseToken } = feedFixture(panel)

test('over 100 disconnects a reader misses nothing, hears nothing twice and nothing that is not for him', async () => {
  await panel.licensed()
  const [boss, reader] = [await panel.somebody(), await panel.somebody()]
  const own = await floor.project(reader, 'own')
  const foreign = await floor.project(boss, 'foreign')
  const wavering = await floor.project(boss, 'wavering')
  const start = await panel.panel.store.head()

  const heard: FeedMessage[] = []
  let [lastId, cuts, isDone] = [start, 0, false]
  let current: SseClient | undefined
  /** Cut within a frame: the last frame was incomplete. */
  let torn = 0

  const how = async (nth: number): Promise<ListenOptions> => {
    if (nth % 10 === 0) return { query: `?sseToken=${await sseToken(reader)}&lastEventId=${lastId}` }
    return nth % 2 === 0 ? { as: reader.as, query: `?lastEventId=${lastId}` } : { as: reader.as, from: lastId }
  }

  async function listenOn(): Promise<void> {
    for (let nth = 0; !isDone; nth += 1) {
      const ear = await openSseClient(panel.url, { ...(await how(nth)), bytesMax: randomInt(1, BYTES_MAX) })
      expect(ear.status).toBe(200)
      current = ear
      await Promise.race([ear.over, doneSoon])
      ear.close()
      heard.push(...ear.heard)
      lastId = saidBy(ear)
      cuts += 1
      if (!ear.text().endsWith('\n\n')) torn += 1
    }
  }
  const { promise: doneSoon, resolve: stopListening } = Promise.withResolvers<void>()

  /** Includes the complete frames of a stream that goes on. */
  const saidBy = (ear: SseClient | undefined): number => (ear && ear.lastId() > lastId ? ear.lastId() : lastId)
  const hears = (position: number) =>
    expect.poll(() => saidBy(current), { timeout: 50_000 }).toBeGreaterThanOrEqual(position)
  const rename = async (who: typeof boss, id: string) =>
    ok(await floor.patch(who, `/${id}`, { name: `${Math.random()}` }))

  /** Changes where other accounts are members all the time, and where the reader is. */
  async function busy(who: typeof boss, id: string): Promise<void> {
    while (cuts < CUTS) await rename(who, id)
  }

  /** Positions between a removal and the next membership, at times when the reader had received all events. */
  const gaps: [number, number][] = []
  async function waver(): Promise<void> {
    while (cuts < CUTS) {
      const member = ok(await floor.post(boss, `/${wavering}/members`, { userId: reader.id }), 201)
      await rename(boss, wavering)
      await hears(await marked(reader))
      const from = await panel.panel.store.head()
      expect((await floor.remove(boss, `/${wavering}/members/${member.id}`)).status).toBe(204)
      await rename(boss, wavering)
      const to = await marked(reader)
      await hears(to)
      gaps.push([from, to])
    }
  }

  const listening = listenOn()
  await Promise.all([busy(reader, own), busy(boss, foreign), waver()])
  const end = await marked(reader)
  await hears(end)
  isDone = true
  stopListening()
  await listening

  const mine = new Set([own, reader.id])
  const isForHim = ({ stream, position, type }: RecordedEvent): boolean => {
    if (stream === `project-${wavering}`)
      return gaps.length > 0 && !gaps.some(([from, to]) => position > from && position <= to)
    return mine.has(stream.slice(stream.indexOf('-') + 1)) && !type.startsWith('SseToken')
  }
  const events = (await panel.history()).filter(({ position }) => position > start && position <= end)
  const expected = events.filter(isForHim).map(({ position }) => position)
  expect(heard.map(({ id }) => id).filter((id) => id <= end)).toEqual(expected)
  expect(heard.every(({ name }) => name === 'message')).toBe(true)
  expect(cuts).toBeGreaterThanOrEqual(CUTS)
  expect(torn, 'cut in mid-frame').toBeGreaterThan(CUTS / 4)
  expect(events.length - expected.length, 'others were busy').toBeGreaterThan(gaps.length)
  console.log(
    `${cuts} cuts, ${torn} in mid-frame, ${expected.length} of ${events.length} events, ${gaps.length} removals`,
  )
}, 240_000)
