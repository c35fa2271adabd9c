/** When a change keeps its Idempotency-Key. */
import { expect, test } from 'vitest'
import { Refusal } from '#api-client/refusal'
import { wordsFor } from '../../src/web/kit/waits.ts'
import { keptKeys } from '../../src/web/session/kept-keys.ts'

const CHANGE = 'POST /api/projects {"name":"Bakery"}'
const refused = (status: number) => new Refusal('Refused', { status, headers: new Headers() })

test.each([
  ['no answer', new TypeError('Failed to fetch'), true],
  ['a failure', refused(500), true],
  ['a service that is busy', refused(503), true],
  ['too many requests', refused(429), true],
  ['a refusal', refused(409), false],
  ['success', undefined, false],
])('after %s', (_what, error, isKept) => {
  const keys = keptKeys()
  const first = keys.keyFor(CHANGE)
  expect(keys.keyFor(CHANGE)).toBe(first)
  keys.ended(CHANGE, error)
  expect(keys.keyFor(CHANGE) === first).toBe(isKept)
})

test('another change and another account have other keys', () => {
  const keys = keptKeys()
  const first = keys.keyFor(CHANGE)
  expect(keys.keyFor(`${CHANGE} `)).not.toBe(first)
  keys.clear()
  expect(keys.keyFor(CHANGE)).not.toBe(first)
})

test('the oldest of many is forgotten, and not the one that was used last', () => {
  const keys = keptKeys()
  const [first, second] = [keys.keyFor('1'), keys.keyFor('2')]
  for (let n = 3; n <= 50; n += 1) keys.keyFor(String(n))
  keys.keyFor('1')
  keys.keyFor('51')
  expect(keys.keyFor('1')).toBe(first)
  expect(keys.keyFor('2')).not.toBe(second)
})

test.each([
  [1, '1 second'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
])('a wait of %d s is told as %s', (seconds, words) => expect(wordsFor(seconds)).toBe(words))
