import { randomUUID } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { StoreUnavailable } from '#kernel/events/store-port'
import type { EventStore } from '#kernel/events/store-port'
import { openKurrentDbStore } from '#kernel/store/kurrentdb/kurrentdb-store'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { kurrentDouble } from '#test/support/doubles/kurrentdb'
import type { KurrentDouble } from '#test/support/doubles/kurrentdb'
import { aConstraint, aGuard, anAppend, anEvent, aPart, aStream } from '../../support/kernel/appends.ts'
import { expectGuardsHeld } from '../../support/kernel/guard-storm.ts'
import { orderContract } from '../../support/kernel/order-contract.ts'
import { inRun, randomAppend, errorSummary } from '../../support/kernel/random-appends.ts'
import { readWholeLog, storeContract } from '../../support/kernel/store-contract.ts'

console.log('This is a DOUBLE of KurrentDB, not a real server; eventstoredb-real.test.ts looks for one')

let double: KurrentDouble
let store: EventStore

beforeAll(async () => {
  double = await kurrentDouble()
  store = await openKurrentDbStore({ url: double.url })
})

afterAll(async () => {
  await store.close()
  double.stop()
})

// The client's reading half has times in whole seconds.
storeContract('eventstoredb, on a double of the server,', () => openKurrentDbStore({ url: double.url }), {
  sparse: true,
  clockMs: 1_000,
})

describe('on a server that takes what comes at once in any order', () => {
  let disorderly: KurrentDouble
  beforeAll(async () => {
    disorderly = await kurrentDouble({ appendMs: 5 })
  })
  afterAll(() => disorderly.stop())
  orderContract('eventstoredb, on a double,', () => openKurrentDbStore({ url: disorderly.url }), { sparse: true })

  test('what has nothing in common does not wait for each other', async () => {
    const writer = await openKurrentDbStore({ url: disorderly.url })
    const base = await writer.head()
    const appends = Array.from({ length: 50 }, () => anAppend(aStream(), 0))
    await Promise.all(appends.map((append) => writer.append(append)))
    const written = (await writer.readAll(base, 100)).map(({ stream }) => stream)
    const asked = appends.map(({ parts }) => parts[0]!.stream)
    expect(written.toSorted()).toEqual(asked.toSorted())
    expect(written, 'as the server took them').not.toEqual(asked)
    await writer.close()
  })

  test('nor do those who guard the same stream', async () => {
    const writer = await openKurrentDbStore({ url: disorderly.url })
    const [guarded, base] = [aStream(), await writer.head()]
    const appends = Array.from({ length: 50 }, () => ({ parts: [aGuard(guarded, 0), aPart(aStream(), 0)] }))
    await Promise.all(appends.map((append) => writer.append(append)))
    const written = (await writer.readAll(base, 100)).map(({ stream }) => stream)
    const asked = appends.map(({ parts }) => parts[1]!.stream)
    expect(written.toSorted()).toEqual(asked.toSorted())
    expect(written, 'as the server took them').not.toEqual(asked)
    await writer.close()
  })
})

test('of processes that guard what the others write to, whatever was appended rests on what was there before', async () => {
  const processes = await Promise.all(Array.from({ length: 3 }, () => openKurrentDbStore({ url: double.url })))
  await expectGuardsHeld(processes, store)
  await Promise.all(processes.map((each) => each.close()))
})

test('of processes that ask for one claim at once exactly one gets it', async () => {
  const processes = await Promise.all(Array.from({ length: 8 }, () => openKurrentDbStore({ url: double.url })))
  for (const key of Array.from({ length: 10 }, () => randomUUID())) {
    const asked = processes.map((each, index) =>
      each.append({ ...anAppend(aStream(), 0), take: [aConstraint(`customer/${index}`, key)] }),
    )
    const answers = await Promise.allSettled(asked)
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  }
  await Promise.all(processes.map((each) => each.close()))
})

test('beside the memory store it gives the same answers through random appends', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(randomAppend, { minLength: 1, maxLength: 12 }), async (appends) => {
      const [memory, run, base] = [memoryStore(), randomUUID().slice(0, 8), await store.head()]
      const answers: unknown[] = []
      for (const append of appends.map((each) => inRun(run, each))) {
        const answer = await memory.append(append).catch(errorSummary)
        const same = await store.append(append).catch(errorSummary)
        const written = await store.readAll(base, 1000)
        const position = (at: number) => written.findIndex((event) => event.position === at) + 1
        answers.push(typeof same === 'object' ? { ...same, position: position(same.position) } : same)
        expect(answers.at(-1)).toEqual(answer)
      }
      const written = await store.readAll(base, 1000)
      expect(written.map(({ id, revision }) => [id, revision])).toEqual(
        (await readWholeLog(memory, 1000)).map(({ id, revision }) => [id, revision]),
      )
    }),
    { numRuns: 40 },
  )
}, 60_000)

describe('a server that cannot append to several streams at once', () => {
  test.each([24.1, 25.1])('version %d is refused at the start, with the reason', async (version) => {
    const old = await kurrentDouble({ version })
    await expect(openKurrentDbStore({ url: old.url })).rejects.toThrow(/partly written.*26\.1 or newer/s)
    expect(old.log.written.every(({ stream }) => stream.startsWith('$'))).toBe(true)
    old.stop()
  })

  test('one that is not there is unavailable, not refused for ever', async () => {
    await expect(openKurrentDbStore({ url: 'kurrentdb://127.0.0.1:1?tls=false' })).rejects.toThrow(StoreUnavailable)
  }, 20_000)
})

