import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Append } from '#kernel/events/store-port'
import { memoryStore } from '#kernel/store/memory/memory-store'
import { anAppend, anEvent, aStream } from '../../support/kernel/appends.ts'
import { orderContract } from '../../support/kernel/order-contract.ts'
import { randomAppend, errorSummary } from '../../support/kernel/random-appends.ts'
import { readWholeLog, storeContract } from '../../support/kernel/store-contract.ts'

storeContract('memory', async () => memoryStore())
orderContract('memory', async () => memoryStore())

test('what it answers is frozen to the bottom', async () => {
  const store = memoryStore()
  const stream = aStream()
  await store.append(anAppend(stream, 0, anEvent({ deep: { list: [{ a: 1 }] } }, { metadata: { at: { b: 1 } } })))
  const [event] = await store.readStream(stream)
  expect(isFrozen(event?.data) && isFrozen(event?.metadata) && Object.isFrozen(event)).toBe(true)
})

function isFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isFrozen)
}

describe('beside a naive model', () => {
  test('it answers and holds the same through random appends', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(randomAppend, { minLength: 1, maxLength: 25 }), async (appends) => {
        const store = memoryStore()
        const model = new Model()
        for (const each of appends) {
          expect(await store.append(each).catch(errorSummary)).toEqual(model.append(each))
          expect(await store.head()).toBe(model.log.length)
        }
        expect((await readWholeLog(store, 7)).map(({ stream, id }) => [stream, id])).toEqual(model.log)
        for (const scope of ['s', 't']) {
          for (const key of ['k', 'l']) {
            expect(await store.holderOf({ scope, key })).toBe(model.claims[`${scope} ${key}`])
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})

/** Slow and simple: one list, and every answer is computed anew. */
class Model {
  log: [stream: string, id: string][] = []
  claims: Record<string, string> = {}

  append({ parts, take = [], release = [] }: Append): unknown {
    const isEmpty = parts.every((part) => part.events.length === 0)
    if (isEmpty && take.length + release.length > 0) return 'bug'
    for (const [index, { scope, key }] of take.entries()) {
      const rival = take.slice(0, index).find((other) => other.scope === scope && other.key === key)
      if (rival) return `${scope} ${key} is held by ${rival.holder}`
    }
    if (!isEmpty && parts.every((part) => this.#standsThere(part))) return this.#answer(parts)
    for (const { stream, expected } of parts) {
      if (expected !== 'any' && expected !== this.#of(stream).length)
        return `${stream} is at ${this.#of(stream).length}`
    }
    const claims = { ...this.claims }
    for (const { scope, key, holder } of release) {
      if (claims[`${scope} ${key}`] === holder) delete claims[`${scope} ${key}`]
    }
    for (const { scope, key, holder } of take) {
      const held = claims[`${scope} ${key}`]
      if (held !== undefined) return `${scope} ${key} is held by ${held}`
      claims[`${scope} ${key}`] = holder
    }
    const known = new Set(this.log.map(([, id]) => id))
    if (parts.some((part) => part.events.some((event) => known.has(event.id)))) return 'bug'
    for (const { stream, events } of parts) for (const { id } of events) this.log.push([stream, id])
    this.claims = claims
    return this.#answer(parts)
  }

  #of(stream: string): string[] {
    return this.log.filter(([of]) => of === stream).map(([, id]) => id)
  }

  #standsThere({ stream, expected, events }: Append['parts'][number]): boolean {
    if (events.length === 0) return true
    const ids = this.#of(stream)
    const start = expected === 'any' ? ids.indexOf(events[0]!.id) : expected
    return start >= 0 && events.every((event, index) => ids[start + index] === event.id)
  }

  #answer(parts: Append['parts']): unknown {
    const ids = parts.flatMap((part) => part.events.map(({ id }) => id))
    const positions = ids.map((id) => this.log.findIndex((each) => each[1] === id) + 1)
    const position = ids.length === 0 ? this.log.length : Math.max(...positions)
    const revisions = parts.map(({ stream, events }) => {
      const last = events.at(-1)
      return last ? this.#of(stream).indexOf(last.id) + 1 : this.#of(stream).length
    })
    return { position, revisions }
  }
}
