/** A line as a program with its arguments. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { argvIn } from '../../src/web/panel/applications/argv.ts'

test.each([
  ['ls -l  /srv ', ['ls', '-l', '/srv']],
  [`sh -c 'ls | wc -l'`, ['sh', '-c', 'ls | wc -l']],
  [`echo "it's" 'say "no"'`, ['echo', `it's`, 'say "no"']],
  [`--name="a b"c ''`, ['--name=a bc', '']],
  ['a\\ b $HOME *', ['a\\', 'b', '$HOME', '*']],
  ['  ', []],
])('%j', (line, argv) => {
  expect(argvIn(line)).toEqual({ argv, problem: undefined })
})

test.each([`sh -c 'ls`, `say "`, `it's`])('%j has a quote without an end', (line) => {
  expect(argvIn(line).problem).toBeDefined()
})

test('arguments in quotes are read as they are', () => {
  const argument = fc.string().filter((text) => !text.includes("'"))
  fc.assert(
    fc.property(fc.array(argument), (argv) => {
      expect(argvIn(argv.map((each) => `'${each}'`).join(' ')).argv).toEqual(argv)
    }),
  )
})
