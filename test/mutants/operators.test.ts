/** Each operator, on a text of its own: what it takes away, and what is left. */
import { describe, expect, test } from 'vitest'
import { branch, clause, early, effect, step } from '../../scripts/mutants/logic.ts'
import { mutantsOf, mutated } from '../../scripts/mutants/mutant.ts'
import type { Operator } from '../../scripts/mutants/mutant.ts'
import { isWide, mutantsIn } from '../../scripts/mutants/operators.ts'
import { gate, handler, where } from '../../scripts/mutants/reads.ts'
import { audit, constraint, erasure, reaction, record, sealed, strict } from '../../scripts/mutants/records.ts'
import { bound, guard, rejection } from '../../scripts/mutants/refusals.ts'
import { access, option } from '../../scripts/mutants/routes.ts'
import { parseSource } from '../../scripts/mutants/source.ts'
import { entry, equality, extreme, fallback, loose, number } from '../../scripts/mutants/values.ts'

const FILE = 'src/panel/teams/example.ts'

/** The texts that an operator makes of one, which all can be parsed. */
function texts(operator: Operator, text: string): string[] {
  const made = mutantsOf(parseSource(FILE, text), 'x', operator).map((mutant) => mutated(text, mutant))
  for (const each of made) expect(() => parseSource(FILE, each)).not.toThrow()
  return made
}

const CASES: readonly [name: string, operator: Operator, text: string, mutants: readonly string[]][] = [
  ['a refusal that is a statement', rejection, "if (a) reject('conflict', 'No', 'TAKEN')\nb()", ['if (a) ;\nb()']],
  [
    'a refusal that is returned',
    rejection,
    'const f = () => { if (a) return reject(); b() }',
    ['const f = () => { if (a) ; b() }'],
  ],
  ['a refusal that is thrown', rejection, "if (a) throw new Rejection('conflict', 'No')", ['if (a) ;']],
  ['a refusal in place of a value', rejection, 'const x = a ?? reject()', ['const x = (a)']],
  ['a refusal as a branch', rejection, 'const x = a ? reject() : b', ['const x = (b)']],
  ['all that a function does', rejection, 'const no = () => reject()', ['const no = () => undefined']],
  ['a guard', guard, 'await mustOwn(team)\nconst x = mustOwn(team)', [';\nconst x = mustOwn(team)']],
  ['a guard whose result is returned', guard, 'const f = () => { return mustOwn(team) }', []],
  ['a guard that never returns', guard, 'const f = () => { return rejectAll() }', ['const f = () => { ; }']],
  ['what must be there', guard, 'found(team)\nuse(found(team))', [';\nuse(found(team))']],
  ['a bound', bound, 'if (all.length >= MEMBERS_MAX) no()', ['if (all.length > MEMBERS_MAX) no()']],
  ['a bound on the left', bound, 'const is = A_MIN<b', ['const is = A_MIN<=b']],
  ['a bound of a schema', bound, 'z.string().max(NAME_MAX)', ['z.string().max(NAME_MAX + 1)']],
  ['no bound', bound, 'const is = a < b || a === B_MAX', []],
  [
    'strictness',
    strict,
    "const E = event('TeamLeft', 'teamId', {}, say, { sealedFor, strict: true })",
    ["const E = event('TeamLeft', 'teamId', {}, say, { sealedFor,  })"],
  ],
  ['strictness of something else', strict, 'new Router({ strict: true })', []],
  [
    'constraints',
    constraint,
    "computedEvent('A', 'id', {}, say, { takes, releases: () => [] })",
    ["computedEvent('A', 'id', {}, say, {  releases: () => [] })", "computedEvent('A', 'id', {}, say, { takes,  })"],
  ],
  ['a sealed field', sealed, 'const about = { name: sealed(z.string()) }', ['const about = { name: z.string() }']],
  ['an erasure', erasure, 'await vault.erase([id]); map.erase(id)', ['await Promise.resolve(); map.erase(id)']],
  ['an audited read', audit, 'await auditedRead(run, (unit) => unit)', ['await run((unit) => unit)']],
  ['a recording', audit, 'await recordExport(run, made)', [';']],
  ['a decision', record, "await unit.decide(teams, id, 'Leave', {})", [';']],
  ['a decision whose result is used', record, "const x = await unit.decide(teams, id, 'Leave', {})", []],
  [
    'a reaction',
    reaction,
    'section({ reactions: [tell, mail] })',
    ['section({ reactions: [ mail] })', 'section({ reactions: [tell, ] })'],
  ],
  ['timers of their own', reaction, 'const billTimers = [renew]', ['const billTimers = []']],
  [
    'the gate',
    gate,
    "const t = readModel('teams').from(e, {}).forGate()",
    ["const t = readModel('teams').from(e, {})"],
  ],
  ['a condition', where, "rows.where('id', '=', id).where('p.ownerId', '=', me)", ["rows.where('id', '=', id)"]],
  ['a handler', handler, 'table.from(events, { TeamLeft: (t) => t.remove({}) })', ['table.from(events, {  })']],
  [
    'a clause',
    clause,
    'if (a && (b || c)) d()',
    ['if ((b || c)) d()', 'if ((a)) d()', 'if (a && ((c))) d()', 'if (a && ((b))) d()'],
  ],
  ['a branch', branch, 'const x = a ? b : c', ['const x = (c)', 'const x = (b)']],
  ['an early end', early, 'for (;;) { if (a) continue; if (b) c() }', ['for (;;) { ; if (b) c() }']],
  ['an effect', effect, 'const x = a(); b()', ['const x = a(); ;']],
  ['a step', step, 'rows.filter(is).map(f)', ['rows.map(f)']],
  [
    'a number',
    number,
    'const DAYS = [2, 0]\nconst days = 3',
    ['const DAYS = [4, 0]', 'const DAYS = [2, 1]'].map((each) => `${each}\nconst days = 3`),
  ],
  ['a number of a function', number, 'const LATER = { at: () => 3 }', []],
  [
    'an entry',
    entry,
    "const WORDS = new Set(['a', 'b'])",
    ["const WORDS = new Set([ 'b'])", "const WORDS = new Set(['a', ])"],
  ],
  ['an alternative', fallback, 'const x = a ?? b', ['const x = (a)', 'const x = (b)']],
  ['an extreme', extreme, 'Math.max(a, b); Math.max(...all)', ['(a); Math.max(...all)', '(b); Math.max(...all)']],
  ['an equality', equality, 'const is = a === b', ['const is = a !== b']],
  ['a strict schema', loose, 'z.strictObject({ a })', ['z.looseObject({ a })']],
  [
    'an option of a route',
    option,
    "route('GET /a', { guard, shownOnce: ['k'], does })",
    ["route('GET /a', {  shownOnce: ['k'], does })", "route('GET /a', { guard,  does })"],
  ],
]