test('the old name of the protocol is understood', async () => {
  const same = await openKurrentDbStore({ url: double.url.replace('kurrentdb:', 'esdb:') })
  expect(await same.head()).toBe(await store.head())
  await same.close()
})

test.each([
  ['?tls=perhaps', 'The URL of the event store is not valid'],
  [':port', 'The URL of the event store is not valid'],
  ['?tlsCAFile=/nowhere', 'The URL of the event store is not valid'],
  ['?unknown=1', 'This is not a valid URL of a KurrentDB'],
])('a URL that ends in %s is refused, and its password is in no error', async (end, message) => {
  const error: unknown = await openKurrentDbStore({ url: `kurrentdb://svc:k7Qm-2vX9@127.0.0.1${end}` }).catch(
    (refusal: unknown) => refusal,
  )
  expect(String(error)).toContain(message)
  expect(inspect(error, { depth: 9, showHidden: true })).not.toContain('k7Qm-2vX9')
})

test.each(['$users', 'daybook.claim-1', 'daybook.event-1'])('the stream %s is not for events', async (stream) => {
  await expect(store.append(anAppend(stream, 'any'))).rejects.toThrow('is reserved')
})

test('two streams that the server would take for one are not appended to at once', async () => {
  const stream = aStream()
  const append = { parts: [aPart(stream, 0), aPart(stream.toUpperCase(), 0)] }
  await expect(store.append(append)).rejects.toThrow('differ only in case')
  expect(await store.readStream(stream)).toEqual([])
})

test('neither claims nor ids nor the affairs of the server are events', async () => {
  await store.append({ ...anAppend(aStream(), 0), take: [aConstraint('me')] })
  const streams = (await readWholeLog(store, 50)).map(({ stream }) => stream)
  expect(streams.filter((stream) => /^(?:\$|daybook\.)/.test(stream))).toEqual([])
})

test('a claim can be taken and released many times, and its key is nowhere to be read', async () => {
  const claim = aConstraint('customer/1', 'ada@example.com')
  for (let times = 0; times < 3; times += 1) {
    await store.append({ ...anAppend(aStream(), 0), take: [claim] })
    expect(await store.holderOf(claim)).toBe('customer/1')
    await store.append({ ...anAppend(aStream(), 0), release: [claim] })
    expect(await store.holderOf(claim)).toBeUndefined()
  }
  const all = double.log.written.map(({ stream, data }) => stream + Buffer.from(data).toString())
  expect(all.join('\n')).not.toContain('ada@example.com')
})

test('another process is heard of', async () => {
  const other = await openKurrentDbStore({ url: double.url })
  const listener = vi.fn<() => void>()
  const stop = store.onAppended(listener)
  await vi.waitFor(() => expect(listener).toHaveBeenCalled(), { timeout: 10_000 })
  const calls = listener.mock.calls.length
  await other.append(anAppend(aStream(), 0))
  await vi.waitFor(() => expect(listener.mock.calls.length).toBeGreaterThan(calls), { timeout: 10_000 })
  stop()
  await other.close()
})

describe('when the server fails', () => {
  test('an append whose answer was lost is found and answered, once', async () => {
    const append = {
      parts: [aPart(aStream(), 'any', anEvent(), anEvent()), aPart(aStream(), 0)],
      take: [aConstraint('me')],
    }
    const own = await kurrentDouble()
    const writer = await openKurrentDbStore({ url: own.url })
    own.loseAnswers(1)
    const answer = await writer.append(append)
    expect(answer.revisions).toEqual([2, 1])
    expect(answer.position).toBe(await writer.head())
    expect(await writer.readAll(0, 10)).toHaveLength(3)
    await writer.close()
    own.stop()
  })

  test('while it is away the store is unavailable, within ten seconds; when it is back, so is the store', async () => {
    const own = await kurrentDouble()
    const writer = await openKurrentDbStore({ url: own.url })
    await writer.append(anAppend(aStream(), 0))
    const listener = vi.fn<() => void>()
    writer.onAppended(listener)
    own.stop()
    const before = performance.now()
    for (const ask of [() => writer.append(anAppend(aStream(), 0)), () => writer.head(), () => writer.readStream('s')])
      await expect(ask()).rejects.toThrow(StoreUnavailable)
    expect(performance.now() - before).toBeLessThan(30_000)
    const again = await kurrentDouble({ port: Number(new URL(own.url).port), log: own.log })
    await vi.waitFor(() => writer.append(anAppend(aStream(), 0)), { timeout: 10_000 })
    await vi.waitFor(async () => expect(await writer.readAll(0, 10)).toHaveLength(2), { timeout: 10_000 })
    const calls = listener.mock.calls.length
    const other = await openKurrentDbStore({ url: own.url })
    await other.append(anAppend(aStream(), 0))
    await vi.waitFor(() => expect(listener.mock.calls.length).toBeGreaterThan(calls), { timeout: 10_000 })
    await other.close()
    await writer.close()
    again.stop()
  }, 60_000)

  test('more than it takes in one record is refused with 413', async () => {
    const text = 'x'.repeat(5 * 1024 * 1024)
    await expect(store.append(anAppend(aStream(), 0, anEvent({ text })))).rejects.toMatchObject({ statusCode: 413 })
  })
})
