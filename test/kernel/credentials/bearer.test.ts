import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bearerToken, requireBearerToken } from '#kernel/credentials/bearer-token'

describe('a bearer token', () => {
  test.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is read whatever the case of the scheme: %s', (scheme) => {
    expect(bearerToken([`${scheme} abc.DEF-123_~+/=`])).toBe('abc.DEF-123_~+/=')
  })

  test('may have 4,096 characters and not one more', () => {
    expect(bearerToken([`Bearer ${'a'.repeat(4096)}`])).toBe('a'.repeat(4096))
    expect(bearerToken([`Bearer ${'a'.repeat(4097)}`])).toBe('malformed')
  })

  test('is absent without a header', () => {
    expect(bearerToken([])).toBeUndefined()
  })

  test.each([
    [['']],
    [['Bearer']],
    [['Bearer ']],
    [['Bearer  abc']],
    [['Bearer\tabc']],
    [[' Bearer abc']],
    [['Bearer abc ']],
    [['Bearer abc\n']],
    [['Bearer a b']],
    [['Bearer a,b']],
    [['Bearer "abc"']],
    [['Bearer ａｂｃ']],
    [['Basic YTpi']],
    [['abc']],
    [['Bearer abc', 'Bearer abc']],
    [['Bearer abc', '']],
    [['Bearer abc, Bearer def']],
  ])('is malformed in %j', (headers) => {
    expect(bearerToken(headers)).toBe('malformed')
  })

  test.each(['null', 'undefined'])('is none where the client sends the word for nothing: %s', (word) => {
    const message = `Authentication required: the client sent the word “${word}” instead of a token`
    const refusal = { statusCode: 401, code: 'AUTHENTICATION_REQUIRED', message }
    for (const scheme of ['Bearer', 'bearer'])
      expect(() => requireBearerToken([`${scheme} ${word}`])).toThrow(expect.objectContaining(refusal))
    expect(requireBearerToken(['Bearer nullable'])).toBe('nullable')
    expect(requireBearerToken([])).toBeUndefined()
  })

  test('is never taken from any other text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => bearerToken([text]) === 'malformed'))
  })
})
