import { expect, test } from 'vitest'
import { isConnectionLost, isUnavailable } from '#kernel/store/outage'

const withCode = (code: string): Error => Object.assign(new Error('x'), { code })

test.each(['08000', '08006', '25P03', '25P04', '57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'])(
  '%s: connection lost',
  (code) => {
    expect(isConnectionLost(withCode(code))).toBe(true)
    expect(isUnavailable(withCode(code))).toBe(true)
  },
)

test.each(['53100', '53300', '58030', '28P01', '3D000', '25006', '55P03', '57014', 'ENOTFOUND'])(
  '%s: not available, yet not lost',
  (code) => {
    expect(isConnectionLost(withCode(code))).toBe(false)
    expect(isUnavailable(withCode(code))).toBe(true)
  },
)

test.each(['23505', '22P02', '42501', '42P01', '25001', '25P02', '5', 'ERR_INVALID_ARG_TYPE'])('%s: a bug', (code) => {
  expect(isUnavailable(withCode(code))).toBe(false)
})

test.each([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout exceeded when trying to connect',
  'Query read timeout',
])('“%s” has no code and is not available', (text) => {
  expect(isUnavailable(new Error(text))).toBe(true)
})

test.each([undefined, null, 'ECONNRESET', { code: '08006' }, new Error('anything')])('%s is a bug', (thrown) => {
  expect(isUnavailable(thrown)).toBe(false)
})
