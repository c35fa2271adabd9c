/** Colours in lines of a log. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainText, styledParts } from '../../src/web/kit/sgr.ts'

const ESC = '\u001B'

test.each([
  ['plain', [['plain', '']]],
  ['', []],
  [
    `${ESC}[31mred${ESC}[0m and not`,
    [
      ['red', 'red'],
      [' and not', ''],
    ],
  ],
  [
    `${ESC}[1;92mok${ESC}[22m still${ESC}[39m off`,
    [
      ['ok', 'bold green'],
      [' still', 'green'],
      [' off', ''],
    ],
  ],
  [
    `${ESC}[38;5;196mx${ESC}[38;2;1;31;33my${ESC}[34mz`,
    [
      ['x', ''],
      ['y', ''],
      ['z', 'blue'],
    ],
  ],
  [`${ESC}[2Kdone${ESC}[?25l`, [['done', '']]],
  [`${ESC}]8;;https://a.test${ESC}\\link${ESC}]8;;${ESC}\\`, [['link', '']]],
  ['a\u0007b\tc\r', [['ab\tc', '']]],
])('%j', (line, parts) => {
  expect(styledParts(line).map(({ text, style }) => [text, style])).toEqual(parts)
})

test('no text that a person can read is lost, and nothing of a terminal is left', () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom(`${ESC}[31m`, `${ESC}[0m`, `${ESC}[1;4;93m`, `${ESC}[2J`))
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const text = pieces.map((each) => (each.startsWith(ESC) ? '' : each)).join('')
      const kept = plainText(pieces.join(''))
      expect(kept).not.toContain(ESC)
      expect(kept).toBe(text.replaceAll(/[^\P{Cc}\t\n]/gu, ''))
    }),
  )
})
