/**
 * Checks the list of proofs: every test and break that it names exists, and a listed test notices each listed
 * break.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BREAKS } from '../mutants/by-hand.ts'
import { ATTACK_ROWS } from '../support/attack-rows.ts'
import type { Proof } from '../support/attack-rows.ts'

const ROOT = join(import.meta.dirname, '../..')
const DRILLS = join(ROOT, 'drills')
const SERVICES = ['licensing', 'panel'] as const

test('every row is there, once and in order', () => {
  const rows = [...Array.from({ length: 19 }, (_, nth) => `A${nth + 1}`), 'H11', 'H12', 'D19', 'D20']
  expect(ATTACK_ROWS.map(({ row }) => row)).toEqual(rows)
})

const proofs = ATTACK_ROWS.flatMap(({ row, ...of }) =>
  SERVICES.flatMap((service) => {
    const proof = of[service]
    return 'not' in proof ? [] : [[`${row} of ${service}`, proof] as [string, Proof]]
  }),
)

const namesOf = (file: string): string[] =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/['"`]([^\n]*?)['"`]/g)].map(([, text = '']) => text)

describe.each(proofs)('%s', (_name, { tests, breaks = [], drills = [] }) => {
  const files = tests.map((each) => each.split(' > ')[0]!)

  test('is proven by tests that there are', () => {
    expect(tests.length).toBeGreaterThan(0)
    const missing = tests.filter((each) => {
      const [file = '', name = ''] = each.split(' > ')
      return !existsSync(join(ROOT, file)) || !namesOf(file).some((text) => text.includes(name))
    })
    expect(missing).toEqual([])
  })

  test('has no break that these tests do not notice', () => {
    const found = breaks.map((promise) => BREAKS.filter((each) => each.promise === promise))
    expect(breaks.filter((_promise, nth) => found[nth]!.length === 0)).toEqual([])
    const elsewhere = found.filter((all) => !all.some(({ test: file }) => files.includes(file)))
    expect(elsewhere.map(([first]) => `${first?.promise}: ${first?.test}`)).toEqual([])
  })

  test('names drills that there are', () => {
    const sources = readdirSync(DRILLS).filter((file) => file.endsWith('.ts'))
    const all = sources.map((file) => readFileSync(join(DRILLS, file), 'utf8')).join('\n')
    expect(drills.filter((name) => !all.includes(`  name: '${name}',\n`))).toEqual([])
  })
})
