/** The contract of every event store. Each store's own test file runs it. */
import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { UniqueConstraintViolation, WrongExpectedRevision } from '#kernel/events/store-port'
import type { Append, EventStore, RecordedEvent } from '#kernel/events/store-port'
import { Rejection } from '#kernel/lib/rejection'
import { aConstraint, aGuard, anAppend, anEvent, aPart, aStream, withDefaults } from './appends.ts'
import { expectGuardsHeld } from './guard-storm.ts'

const NUL = '\u0000'
const LONE_SURROGATE = '\uD800'

/** Differences that the contract allows. */
export interface StoreDifferences {
  /** Positions ascend with gaps, so they cannot be counted. */
  readonly sparse?: boolean
  /** The resolution of its clock, in ms. */
  readonly clockMs?: number
}

export function storeContract(
  name: string,
  open: () => Promise<EventStore>,
  { sparse = false, clockMs = 1 }: StoreDifferences = {},
): void {
  describe(`${name} keeps the contract of an event store`, () => {
    let store: EventStore

    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    async function refusal(append: Append): Promise<unknown> {
      return store.append(append).then(
        () => 'appended',
        (error: unknown) => error,
      )
    }

    /** The append is refused, and no part of it is visible afterwards. */
    async function expectNothingWritten(append: Append): Promise<unknown> {
      const before = await store.head()
      const error = await refusal(append)
      expect(error).not.toBe('appended')
      expect(await store.head()).toBe(before)
      for (const { scope, key, holder } of append.take ?? []) {
        expect(await store.holderOf({ scope, key }).catch(() => undefined)).not.toBe(holder)
      }
      return error
    }

    describe('expected revisions', () => {
      test.each([
        ['new', 0, 0, true],
        ['new', 0, 1, false],
        ['new', 0, 'any', true],
        ['of two events', 2, 0, false],
        ['of two events', 2, 1, false],
        ['of two events', 2, 2, true],
        ['of two events', 2, 3, false],
        ['of two events', 2, 'any', true],
      ] as const)('a stream %s (%i), expected %s: appended %s', async (_, length, expected, appended) => {
        const stream = aStream()
        if (length > 0) await store.append(anAppend(stream, 0, anEvent(), anEvent()))
        if (appended) {
          expect((await store.append(anAppend(stream, expected))).revisions).toEqual([length + 1])
        } else {
          const error = await expectNothingWritten(anAppend(stream, expected))
          expect(error).toBeInstanceOf(WrongExpectedRevision)
          expect(error).toMatchObject({ stream, expected, actual: length })
        }
      })

      test('beyond what Postgres calls an int is still only wrong', async () => {
        const error = await expectNothingWritten(anAppend(aStream(), 2 ** 40))
        expect(error).toMatchObject({ expected: 2 ** 40, actual: 0 })
      })

      test('of ten rivals for one revision exactly one wins', async () => {
        const stream = aStream()
        const answers = await Promise.all(Array.from({ length: 10 }, () => refusal(anAppend(stream, 0))))
        expect(answers.filter((answer) => answer === 'appended')).toHaveLength(1)
        expect(answers.filter((answer) => answer instanceof WrongExpectedRevision)).toHaveLength(9)
        expect(await store.readStream(stream)).toHaveLength(1)
      })
    })

    describe('reading everything in batches', () => {
      const positionsOf = async (after: number, batch: number) => {
        const sizes: number[] = []
        const read: RecordedEvent[] = []
        for await (const events of store.readBatches(after, { batch })) {
          sizes.push(events.length)
          read.push(...events)
        }
        return { sizes, read }
      }

      test('gives what readAll gives, whatever the size of a batch, and ends', async () => {
        const before = await store.head()
        for (let nth = 0; nth < 7; nth += 1) await store.append(anAppend(aStream(), 0, anEvent({ nth })))
        const all = await store.readAll(before, 100)
        for (const [batch, sizes] of [
          [3, [3, 3, 1]],
          [7, [7]],
          [100, [7]],
        ] as const) {
          const found = await positionsOf(before, batch)
          expect({ ...found, read: found.read.map(withDefaults) }).toEqual({ sizes, read: all.map(withDefaults) })
        }
        expect(await positionsOf(await store.head(), 3)).toEqual({ sizes: [], read: [] })
      })

      test('can be left early', async () => {
        for await (const events of store.readBatches(0, { batch: 2 })) {
          expect(events).toHaveLength(2)
          break
        }
      })

      test('skips nothing while others append', async () => {
        const before = await store.head()
        const appending = (async () => {
          for (let nth = 0; nth < 100; nth += 1) {
            await store.append(anAppend(aStream(), 0, anEvent(), anEvent()))
            await setImmediate()
          }
        })()
        const seen: string[] = []
        let after = before
        while (seen.length < 200) {
          const { read } = await positionsOf(after, 3)
          seen.push(...read.map(({ id }) => id))
          after = read.at(-1)?.position ?? after
          await setImmediate()
        }
        await appending
        expect((await store.readAll(before, seen.length)).map(({ id }) => id)).toEqual(seen)
      })
    })

    describe('reading', () => {
      test('answers what was appended, in order', async () => {
        const stream = aStream()
        const events = [
          anEvent({ n: 1 }),
          anEvent({ n: 2 }, { type: 'NoteErased', schemaVersion: 3, metadata: { by: 'me' } }),
        ]
        const before = Date.now()
        const { position, revisions } = await store.append(anAppend(stream, 0, ...events))
        const read = await store.readStream(stream)
        expect(read.map(withDefaults)).toEqual(
          events.map((event, index) => ({
            ...event,
            stream,
            revision: index + 1,
            position: sparse ? expect.any(Number) : position - 1 + index,
            recordedAt: expect.any(Date),
          })),
        )
        expect(read.at(-1)?.position).toBe(position)
        expect(revisions).toEqual([2])
        for (const { recordedAt } of read) {
          expect(recordedAt.getTime()).toBeGreaterThanOrEqual(before - clockMs)
          expect(recordedAt.getTime()).toBeLessThanOrEqual(Date.now() + 1)
        }
      })

      test('each event is found where it is said to be', async () => {
        const stream = aStream()
        await store.append(anAppend(stream, 0, anEvent({ n: 1 }), anEvent({ n: 2 }), anEvent({ n: 3 })))
        for (const event of await store.readStream(stream))
          expect(withDefaults((await store.eventAt(event.position))!)).toEqual(withDefaults(event))
      })

      test('whether there is more than so much behind a position is known', async () => {
        const stream = aStream()
        await store.append(anAppend(stream, 0, anEvent({ n: 1 }), anEvent({ n: 2 }), anEvent({ n: 3 })))
        const [first] = await store.readStream(stream)
        const behind = (await store.readAll(first!.position, 1_000)).length
        expect(await store.hasMoreThan(first!.position, behind - 1)).toBe(true)
        expect(await store.hasMoreThan(first!.position, behind)).toBe(false)
      })

      test('an unknown stream is empty', async () => {
        expect(await store.readStream(aStream())).toEqual([])
      })

      test('a stream resumes after a revision', async () => {
        const stream = aStream()
        await store.append(anAppend(stream, 0, anEvent({ n: 1 }), anEvent({ n: 2 }), anEvent({ n: 3 })))
        expect((await store.readStream(stream, 1)).map((event) => event.data)).toEqual([{ n: 2 }, { n: 3 }])
        expect(await store.readStream(stream, 3)).toEqual([])
      })

      test('everything resumes after any position, in pages, without a gap or a double', async () => {
        await store.append(anAppend(aStream(), 0, anEvent(), anEvent(), anEvent()))
        const head = await store.head()
        const all = await readWholeLog(store, 1000)
        const paged = await readWholeLog(store, 2)
        expect(paged.map((event) => event.id)).toEqual(all.map((event) => event.id))
        expect(all.at(-1)?.position).toBe(head)
        expect(isAscending(all.map((event) => event.position))).toBe(true)
        expect(
          isAscending(
            all.map((event) => event.recordedAt.getTime()),
            true,
          ),
        ).toBe(true)
        expect(await store.readAll(head, 10)).toEqual([])
        const lastTwo = all.slice(-2).map((event) => event.position)
        expect((await store.readAll(all.at(-3)!.position, 10)).map((event) => event.position)).toEqual(lastTwo)
        if (!sparse) expect(lastTwo).toEqual([head - 1, head])
      })

      test('what was handed in or out cannot be changed afterwards', async () => {
        const stream = aStream()
        const data = { tags: ['a'] }
        await store.append(anAppend(stream, 0, anEvent(data)))
        data.tags.push('b')
        const [read] = await store.readStream(stream)
        expect(read?.data).toEqual({ tags: ['a'] })
        read?.recordedAt.setFullYear(1999)
        expect((await store.readStream(stream))[0]?.recordedAt.getFullYear()).not.toBe(1999)
      })
    })

    describe('wake-up', () => {
      test('comes after an append, until it is stopped', async () => {
        const listener = vi.fn<() => void>()
        const deaf = vi.fn<() => void>()
        const stop = store.onAppended(listener)
        store.onAppended(deaf)()
        await store.append(anAppend(aStream(), 0))
        await vi.waitFor(() => expect(listener).toHaveBeenCalled(), { timeout: 10_000 })
        stop()
        await store.append(anAppend(aStream(), 0))
        const calls = listener.mock.calls.length
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect(listener).toHaveBeenCalledTimes(calls)
        expect(deaf).not.toHaveBeenCalled()
      })
    })

    describe('the same event ids again', () => {
      test.each([0, 'any'] as const)('expected %s: answers the first result and adds nothing', async (expected) => {
        const append = {
          parts: [aPart(aStream(), expected, anEvent(), anEvent()), aPart(aStream(), expected)],
          take: [aConstraint('first')],
        }
        const first = await store.append(append)
        await store.append(anAppend(append.parts[0]!.stream, 2))
        const head = await store.head()
        expect(await store.append(append)).toEqual(first)
        expect(await store.append(upperCased(append))).toEqual(first)
        expect(await store.head()).toBe(head)
      })

      test('twenty times at once is once', async () => {
        const append = anAppend(aStream(), 'any', anEvent(), anEvent())
        const answers = await Promise.all(Array.from({ length: 20 }, () => store.append(append)))
        expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
        expect(await store.readStream(append.parts[0]!.stream)).toHaveLength(2)
      })

      test('with another expectation is a wrong revision', async () => {
        const stream = aStream()
        const event = anEvent()
        await store.append(anAppend(stream, 0, event))
        expect(await expectNothingWritten(anAppend(stream, 3, event))).toMatchObject({ expected: 3, actual: 1 })
      })

      test('with one more event is a wrong revision', async () => {
        const stream = aStream()
        const event = anEvent()
        await store.append(anAppend(stream, 0, event))
        expect(await expectNothingWritten(anAppend(stream, 0, event, anEvent()))).toMatchObject({ actual: 1 })
      })

      test.each([0, 'any'] as const)('in another stream, expected %s, is a bug', async (expected) => {
        const event = anEvent()
        await store.append(anAppend(aStream(), 0, event))
        const error = await expectNothingWritten(anAppend(aStream(), expected, event))
        expect(error).toBeInstanceOf(Error)
        expect(error).not.toBeInstanceOf(Rejection)
        expect(String(error)).toContain(event.id)
      })

      test('in another order is a bug', async () => {
        const [stream, one, two] = [aStream(), anEvent(), anEvent()]
        await store.append(anAppend(stream, 0, one, two))
        expect(await expectNothingWritten(anAppend(stream, 'any', two, one))).not.toBeInstanceOf(Rejection)
      })
    })

    describe('several parts', () => {
      test('get positions in their order and revisions of their own', async () => {
        const [one, two] = [aStream(), aStream()]
        await store.append(anAppend(two, 0))
        const head = await store.head()
        const answer = await store.append({ parts: [aPart(one, 0, anEvent(), anEvent()), aPart(two, 1)] })
        const read = await store.readAll(head, 9)
        expect(answer).toEqual({ position: read.at(-1)?.position, revisions: [2, 2] })
        if (!sparse) expect(read.map(({ position }) => position)).toEqual([head + 1, head + 2, head + 3])
        expect(read.map(({ stream, revision }) => [stream, revision])).toEqual([
          [one, 1],
          [one, 2],
          [two, 2],
        ])
      })

      test('are all written or none of them', async () => {
        const [one, two] = [aStream(), aStream()]
        const claim = aConstraint('somebody')
        const error = await expectNothingWritten({ parts: [aPart(one, 0), aPart(two, 5)], take: [claim] })
        expect(error).toMatchObject({ stream: two, expected: 5, actual: 0 })
        expect(await store.readStream(one)).toEqual([])
        expect(await store.holderOf(claim)).toBeUndefined()
      })

      test('the first wrong one is named', async () => {
        const [one, two] = [aStream(), aStream()]
        expect(await refusal({ parts: [aPart(one, 1), aPart(two, 2)] })).toMatchObject({ stream: one })
      })
    })

    describe('a part without events guards its stream', () => {
      test.each([
        ['unknown', 0, 0, true],
        ['unknown', 0, 1, false],
        ['of two events', 2, 0, false],
        ['of two events', 2, 1, false],
        ['of two events', 2, 2, true],
        ['of two events', 2, 3, false],
        ['of two events', 2, 'any', true],
      ] as const)('a stream %s (%i), expected %s: appended %s', async (_, length, expected, appended) => {
        const [guarded, written] = [aStream(), aStream()]
        if (length > 0) await store.append(anAppend(guarded, 0, anEvent(), anEvent()))
        for (const parts of [
          [aGuard(guarded, expected), aPart(written, 'any')],
          [aPart(written, 'any'), aGuard(guarded, expected)],
          [aGuard(guarded, expected)],
        ]) {
          if (appended) await store.append({ parts })
          else expect(await expectNothingWritten({ parts })).toMatchObject({ stream: guarded, actual: length })
        }
        expect(await store.readStream(written)).toHaveLength(appended ? 2 : 0)
        expect(await store.readStream(guarded)).toHaveLength(length)
      })

      test('of several the first that has moved is named, and refuses everything', async () => {
        const [one, two, three, written, claim] = [aStream(), aStream(), aStream(), aStream(), aConstraint('somebody')]
        await store.append({ parts: [aPart(two, 0), aPart(three, 0)] })
        const parts = [aGuard(one, 0), aGuard(two, 0), aPart(written, 0), aGuard(three, 0)]
        const error = await expectNothingWritten({ parts, take: [claim] })
        expect(error).toBeInstanceOf(WrongExpectedRevision)
        expect(error).toMatchObject({ stream: two, expected: 0, actual: 1 })
        const right = [aGuard(one, 0), aGuard(two, 1), aPart(written, 0), aGuard(three, 1)]
        expect((await store.append({ parts: right, take: [claim] })).revisions).toEqual([0, 1, 1, 1])
      })

      test('the same append again is answered as before, though the stream has moved since', async () => {
        const guarded = aStream()
        const append = { parts: [aGuard(guarded, 0), aPart(aStream(), 0)] }
        const first = await store.append(append)
        expect(await store.append(append)).toEqual(first)
        await store.append(anAppend(guarded, 0))
        expect(await store.append(append)).toMatchObject({ position: first.position })
      })

      test('guards alone write nothing, and answer where the log is', async () => {
        const [one, two, other] = [aStream(), aStream(), aStream()]
        const { position } = await store.append({ parts: [aPart(one, 0), aPart(two, 0)] })
        const parts = [aGuard(one, 1), aGuard(two, 'any'), aGuard(other, 0)]
        expect(await store.append({ parts })).toEqual({ position, revisions: [1, 1, 0] })
        expect(await store.head()).toBe(position)
      })

      test('what is asked for at once is refused by no guard but its own', async () => {
        const [guarded, moved] = [aStream(), aStream()]
        await store.append({ parts: [aPart(guarded, 0), aPart(moved, 0)] })
        const kinds = [
          () => ({ parts: [aGuard(guarded, 1), aPart(aStream(), 0)] }),
          () => ({ parts: [aGuard(moved, 0), aPart(aStream(), 0)] }),
          () => anAppend(aStream(), 0, anEvent(), anEvent()),
          () => ({ parts: [aGuard(guarded, 1)] }),
          () => ({ parts: [aGuard(moved, 0)] }),
        ]
        const before = await store.head()
        const appends = Array.from({ length: 50 }, (_, nth) => kinds[nth % kinds.length]!())
        const answers = await Promise.all(appends.map((append) => refusal(append)))
        const due = [true, false, true, true, false]
        expect(answers.map((answer) => answer === 'appended')).toEqual(answers.map((_, nth) => due[nth % due.length]))
        const written = appends.flatMap(({ parts }, nth) => (answers[nth] === 'appended' ? parts : []))
        const ids = written.flatMap(({ events }) => events.map(({ id }) => id))
        expect((await store.readAll(before, 1_000)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
      })

      test('of two that cross, each guarding what the other writes to, exactly one is appended', async () => {
        const pairs = Array.from({ length: 40 }, () => [aStream(), aStream()] as const)
        const answers = await Promise.all(
          pairs.flatMap(([one, two]) => [
            refusal({ parts: [aGuard(one, 0), aPart(two, 0)] }),
            refusal({ parts: [aPart(one, 0), aGuard(two, 0)] }),
          ]),
        )
        const appended = pairs.map((_, nth) =>
          answers.slice(2 * nth, 2 * nth + 2).filter((each) => each === 'appended'),
        )
        expect(appended.map(({ length }) => length)).toEqual(pairs.map(() => 1))
      })

      test('in a storm whatever was appended rests on what was there before it', async () => {
        await expectGuardsHeld([store], store)
      })
    })

    describe('claims', () => {
      test('are taken and known by their holder', async () => {
        const claim = aConstraint('subscription/1')
        expect(await store.holderOf(claim)).toBeUndefined()
        await store.append({ ...anAppend(aStream(), 0), take: [claim] })
        expect(await store.holderOf(claim)).toBe('subscription/1')
      })

      test('a second taker is told the first one, and nothing is written', async () => {
        const claim = aConstraint('subscription/1')
        const other = aConstraint('subscription/2')
        await store.append({ ...anAppend(aStream(), 0), take: [claim] })
        const stream = aStream()
        const error = await expectNothingWritten({
          ...anAppend(stream, 0),
          take: [other, { ...claim, holder: 'subscription/2' }],
        })
        expect(error).toBeInstanceOf(UniqueConstraintViolation)
        expect(error).toMatchObject({ constraint: { scope: claim.scope, key: claim.key }, holder: 'subscription/1' })
        expect(await store.readStream(stream)).toEqual([])
      })

      test('what can be used once is refused to its holder too', async () => {
        const claim = aConstraint('session/1')
        await store.append({ ...anAppend(aStream(), 0), take: [claim] })
        const before = await store.head()
        const error = await refusal({ ...anAppend(aStream(), 0), take: [claim] })
        expect(await store.head()).toBe(before)
        expect(error).toBeInstanceOf(UniqueConstraintViolation)
        expect(error).toMatchObject({ holder: 'session/1' })
      })

      test('one append cannot take one for two', async () => {
        const claim = aConstraint('subscription/1')
        const error = await expectNothingWritten({
          ...anAppend(aStream(), 0),
          take: [claim, { ...claim, holder: 'subscription/2' }],
        })
        expect(error).toMatchObject({ holder: 'subscription/1' })
      })

      test('are released by their holder only', async () => {
        const claim = aConstraint('subscription/1')
        await store.append({ ...anAppend(aStream(), 0), take: [claim] })
        await store.append({ ...anAppend(aStream(), 0), release: [{ ...claim, holder: 'subscription/2' }] })
        expect(await store.holderOf(claim)).toBe('subscription/1')
        await store.append({ ...anAppend(aStream(), 0), release: [claim, aConstraint('subscription/1')] })
        expect(await store.holderOf(claim)).toBeUndefined()
      })

      test('pass from one to another in one append', async () => {
        const claim = aConstraint('customer/1')
        const next = { ...claim, holder: 'customer/2' }
        await store.append({ ...anAppend(aStream(), 0), take: [claim] })
        await store.append({ ...anAppend(aStream(), 0), release: [claim], take: [next] })
        expect(await store.holderOf(claim)).toBe('customer/2')
      })

      test('stay when the append is refused', async () => {
        const claim = aConstraint('customer/1')
        await store.append({ ...anAppend(aStream(), 0), take: [claim] })
        await refusal({ ...anAppend(aStream(), 7), release: [claim] })
        expect(await store.holderOf(claim)).toBe('customer/1')
      })

      test('differ by scope as well as by key', async () => {
        const [one, two] = [aConstraint('customer/1', 'a'), { scope: 'referencea', key: 'x', holder: 'customer/2' }]
        await store.append({ ...anAppend(aStream(), 0), take: [one, two] })
        expect(await store.holderOf({ scope: 'reference', key: 'ax' })).toBeUndefined()
      })

      test('of fifty rivals exactly one gets it', async () => {
        const key = randomUUID()
        const rivals = Array.from({ length: 50 }, (_, index) =>
          refusal({ ...anAppend(aStream(), 0), take: [aConstraint(`customer/${index}`, key)] }),
        )
        const answers = await Promise.all(rivals)
        const holder = await store.holderOf({ scope: 'reference', key })
        const refused = answers.filter((answer) => answer instanceof UniqueConstraintViolation)
        expect(answers.filter((answer) => answer === 'appended')).toHaveLength(1)
        expect(refused).toHaveLength(49)
        expect(new Set(refused.map((answer) => answer.holder))).toEqual(new Set([holder]))
      })
    })

    describe('texts', () => {
      test('1 MB in one event comes back whole', async () => {
        const stream = aStream()
        const text = 'ä€𝄞"\\\n'.repeat(100_000)
        await store.append(anAppend(stream, 0, anEvent({ text })))
        expect((await store.readStream(stream))[0]?.data).toEqual({ text })
      })

      test('unicode, quotes, braces and property order survive everywhere', async () => {
        const odd = `ﬁ İ 𝄞 👩‍👩‍👧 "quoted" {a,NULL} back\\slash 'tick' \u200F`
        const data = { z: odd, a: { [odd]: [1.5, -0.25, 1e21, true, null, ''] }, __proto__x: '\u001F\u001E\t' }
        const claim = { scope: odd, key: odd, holder: odd }
        await store.append({ parts: [aPart(odd, 0, anEvent(data, { type: odd, metadata: data }))], take: [claim] })
        const [read] = await store.readStream(odd)
        expect(read).toMatchObject({ stream: odd, type: odd, data, metadata: data })
        expect(Object.keys(read?.data ?? {})).toEqual(Object.keys(data))
        expect(await store.holderOf(claim)).toBe(odd)
      })

      const stream = aStream()
      const unstorable: [string, Append][] = [NUL, LONE_SURROGATE].flatMap((bad) => {
        const what = bad === NUL ? 'NUL' : 'a lone surrogate'
        return [
          [`${what} in data`, anAppend(stream, 0, anEvent({ a: [{ b: `x${bad}` }] }))],
          [`${what} in a property name`, anAppend(stream, 0, anEvent({ [`x${bad}`]: 1 }))],
          [`${what} in metadata`, anAppend(stream, 0, anEvent({}, { metadata: { ip: bad } }))],
          [`${what} in the second part`, { parts: [aPart(stream, 0), aPart(aStream(), 0, anEvent({ a: bad }))] }],
          [`${what} in a type`, anAppend(stream, 0, anEvent({}, { type: `x${bad}` }))],
          [`${what} in a stream`, anAppend(`x${bad}`, 0)],
          [`${what} in a claim key`, { ...anAppend(stream, 0), take: [aConstraint('me', `x${bad}`)] }],
          [`${what} in a claim holder`, { ...anAppend(stream, 0), take: [aConstraint(bad)] }],
          [`${what} in a released claim`, { ...anAppend(stream, 0), release: [aConstraint('me', bad)] }],
        ]
      })
      const unnameable: [string, Append][] = ['\u001F', '\u001E', '\n', '\u0085', '', 'x'.repeat(1001)].flatMap(
        (bad) => {
          const what = JSON.stringify(bad.slice(0, 5))
          return [
            [`a stream like ${what}`, anAppend(bad, 0)],
            [`a type like ${what}`, anAppend(stream, 0, anEvent({}, { type: bad }))],
            [`a claim scope like ${what}`, { ...anAppend(stream, 0), take: [{ scope: bad, key: 'k', holder: 'h' }] }],
            [`a claim key like ${what}`, { ...anAppend(stream, 0), take: [{ scope: 's', key: bad, holder: 'h' }] }],
          ]
        },
      )
      const unwritable: [string, Append][] = [
        ['33 levels of nesting', anAppend(stream, 0, anEvent(nested(33)))],
        ['Infinity', anAppend(stream, 0, anEvent({ n: Infinity }))],
        ['NaN', anAppend(stream, 0, anEvent({ n: NaN }))],
      ]

      test.each([...unstorable, ...unnameable, ...unwritable])('%s is refused with 400', async (_, append) => {
        const error = await expectNothingWritten(append)
        expect(error).toBeInstanceOf(Rejection)
        expect(error).toMatchObject({ statusCode: 400 })
        expect(await store.readStream(stream)).toEqual([])
      })

      test('32 levels of nesting and names of 1000 bytes are fine', async () => {
        const name = 'é'.repeat(500)
        const claim = { scope: name, key: name, holder: name }
        await store.append({ parts: [aPart(name, 0, anEvent(nested(32)))], take: [claim] })
        expect((await store.readStream(name))[0]?.data).toEqual(nested(32))
      })

      test.each([NUL, LONE_SURROGATE])('reading by a name like %j is refused with 400 as well', async (bad) => {
        await expect(store.readStream(bad)).rejects.toMatchObject({ statusCode: 400 })
        await expect(store.holderOf({ scope: 's', key: bad })).rejects.toMatchObject({ statusCode: 400 })
      })
    })

    describe('bugs of the caller', () => {
      const [stream, event] = [aStream(), anEvent()]
      const bugs: [string, Append][] = [
        ['no part', { parts: [] }],
        ['a claim without an event', { parts: [aGuard(stream, 0)], take: [aConstraint('nobody')] }],
        ['a released claim without an event', { parts: [aGuard(stream, 0)], release: [aConstraint('nobody')] }],
        ['a stream written and guarded', { parts: [aPart(stream, 0), aGuard(stream, 0)] }],
        ['an id that is no UUID', anAppend(stream, 0, anEvent({}, { id: 'one' }))],
        ['an id twice', anAppend(stream, 0, event, event)],
        ['an id twice, once in capitals', anAppend(stream, 0, event, { ...event, id: event.id.toUpperCase() })],
        ['a stream twice', { parts: [aPart(stream, 0), aPart(stream, 1)] }],
        ['a negative revision', anAppend(stream, -1)],
        ['half a revision', anAppend(stream, 0.5)],
        ['schema version 0', anAppend(stream, 0, anEvent({}, { schemaVersion: 0 }))],
        ['a Date in data', anAppend(stream, 0, anEvent({ at: new Date() as unknown as string }))],
      ]
      test.each(bugs)('%s is an error that is not planned', async (_, append) => {
        const error = await expectNothingWritten(append)
        expect(error).toBeInstanceOf(Error)
        expect(error).not.toBeInstanceOf(Rejection)
      })
    })

    test('a hundred appends at once: every event once, appends in one piece, in the order of their positions', async () => {
      const before = await store.head()
      const shared = aStream()
      const appends = Array.from({ length: 100 }, (_, index) => ({
        parts: [aPart(shared, 'any'), aPart(aStream(), 0, anEvent({ index }), anEvent())],
      }))
      const answers = await Promise.all(appends.map((append) => store.append(append)))
      const events = await store.readAll(before, 1000)
      expect(isAscending(events.map((event) => event.position))).toBe(true)
      if (!sparse)
        expect(events.map((event) => event.position)).toEqual(Array.from({ length: 300 }, (_, n) => before + n + 1))
      expect(new Set(events.map((event) => event.id)).size).toBe(300)
      expect((await store.readStream(shared)).map((event) => event.revision)).toEqual(
        Array.from({ length: 100 }, (_, n) => n + 1),
      )
      expect(new Set(answers.map((answer) => answer.position))).toEqual(
        new Set(events.filter((_, index) => index % 3 === 2).map((event) => event.position)),
      )
    })
  })
}

export async function readWholeLog(store: EventStore, page: number): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = []
  for (;;) {
    const events = await store.readAll(all.at(-1)?.position ?? 0, page)
    if (events.length === 0) return all
    all.push(...events)
  }
}

function isAscending(numbers: number[], equalToo = false): boolean {
  return numbers.every(
    (each, index) => index === 0 || each > numbers[index - 1]! || (equalToo && each === numbers[index - 1]),
  )
}

function nested(levels: number): { a: number } {
  return Array.from({ length: levels - 1 }).reduce<object>((inner) => ({ a: inner }), { a: 1 }) as { a: number }
}

function upperCased({ parts, ...claims }: Append): Append {
  const upper = parts.map((part) => ({
    ...part,
    events: part.events.map((each) => ({ ...each, id: each.id.toUpperCase() })),
  }))
  return { parts: upper, ...claims }
}
