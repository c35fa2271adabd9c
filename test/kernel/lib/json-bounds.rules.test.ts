/** What is refused of JSON from strangers before it is parsed. */
import { describe, expect, test } from 'vitest'
import { isShallow, jsonMeter } from '#kernel/lib/json-bounds'

describe('levels of a value', () => {
  test('arrays and objects are levels, and all of a value is looked at', () => {
    for (const value of [0, 'x', null, undefined, true]) expect(isShallow(value, 0)).toBe(true)
    expect(isShallow([], 0)).toBe(false)
    expect(isShallow([1, { a: 2 }], 2)).toBe(true)
    expect(isShallow([1, { a: [] }], 2)).toBe(false)
  })

  test('a value that is deeper than the stack is refused, and does not end the process', () => {
    const deep: unknown = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000))
    expect(isShallow(deep, 32)).toBe(false)
  })
})

describe('a text before it is parsed', () => {
  const fits = (text: string, bounds: { levels: number; values: number }, pieceBytes = 1) => {
    const [bytes, take] = [Buffer.from(text), jsonMeter(bounds)]
    let isWithin = true
    for (let at = 0; at < bytes.length; at += pieceBytes) isWithin = take(bytes.subarray(at, at + pieceBytes))
    return isWithin
  }

  test('levels and values are counted, however the text is cut', () => {
    const text = '{"a":[1,{"b":null}],"c":[]}'
    for (const pieceBytes of [1, 2, 5, 100]) {
      expect(fits(text, { levels: 3, values: 7 }, pieceBytes)).toBe(true)
      expect(fits(text, { levels: 2, values: 7 }, pieceBytes)).toBe(false)
      expect(fits(text, { levels: 3, values: 4 }, pieceBytes)).toBe(false)
    }
  })

  test('what stands in a text is no value', () => {
    const bounds = { levels: 1, values: 2 }
    for (const said of ['[[[[,,,,{{{{', '\\', '"', '\\",[[[', 'ü[,€[,', '\n,[['])
      for (const pieceBytes of [1, 3, 100]) expect(fits(JSON.stringify([said]), bounds, pieceBytes), said).toBe(true)
  })
})
