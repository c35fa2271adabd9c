import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { entryOf, valuesOf, persistentMap, withEntry, withoutEntry } from '#kernel/lib/persistent-map'
import type { PersistentMap } from '#kernel/lib/persistent-map'

const KEYS = ['', 'a', '__proto__', 'constructor', ...Array.from({ length: 20 }, () => uuidv7())]
const key = fc.constantFrom(...KEYS)
const change = fc.record({ key, value: fc.option(fc.integer()) })

const contents = (map: PersistentMap<number>) => ({
  size: map.size,
  entries: KEYS.map((each) => entryOf(map, each)),
  values: [...valuesOf(map)].toSorted((one, other) => one - other),
})

function expected(map: ReadonlyMap<string, number>) {
  const values = [...map.values()].toSorted((one, other) => one - other)
  return { size: map.size, entries: KEYS.map((each) => map.get(each)), values }
}

test('holds what a map would, and what is followed stays what it is', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 100 }), (changes) => {
      const usual = new Map<string, number>()
      let map = persistentMap<number>()
      for (const { key, value } of changes) {
        const [before, held] = [map, contents(map)]
        map = value === null ? withoutEntry(map, key) : withEntry(map, key, value)
        if (value === null) usual.delete(key)
        else usual.set(key, value)
        expect(contents(before)).toEqual(held)
        expect(contents(map)).toEqual(expected(usual))
      }
      expect(contents(deserialize(serialize(map)) as PersistentMap<number>)).toEqual(expected(usual))
    }),
  )
})

test('the next one copies little of a large one', () => {
  let map = persistentMap<number>()
  for (let nth = 0; nth < 5_000; nth += 1) map = withEntry(map, uuidv7(), nth)
  const next = withEntry(map, uuidv7(), -1)
  const copied = next.buckets.filter((bucket, place) => bucket !== map.buckets[place])
  expect(copied).toHaveLength(1)
  expect(Math.max(...map.buckets.map(({ size }) => size))).toBeLessThan(50)
})
