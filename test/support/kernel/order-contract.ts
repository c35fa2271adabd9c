/** The additional promise of stores that decide appends in the order in which they were requested. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WrongExpectedRevision } from '#kernel/events/store-port'
import type { Append, EventStore } from '#kernel/events/store-port'
import { aConstraint, aGuard, anAppend, anEvent, aPart, aStream } from './appends.ts'
import type { StoreDifferences } from './store-contract.ts'

export function orderContract(
  name: string,
  open: () => Promise<EventStore>,
  { sparse = false }: StoreDifferences = {},
): void {
  describe(`${name}: many appends at once`, () => {
    let store: EventStore

    beforeAll(async () => {
      store = await open()
    })
    afterAll(() => store.close())

    const refusal = (append: Append): Promise<unknown> =>
      store.append(append).then(
        () => 'appended',
        (error: unknown) => error,
      )

    test('to one stream: they come in the order in which they were asked for', async () => {
      const stream = aStream()
      const appends = Array.from({ length: 256 }, (_, n) => anAppend(stream, n % 2 === 0 ? 'any' : n, anEvent({ n })))
      const answers = await Promise.all(appends.map((append) => store.append(append)))
      expect(answers.map(({ revisions }) => revisions)).toEqual(appends.map((_, n) => [n + 1]))
      expect((await store.readStream(stream)).map(({ data }) => data['n'])).toEqual(appends.map((_, n) => n))
    })

    test('guards are judged where they were asked for: before the writers behind them, behind those before them', async () => {
      const [stream, other, last] = [aStream(), aStream(), aStream()]
      const guarding = (revision: number) =>
        refusal({ parts: [aGuard(stream, revision), aPart(aStream(), 0)] }).then((answer) => answer === 'appended')
      const answers = await Promise.all([
        guarding(0),
        guarding(1),
        refusal(anAppend(stream, 0)),
        guarding(0),
        guarding(1),
        refusal({ parts: [aPart(stream, 1), aGuard(other, 0)] }),
        refusal({ parts: [aPart(other, 0), aGuard(stream, 2)] }),
        guarding(1),
        guarding(2),
        refusal({ parts: [aGuard(stream, 2), aGuard(last, 0)] }),
        refusal(anAppend(last, 0)),
      ])
      const due = [true, false, 'appended', false, true, 'appended', 'appended', false, true, 'appended', 'appended']
      expect(answers).toEqual(due)
    })

    test('what refuses one refuses no other', async () => {
      const [used, held] = [anEvent(), aConstraint('customer/1')]
      await store.append({ ...anAppend(aStream(), 0, used), take: [held] })
      const before = await store.head()
      const bad = [
        anAppend(aStream(), 3),
        anAppend(aStream(), 0, used),
        { ...anAppend(aStream(), 0), take: [{ ...held, holder: 'customer/2' }] },
        { parts: [aPart(aStream(), 0), aPart(aStream(), 1)], take: [aConstraint('customer/3')] },
      ]
      const good = Array.from({ length: 24 }, (_, n) => ({
        parts: [
          aPart(aStream(), 0, ...Array.from({ length: 1 + (n % 3) }, () => anEvent({ n }))),
          aPart(aStream(), 'any'),
        ],
      }))
      const mixed = good.flatMap((append, n) => (n % 6 === 0 ? [bad[n / 6]!, append] : [append]))
      const answers = await Promise.all(mixed.map((append) => refusal(append)))
      expect(mixed.filter((_, n) => answers[n] === 'appended')).toEqual(good)
      const events = await store.readAll(before, 1_000)
      const read = events.map(({ id }) => id)
      const asked = good.map(({ parts }) => parts.flatMap((part) => part.events.map(({ id }) => id)))
      // Appends without a common stream have no order there, but each is contiguous.
      const due = sparse ? asked.toSorted(([one], [two]) => read.indexOf(one!) - read.indexOf(two!)) : asked
      expect(read).toEqual(due.flat())
      if (!sparse) expect(events.map(({ position }) => position)).toEqual(events.map((_, n) => before + n + 1))
    })

    test('one event id for two streams: the first has it', async () => {
      const [one, two, event] = [aStream(), aStream(), anEvent()]
      const others = Array.from({ length: 8 }, () => refusal(anAppend(aStream(), 0)))
      const answers = await Promise.all([refusal(anAppend(one, 0, event)), refusal(anAppend(two, 0, event)), ...others])
      expect(answers.filter((answer) => answer === 'appended')).toHaveLength(9)
      expect(String(answers[1])).toContain(event.id)
      expect(await store.readStream(two)).toEqual([])
    })

    test('for one claim: whoever asks first and is not refused for something else', async () => {
      const key = randomUUID()
      const asking = (holder: string, expected: number) =>
        refusal({ ...anAppend(aStream(), expected), take: [aConstraint(holder, key)] })
      const answers = await Promise.all([asking('customer/1', 7), asking('customer/2', 0), asking('customer/3', 0)])
      expect(answers[0]).toBeInstanceOf(WrongExpectedRevision)
      expect(answers[1]).toBe('appended')
      expect(answers[2]).toMatchObject({ name: 'UniqueConstraintViolation', holder: 'customer/2' })
      expect(await store.holderOf({ scope: 'reference', key })).toBe('customer/2')
    })

    test('a claim that is taken and at once released is free', async () => {
      const claim = aConstraint('customer/1')
      await Promise.all([
        store.append({ ...anAppend(aStream(), 0), take: [claim] }),
        store.append({ ...anAppend(aStream(), 0), release: [claim] }),
      ])
      expect(await store.holderOf(claim)).toBeUndefined()
    })

    test('a claim goes from hand to hand', async () => {
      const [key, hands] = [randomUUID(), Array.from({ length: 20 }, (_, n) => `customer/${n}`)]
      await store.append({ ...anAppend(aStream(), 0), take: [aConstraint(hands[0]!, key)] })
      const passes = hands.slice(1).map((holder, n) => ({
        ...anAppend(aStream(), 0),
        release: [aConstraint(hands[n]!, key)],
        take: [aConstraint(holder, key)],
      }))
      expect(await Promise.all(passes.map((pass) => refusal(pass)))).toEqual(passes.map(() => 'appended'))
      expect(await store.holderOf({ scope: 'reference', key })).toBe(hands.at(-1))
    })

    test('the same append among others is answered as before', async () => {
      const first = {
        parts: [aPart(aStream(), 0, anEvent(), anEvent()), aPart(aStream(), 'any')],
        take: [aConstraint('me')],
      }
      const answer = await store.append(first)
      const others = Array.from({ length: 8 }, () => anAppend(aStream(), 0))
      const answers = await Promise.all(
        [...others, first, ...others.map(() => anAppend(aStream(), 0))].map((append) => store.append(append)),
      )
      expect(answers[8]).toEqual(answer)
      expect(await store.readAll(answer.position, 100)).toHaveLength(16)
    })
  })
}