test.each(CASES)('%s', (_name, operator, text, mutants) => {
  expect(texts(operator, text)).toEqual(mutants)
})

describe('access', () => {
  const weakened = (value: string, more = ''): string[] =>
    texts(access(new Set(['session'])), `${more}\nroute('GET /a', { access: ${value} })`)

  test('keeps the kind of the caller and drops the rest', () => {
    const open = '(({ permission: _permission, rule: _rule, ...open }) => open)'
    expect(weakened("staff('plans:view')")).toEqual([`\nroute('GET /a', { access: ${open}(staff('plans:view')) })`])
    expect(weakened('teamOwner', "import { teamOwner } from './access.ts'")).toHaveLength(1)
  })

  test('leaves alone what asks for nothing beyond the kind', () => {
    expect([...weakened('session'), ...weakened('staff()'), ...weakened('see.access')]).toEqual([])
    expect(weakened('mine', 'const mine: Access = { kinds: [USER] }')).toEqual([])
    expect(weakened('own', "import { session as own } from './access.ts'")).toEqual([])
    expect(weakened('mine', 'const mine: Access = { kinds: [USER], rule }')).toHaveLength(1)
    expect(weakened('given'), 'a parameter').toEqual([])
  })
})

describe('an identity', () => {
  const ids = (text: string): string[] =>
    mutantsIn([parseSource(FILE, text)])
      .filter((mutant) => !isWide(mutant))
      .map(({ id }) => id)

  test('names operator, file, what encloses it and what is broken', () => {
    expect(ids("function join() { if (a) reject('conflict', 'No', 'TAKEN') }")).toEqual([
      `rejection ${FILE} join TAKEN`,
    ])
    expect(ids("route('GET /a', { guard, handle() { if (a) reject('conflict', 'No', 'TAKEN') } })")).toEqual([
      `rejection ${FILE} GET /a TAKEN`,
      `option ${FILE} GET /a guard`,
    ])
  })

  test('does not change with lines that come before, and tells two alike apart', () => {
    const text =
      "function join() { if (a) reject('conflict', 'No', 'TAKEN'); if (b) reject('conflict', 'No', 'TAKEN') }"
    const both = [`rejection ${FILE} join TAKEN`, `rejection ${FILE} join TAKEN #2`]
    expect(ids(text)).toEqual(both)
    expect(ids(`const C = 1\n\n${text}`)).toEqual(both)
  })
})
