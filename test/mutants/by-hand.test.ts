/** How a break by hand finds its place: within what it names, once. */
import { describe, expect, test } from 'vitest'
import { mutantByHand } from '../../scripts/mutants/by-hand.ts'
import type { Break } from '../../scripts/mutants/by-hand.ts'
import { mutated } from '../../scripts/mutants/mutant.ts'

const FILE = 'src/kernel/store/example.ts'
const TWICE = `const TRIES_MAX = 3
function join() {
  return open(3)
}
class Store {
  append() {
    return this.#write(3)
  }
  #write() {
    return 3
  }
}
class Other {
  append() {
    return 4
  }
}
`

const broken = (text: string, where: Partial<Break>): string => {
  const each = { promise: 'it holds', file: FILE, in: 'join', find: '3', replace: '5', test: 'a.test.ts', ...where }
  return mutated(text, mutantByHand(each, text))
}

/** The numbers that are left, in the order of the text. */
const numbers = (where: Partial<Break>): string => [...broken(TWICE, where).matchAll(/\d/g)].join('')

describe('a text', () => {
  test.each([
    ['a function', 'join', '35334'],
    ['a constant, with the word before its name', 'TRIES_MAX', '53334'],
    ['a private method', '#write', '33354'],
    ['a method of a class', 'Store > append', '33534'],
  ])('is found within %s, wherever else it stands', (_kind, name, left) => {
    expect(numbers({ in: name })).toBe(left)
  })

  test('may begin with the word before the name of a constant', () => {
    expect(numbers({ in: 'TRIES_MAX', find: 'const TRIES_MAX = 3', replace: 'const TRIES_MAX = 1' })).toBe('13334')
  })

  test('stays in its place when lines come before it', () => {
    expect(broken(`const A = 3\n${TWICE}`, {})).toBe(`const A = 3\n${broken(TWICE, {})}`)
  })

  test.each([
    ['a name that nothing has', { in: 'leave' }, 'it holds: src/kernel/store/example.ts has not one leave: 0 of them'],
    ['a name that two have', { in: 'append' }, 'it holds: src/kernel/store/example.ts has not one append: 2 of them'],
    ['a text elsewhere', { find: 'TRIES' }, 'it holds: join in src/kernel/store/example.ts has not one "TRIES": 0 of'],
    [
      'a text that is there twice',
      { in: 'Store', find: '3' },
      'Store in src/kernel/store/example.ts has not one "3": 2',
    ],
  ])('is refused for %s', (_why, where, message) => {
    expect(() => broken(TWICE, where)).toThrow(message)
  })
})

describe('of SQL, a text', () => {
  const file = 'migrations/0001_example.sql'
  const text = `-- One; and another.
CREATE FUNCTION store.append(p text) AS $$ BEGIN one; two; END $$;
CREATE FUNCTION store.append_one(p text) AS $$ BEGIN one; END $$;
REVOKE ALL ON FUNCTION store.append FROM PUBLIC;
`
  const sql = (where: Partial<Break>) => broken(text, { file, ...where })

  test('is found within the statement that begins so, the body of a function included', () => {
    expect(sql({ in: 'CREATE FUNCTION store.append(', find: 'two;', replace: '' })).toBe(text.replace('two;', ''))
    expect(sql({ in: 'CREATE FUNCTION store.append_one', find: 'one; END', replace: 'END' })).toContain('BEGIN END')
    expect(sql({ in: 'REVOKE ALL', find: 'PUBLIC', replace: 'NONE' })).toBe(text.replace('PUBLIC', 'NONE'))
  })

  test('is refused where two statements begin so, or it stands in another', () => {
    expect(() => sql({ in: 'CREATE FUNCTION store.append', find: 'two' })).toThrow('2 of them')
    expect(() => sql({ in: 'REVOKE ALL', find: 'two' })).toThrow('0 of them')
  })
})

test('what may happen by chance has three tries, the later ones in a new process', () => {
  const each = { promise: 'it holds', file: FILE, in: 'join', find: '3', replace: '5', test: 'a.test.ts', named: 'x' }
  const { attempts } = mutantByHand(each, TWICE)
  expect(attempts).toEqual([false, true, true].map((isFresh) => ({ test: 'a.test.ts', names: ['x'], isFresh })))
})
