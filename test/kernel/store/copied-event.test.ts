/** Long parts of the log are read by COPY and streams by queries. Both give the same events. */
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { anAppend, anEvent, aStream, withDefaults } from '../../support/kernel/appends.ts'
import { ownedStore } from '../../support/kernel/owned-store.ts'

const INSERT = `INSERT INTO store.event (pos, recorded_at, revision, id, stream, type, schema_version, data, metadata)
  VALUES ($1, $2, $3, $4, $5, 'Noted', 2, '{"n": 1}', '{}')`

const { store, owner } = await ownedStore(2)

/** Compares with the event as a query reads it. */
async function expectSame(stream: string, after: number): Promise<void> {
  const read = await store.readStream(stream)
  expect(read.length).toBeGreaterThan(0)
  expect((await store.readAll(after, read.length)).map(withDefaults)).toEqual(read.map(withDefaults))
}

test('events of every length and alphabet, over many blocks of bytes', async () => {
  const [stream, before] = [`ströme-€-${aStream()}`, await store.head()]
  const texts = ['', 'é', '漢字', '🙂', '"\\\u2028', 'x'.repeat(131_072), 'ü'.repeat(300_000)]
  const events = texts.map((text) =>
    anEvent({ text }, { type: `Notiz-${text.slice(0, 3).trim()}`, metadata: { text } }),
  )
  for (let nth = 0; nth < 40; nth += 1) events.push(anEvent({ nth, text: 'y'.repeat(nth * 1_000) }))
  await store.append(anAppend(stream, 0, ...events))
  await expectSame(stream, before)
})

test('the moment at which an event was recorded is cut to milliseconds', async () => {
  const stream = aStream()
  const before = await store.head()
  const times = ['2026-03-01T12:00:00.123999Z', '2026-03-01T12:00:00.124Z', '1999-12-31T23:59:59.999001Z']
  for (const [index, time] of times.entries())
    await owner.query(INSERT, [before + index + 1, time, index + 1, randomUUID(), stream])
  await expectSame(stream, before)
  expect((await store.readAll(before, 1))[0]?.recordedAt.toISOString()).toBe('2026-03-01T12:00:00.123Z')
})

test('a gap in the log is read over, whatever the size of a batch', async () => {
  const stream = aStream()
  const before = await store.head()
  for (const [index, gap] of [1, 2, 7, 8, 20].entries())
    await owner.query(INSERT, [before + gap, new Date(), index + 1, randomUUID(), stream])
  for (const batch of [1, 2, 3, 5]) {
    const read: number[] = []
    for await (const events of store.readBatches(before, { batch }))
      read.push(...events.map(({ revision }) => revision))
    expect(read).toEqual([1, 2, 3, 4, 5])
  }
})

test('nothing but whole numbers goes into the statement', async () => {
  await expect(store.readAll(0.5, 1)).rejects.toThrow(RangeError)
  await expect(store.readAll(0, '1; SELECT' as never)).rejects.toThrow(SyntaxError)
})

test('a position that no number holds is no event', async () => {
  await owner.query(INSERT, ['9007199254740993', new Date(), 1, randomUUID(), aStream()])
  await expect(store.readAll(Number.MAX_SAFE_INTEGER - 1, 10)).rejects.toThrow('too large to be read as a number')
})
