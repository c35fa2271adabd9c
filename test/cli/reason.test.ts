/** What a command prints about an error: for known errors, what to do; for a bug, where it is. */
import { expect, test } from 'vitest'
import { reasonOf } from '../../src/cli/reason.ts'

const failed = (code: string): Error => Object.assign(new Error('as Postgres says it'), { code })

test.each([
  [
    'ECONNREFUSED',
    /cannot be reached: check that it is running and that DATABASE_URL \(of a panel: PANEL_DATABASE_URL\) has its address/,
  ],
  [
    '28P01',
    /check user and password in DATABASE_URL .*PANEL_DATABASE_URL.* or DATABASE_OWNER_URL .*PANEL_DATABASE_OWNER_URL/,
  ],
  ['3D000', /create it \(CREATE DATABASE\), or correct DATABASE_URL \(of a panel: PANEL_DATABASE_URL\)/],
  ['42501', /Set DATABASE_OWNER_URL .*PANEL_DATABASE_OWNER_URL\) to .*"daybook migrate" \("daybook panel migrate"\)/],
])('%s is told with the variables of either service, and what Postgres said', (code, says) => {
  expect(reasonOf(failed(code))).toMatch(says)
  expect(reasonOf(failed(code))).toMatch(/ \(as Postgres says it\)$/)
})

test('of several failures the first is told', () => {
  expect(reasonOf(new AggregateError([failed('ECONNREFUSED'), new Error('second')]))).toMatch(/cannot be reached/)
})

test('a bug is shown with its stack, what was written for people is not', () => {
  expect(reasonOf(new TypeError('x is not a function'))).toMatch(/^TypeError: x is not a function\n +at /)
  expect(reasonOf(new Error('Do this.'))).toBe('Do this.')
})
