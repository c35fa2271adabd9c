/** Secrets are taken out, wherever the pieces of the output are cut. */
import { array, assert, constantFrom, integer, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { secretFilter, secretsIn } from '../../src/agent/secret-filter.ts'

const shown = (pieces: readonly string[], secrets: readonly string[]): string => {
  const filter = secretFilter(secrets)
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end()
}

test('a secret goes, whole and in pieces, again and again', () => {
  expect(shown(['the password is hunter22, really'], ['hunter22'])).toBe('the password is ***, really')
  expect(shown('say hunter22 and hunter22'.split(''), ['hunter22'])).toBe('say *** and ***')
  expect(shown(['hunter2', '1 hunter', '22'], ['hunter22'])).toBe('hunter21 ***')
  expect(shown(['-----BEGIN\nKEY', '\nabc-----'], ['BEGIN\nKEY\nabc'])).toBe('-----***-----')
})

test('the longer of two secrets goes first, and a text that is too short is no secret', () => {
  expect(shown(['abcdefgh abcd'], ['abcd', 'abcdefgh'])).toBe('*** ***')
  expect(shown(['a cat sat'], ['cat', ''])).toBe('a cat sat')
})

test('only what may become a secret is held back', () => {
  const filter = secretFilter(['hunter22'])
  expect(filter.push('x hunt')).toBe('x ')
  expect(filter.push('er')).toBe('')
  expect(filter.push('s')).toBe('hunters')
  expect(filter.push('hu')).toBe('')
  expect(filter.end()).toBe('hu')
  expect(filter.end()).toBe('')
})

test('no cut lets a secret through, and text without secrets is as it was', () => {
  const secrets = ['abab', 'babaa', 'aabb']
  const piece = string({ unit: constantFrom('a', 'b'), maxLength: 6 })
  assert(
    property(array(piece, { maxLength: 12 }), (pieces) => {
      const text = shown(pieces, secrets)
      for (const secret of secrets) expect(text).not.toContain(secret)
      if (!secrets.some((secret) => pieces.join('').includes(secret))) expect(text).toBe(pieces.join(''))
    }),
    { numRuns: 3_000 },
  )
  assert(
    property(string({ maxLength: 40 }), integer({ min: 0, max: 40 }), (text, cut) => {
      expect(shown([text.slice(0, cut), text.slice(cut)], ['a secret'])).toBe(text)
    }),
  )
})

test('all texts within secrets count', () =>
  expect(secretsIn({ user: 'ada', deep: [{ token: 'one' }, 2, null, 'two'] })).toEqual(['ada', 'one', 'two']))
