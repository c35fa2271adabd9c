/** Which tests are found for a mutant, which mutants a share holds, and that the list of equivalent ones is true. */
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mutantByHand } from '../../scripts/mutants/by-hand.ts'
import { linesOf } from '../../scripts/mutants/changes.ts'
import { chosen, ofDay } from '../../scripts/mutants/choice.ts'
import { EQUIVALENTS } from '../../scripts/mutants/equivalents.ts'
import type { Attempt } from '../../scripts/mutants/mutant.ts'
import { mutantsIn } from '../../scripts/mutants/operators.ts'
import { isFailure, summaryOf } from '../../scripts/mutants/report.ts'
import { parseSource } from '../../scripts/mutants/source.ts'
import { TestFinder } from '../../scripts/mutants/tests.ts'
import type { Outcome } from '../../scripts/mutants/trial.ts'

const DECIDER = "export function join() { if (a) reject('conflict', 'A member of the team', 'ALREADY_MEMBER') }"

/** A test that starts a server is slow, and not run whole before others. */
const SERVER = "import '../../support/serve.ts';"

/** For the refusal of a decider in the section teams, among these files. */
function attempts(files: Readonly<Record<string, string>>): readonly Attempt[] {
  const sources = Object.entries({ 'src/panel/teams/decider.ts': DECIDER, ...files }).map(([file, text]) =>
    parseSource(file, text),
  )
  return new TestFinder(sources).attemptsFor(mutantsIn([sources[0]!])[0]!)
}

test('the tests that speak of the code come first, by their names, and then their file whole', () => {
  const found = attempts({
    'test/panel/users/users.test.ts': `test('something else entirely', () => {})`,
    'test/panel/teams/teams.test.ts': `${SERVER} test('is added once, and again', () => { a('ALREADY_MEMBER') }); test('another', () => {})`,
  })
  expect(found).toEqual([
    { test: 'test/panel/teams/teams.test.ts', names: ['is added once, and again'] },
    { test: 'test/panel/teams/teams.test.ts' },
  ])
})

test('of a name that changes, what does not is kept', () => {
  const [first] = attempts({
    'test/panel/teams/teams.test.ts':
      SERVER + "test.each(all)('refuses again $name', () => a('ALREADY_MEMBER')); test('another', () => {})",
  })
  expect(first).toEqual({ test: 'test/panel/teams/teams.test.ts', names: ['refuses again '] })
})

test('tests of the section, of what imports the module, and of fixtures that speak of it are found as well', () => {
  const found = attempts({
    'src/panel/workflows/erase.ts': "import { join } from '../teams/decider.ts'",
    'src/panel/users/routes.ts': "import { erase } from '../workflows/erase.ts'",
    'test/support/panel/table.ts': "export const codes = ['ALREADY_MEMBER']",
    'test/panel/teams/teams.test.ts': "test('a', () => {})",
    'test/panel/users/users.test.ts': "test('b', () => {})",
    'test/panel/access/matrix.test.ts': "import { codes } from '../../support/panel/table.ts'",
    'test/panel/roles/roles.test.ts': "test('c', () => {})",
  })
  expect(found.map((each) => each.test).toSorted()).toEqual([
    'test/panel/access/matrix.test.ts',
    'test/panel/teams/teams.test.ts',
    'test/panel/users/users.test.ts',
  ])
})

test('of a slow file elsewhere, the tests are found that have words of the mutant, or expect what it says', () => {
  const found = attempts({
    'test/kernel/jobs/jobs.test.ts': `${SERVER}
      test('whoever is a member already is not added', () => { add(member).already() })
      test('something else entirely', () => {})`,
    'test/kernel/http/http.test.ts': `${SERVER}
      test('an unlike name for it', () => { expect(said).toContain('A member of') })`,
  })
  expect(found.slice(0, 2)).toEqual([
    { test: 'test/kernel/http/http.test.ts', names: ['an unlike name for it'] },
    { test: 'test/kernel/jobs/jobs.test.ts', names: ['whoever is a member already is not added'] },
  ])
})

test('a guard is spoken of by the words of the refusal that it calls', () => {
  const text = "function refuseGuest() { reject('conflict', 'No', 'GUEST_CODE') }\nfunction join() { refuseGuest() }"
  const guards = mutantsIn([parseSource('src/panel/a.ts', text)]).filter(({ operator }) => operator === 'guard')
  expect(guards.map(({ terms }) => terms)).toEqual([expect.arrayContaining(['refuseGuest', 'GUEST_CODE'])])
})

test('tests of the other service are none', () => {
  expect(attempts({ 'test/licensing/staff/staff.rules.test.ts': "test('x', () => a('ALREADY_MEMBER'))" })).toEqual([])
})

const CODE = Array.from({ length: 200 }, (_, nth) => `function f${nth}() { reject('conflict', 'No', 'CODE_${nth}') }`)
const many = mutantsIn([parseSource('src/panel/a.ts', CODE.join('\n'))])
const now = new Date('2026-01-01')

