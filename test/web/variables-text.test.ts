/** Shared variables as a text, there and back. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { textOfVariables, variablesIn } from '../../src/web/panel/projects/variables-text.ts'

const variable = fc.record({
  name: fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/),
  value: fc.string({ unit: 'binary', maxLength: 60 }),
})

test('variables come back from their text as they were', () => {
  fc.assert(
    fc.property(fc.array(variable), (variables) => {
      expect(variablesIn(textOfVariables(variables))).toEqual({ variables, problem: undefined })
    }),
  )
})

test('a pasted file of variables is read, without its comments and empty lines', () => {
  const { variables, problem } = variablesIn(
    '# of the harbor\n\nURL = postgres://x?a=b\nEMPTY=\n  QUOTED="two\\nlines"\n',
  )
  expect(problem).toBeUndefined()
  expect(variables).toEqual([
    { name: 'URL', value: 'postgres://x?a=b' },
    { name: 'EMPTY', value: '' },
    { name: 'QUOTED', value: 'two\nlines' },
  ])
})

test.each(['A=1\nno equals sign', 'A=1\nB="open', 'A=1\nB="closed" too early', 'A=1\nTWO WORDS=x'])(
  'the first line that cannot be read is named: %j',
  (text) => {
    const { variables, problem } = variablesIn(text)
    expect(variables).toEqual([{ name: 'A', value: '1' }])
    expect(problem).toContain('Line 2')
  },
)
