/** CSV for spreadsheets: no cell is computed, whatever separator the spreadsheet uses. */
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csv } from '#kernel/lib/csv'
import { cpuMs } from '#test/support/cpu-ms'

const one = (cell: unknown): string => parse(csv([['first', cell]]))[0]![1]!

test.each([
  ['=1+1', "'=1+1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['＝1', "'＝1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠x', "'＠x"],
  [' =1', "' =1"],
  ['\u200b=1', "'\u200b=1"],
  ['"=1"', '\'"=1"'],
  ['\t=1', "\t'=1"],
  ['a;=cmd|x', "a;'=cmd|x"],
  ['a; "@x', 'a;\' "@x'],
  ['a\t=1', "a\t'=1"],
  ['a\r=1', "a\r'=1"],
  ['a\n+1', "a\n'+1"],
  ['a\r\n－1', "a\r\n'－1"],
  ['\n=1', "\n'=1"],
  ['a;;=1', "a;;'=1"],
])('%j is written %j', (cell, written) => expect(one(cell)).toBe(written))

test.each(['plain', 'a=b', 'a;b', 'two\nlines', '2026-01-01T00:00:00.000Z', 'x-y', 'me@here.test', '', 'a;b-c', "'=1"])(
  '%j stays as it is',
  (cell) => expect(one(cell)).toBe(cell),
)

test('numbers are numbers, truths are words, nothing is nothing, the rest is JSON', () => {
  expect(csv([[-5, 1.5, true, false, null, undefined]])).toBe('-5,1.5,true,false,,\n')
  expect(one({ a: -5, b: ['x'] })).toBe('{"a":-5,"b":["x"]}')
  expect(one({ note: 'x;=1' })).toBe('{"note":"x;\'=1"}')
  expect(csv([])).toBe('')
})

const COMPUTED = /^[\p{White_Space}\u200b"]*[=+\-@＝＋－＠]/u

test('no cell of any text is computed, whatever a line is split at', () => {
  const sign = fc.constantFrom(...Array.from('=+-@＝＋－＠;\t\r\n", \'a\u00a0\u200b\u3000'))
  fc.assert(
    fc.property(fc.array(fc.string({ unit: sign, maxLength: 12 }), { minLength: 1, maxLength: 4 }), (cells) => {
      const text = csv([cells])
      const [read] = parse(text, { relax_column_count: true, skip_empty_lines: false })
      expect(read).toHaveLength(cells.length)
      for (const piece of [...read!, ...text.split(/[;\t\r\n]/)]) expect(piece).not.toMatch(COMPUTED)
    }),
  )
})

test('a long cell costs no more than its length', async () => {
  for (const piece of [' ', '\t', ';', '"', '; ', '\u200b'])
    expect(await cpuMs(() => csv([[piece.repeat(500_000)]])), piece).toBeLessThan(1_000)
})