test('shares are disjoint, whole, and stay as they are when mutants come', () => {
  const shares = [1, 2, 3].map((nth) => chosen(many, { share: `${nth}/3`, words: [] }, now).map(({ id }) => id))
  expect(shares.flat().toSorted()).toEqual(many.map(({ id }) => id).toSorted())
  for (const share of shares) expect(share.length).toBeGreaterThan(40)
  const fewer = chosen(many.slice(50), { share: '1/3', words: [] }, now).map(({ id }) => id)
  expect(fewer.filter((id) => !shares[0]!.includes(id))).toEqual([])
})

test('each day has a share of its own, and all days together have all', () => {
  const days = Array.from({ length: 7 }, (_, day) => new Date(now.getTime() + day * 86_400_000))
  const ids = days.flatMap((day) => chosen(many, { share: 'today/7', words: [] }, day).map(({ id }) => id))
  expect(ids.toSorted()).toEqual(many.map(({ id }) => id).toSorted())
})

test('a share that is none is refused', () => {
  for (const share of ['0/3', '4/3', '1', 'x/3']) expect(() => chosen(many, { share, words: [] }, now)).toThrow('Say')
})

test('what has changed is told by line', () => {
  const changed = linesOf(
    ['+++ src/a.ts', '@@ -1,2 +3 @@', '@@ -9 +10,3 @@', '+++ src/b.ts', '@@ -4,2 +3,0 @@'].join('\n'),
  )
  expect([...changed]).toEqual([
    [
      'src/a.ts',
      [
        [3, 3],
        [10, 12],
      ],
    ],
  ])
  const lines = chosen(many, { changed: new Map([['src/panel/a.ts', [[3, 5]]]]), words: [] }, now).map(
    ({ line }) => line,
  )
  expect(lines).toEqual([3, 4, 5])
})

describe('of a day', () => {
  const days = (changed?: ReadonlyMap<string, readonly [number, number][]>) =>
    Array.from({ length: 20 }, (_, day) => ofDay(many, changed, new Date(now.getTime() + day * 86_400_000)))

  test('as many are tried each day, until all had their turn', () => {
    const all = days()
    expect(new Set(all.map(({ mutants }) => mutants.length)).size).toBe(1)
    expect(new Set(all.flatMap(({ mutants }) => mutants)).size).toBe(many.length)
  })

  test('some are those that have changed, and their number does not grow with the change', () => {
    const of = (last: number) => days(new Map([['src/panel/a.ts', [[1, last]]]]))
    const isIn = (last: number) => of(last).map(({ mutants }) => mutants.filter(({ line }) => line <= last).length)
    expect(Math.min(...isIn(5))).toBe(5)
    expect(new Set(of(200).map(({ mutants }) => mutants.length))).toEqual(new Set([days()[0]!.mutants.length]))
    expect(of(5)[0]!.lines).toContainEqual(expect.stringMatching(/^declared: \d+ of 200, among them 5 of 5 in changed/))
  })
})

const outcome = (verdict: Outcome['verdict'], mutant = many[0]!): Outcome => ({ mutant, verdict, seconds: 1 })

test('a wide survivor is told and fails no run; a break by hand must be noticed by the test that it names', () => {
  const [wide] = mutantsIn([parseSource('src/panel/b.ts', 'const x = a && b')])
  expect(isFailure([outcome('survived', wide)], [wide!], { equivalents: {} })).toBe(false)
  expect(summaryOf([outcome('survived', wide)], [wide!], { equivalents: {} })).toContain(wide!.id)
  const each = { promise: 'p', file: 'src/a.ts', in: 'x', find: '1', replace: '2', test: 'a.test.ts' }
  const typed = mutantByHand(each, 'const x = 1')
  expect(isFailure([outcome('not covered', typed)], [typed], { equivalents: {} })).toBe(true)
  expect(isFailure([outcome('caught', typed)], [typed], { equivalents: {} })).toBe(false)
})

test('a survivor fails the run, unless it is listed; what is listed must survive and be there', () => {
  const listed = { [many[0]!.id]: 'for a reason' }
  expect(isFailure([outcome('survived')], many, { equivalents: {} })).toBe(true)
  expect(isFailure([outcome('survived')], many, { equivalents: {}, isForgiven: () => true })).toBe(false)
  expect(isFailure([outcome('survived')], many, { equivalents: listed })).toBe(false)
  expect(isFailure([outcome('caught')], many, { equivalents: listed })).toBe(true)
  expect(isFailure([outcome('not covered'), outcome('caught')], many, { equivalents: {} })).toBe(false)
  expect(isFailure([], many, { equivalents: { 'rejection gone': 'for a reason' } })).toBe(true)
  expect(summaryOf([outcome('survived')], many, { equivalents: {} })).toContain(many[0]!.id)
})

test('every mutant of this tree can be parsed by its own, and every entry of the list is one', () => {
  const sources = globSync(['src/**/*.ts', 'projections/**/*.ts']).map((file) =>
    parseSource(file, readFileSync(file, 'utf8')),
  )
  const ids = new Set(mutantsIn(sources).map(({ id }) => id))
  expect(Object.keys(EQUIVALENTS).filter((id) => !ids.has(id))).toEqual([])
  for (const [id, why] of Object.entries(EQUIVALENTS)) expect(why, id).toMatch(/\w{3}.*\.$/s)
})
