import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '#kernel/http/strict-json'
import { Rejection } from '#kernel/lib/rejection'
import { cpuMs } from '#test/support/cpu-ms'

const FORBIDDEN = ['__proto__', 'constructor', 'prototype']

const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\0'))
const key = text.filter((value) => !FORBIDDEN.includes(value))
const { sane } = fc.letrec((tie) => ({
  sane: fc.oneof(
    { maxDepth: 5 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.double({ min: -1e15, max: 1e15, noNaN: true }),
    text,
    fc.array(tie('sane'), { maxLength: 5 }),
    fc.dictionary(key, tie('sane'), { maxKeys: 5, noNullPrototype: true }),
  ),
}))

const nested = (depth: number, open: string, close: string) =>
  Buffer.from(open.repeat(depth) + '0' + close.repeat(depth))

function refusal(bytes: Uint8Array): Rejection {
  try {
    parseJson(bytes)
  } catch (error) {
    if (error instanceof Rejection) return error
    throw error
  }
  throw new Error('accepted')
}

describe('parseJson', () => {
  it('reads whatever JSON.stringify writes of sane values, however it is indented', () => {
    fc.assert(
      fc.property(sane, fc.constantFrom(0, 1, '\t'), (value, indent) => {
        const written = JSON.stringify(value, null, indent)
        expect(parseJson(Buffer.from(written))).toEqual(JSON.parse(written))
      }),
      { numRuns: 500 },
    )
  })

  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['a byte order mark', Buffer.from([0xef, 0xbb, 0xbf, 0x31])],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['an overlong NUL', Buffer.from([0x22, 0xc0, 0x80, 0x22])],
    ['a surrogate in UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['a trailing comma', '[1,]'],
    ['two values', '1 2'],
    ['a comment', '[1] // one'],
    ['NaN', 'NaN'],
    ['single quotes', "{'a':1}"],
    ['a key twice', '{"a":1,"b":2,"a":3}'],
    ['a key twice, once escaped', String.raw`{"a":1,"\u0061":3}`],
    ['a key twice, deep down', '[{"x":{"a":1,"a":1}}]'],
    ['__proto__', '{"__proto__":{"polluted":1}}'],
    ['__proto__, escaped', String.raw`{"\u005f_proto__":{"polluted":1}}`],
    ['constructor', '{"a":[{"constructor":{"prototype":{}}}]}'],
    ['prototype', '{"prototype":1}'],
    ['an infinite number', '1e999'],
    ['a number that would be rounded', '9007199254740993'],
    ['a large negative number', '[-9007199254740992]'],
    ['an escaped NUL', String.raw`"a\u0000b"`],
    ['half a surrogate pair', String.raw`"\ud800"`],
    ['half a surrogate pair in a key', String.raw`{"\udc00":1}`],
    ['surrogates the wrong way round', String.raw`"\udc00\ud800"`],
    ['33 arrays in each other', nested(33, '[', ']')],
    ['33 objects in each other', nested(33, '{"a":', '}')],
    ['50,000 arrays in each other', nested(50_000, '[', ']')],
    ['10,001 keys', `{${Array.from({ length: 10_001 }, (_, index) => `"k${index}":0`).join()}}`],
  ])('refuses %s with 400', (_what, sent) => {
    expect(refusal(Buffer.from(sent))).toMatchObject({ statusCode: 400, code: 'INVALID_JSON' })
  })

  it.each<[string, string | Buffer]>([
    ['32 levels', nested(32, '[', ']')],
    ['2^53 - 1', '9007199254740991'],
    ['a whole surrogate pair', String.raw`"\ud83d\ude00"`],
    ['an escaped backslash before u0000', String.raw`"\\u0000"`],
    ['the same key in two objects', '[{"a":1},{"a":1}]'],
    ['brackets and colons in text', '{"a":"}]{[:\\"","b":[1]}'],
    ['a forbidden name as a value', '["__proto__","constructor"]'],
  ])('accepts %s', (_what, sent) => {
    expect(parseJson(Buffer.from(sent))).toEqual(JSON.parse(String(sent)))
  })

  it('leaves Object.prototype alone and repeats nothing of what was sent', () => {
    const refused = [
      '{"__proto__":{"canary":1}}',
      '{"canary":1,"canary":2}',
      String.raw`"canary\u0000"`,
      '[canary',
      '{"canary":1e999}',
    ].map((sent) => refusal(Buffer.from(sent)).message)
    expect(refused.join()).not.toContain('canary')
    expect(({} as { canary?: unknown }).canary).toBeUndefined()
  })

  it('takes no longer than a moment for any 100 KiB', async () => {
    const worst = ['"\\', '"\\"', '["', '{"a":', '\\"', '" ', '-1', '"\\u0061"'].map((piece) =>
      Buffer.from(piece.repeat(102_400 / piece.length)),
    )
    for (const bytes of worst) {
      const spent = await cpuMs(() => expect(() => parseJson(bytes)).toThrow(Rejection))
      expect(spent).toBeLessThan(200)
    }
  })
})
