import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimalToMinor, minorToDecimal } from '../../src/web/kit/money.ts'

const CURRENCIES = ['EUR', 'JPY', 'KWD'] as const

test('every amount survives the way to a text and back', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 }),
      fc.constantFrom(...CURRENCIES),
      (minor, currency) => {
        expect(decimalToMinor(minorToDecimal(minor, currency), currency)).toBe(minor)
      },
    ),
  )
})

test.each([
  [1_205, 'EUR', '12.05'],
  [-5, 'EUR', '-0.05'],
  [1_205, 'JPY', '1205'],
  [1_205, 'KWD', '1.205'],
])('%i of %s is written %s', (minor, currency, text) => {
  expect(minorToDecimal(minor, currency)).toBe(text)
})

test.each([
  ['12,5', 'EUR', 1_250],
  [' 12 ', 'EUR', 1_200],
  ['12.345', 'EUR', undefined],
  ['12.5', 'JPY', undefined],
  ['1e3', 'EUR', undefined],
  ['', 'EUR', undefined],
])('“%s” typed as %s is %s', (text, currency, minor) => {
  expect(decimalToMinor(text, currency)).toBe(minor)
})
