/** Holds the breaks by hand to the source: each fits the function that it names, and they stay few. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutantByHand } from '../../scripts/mutants/by-hand.ts'
import { mutated } from '../../scripts/mutants/mutant.ts'
import { parseSource } from '../../scripts/mutants/source.ts'
import { BREAKS } from '../mutants/by-hand.ts'
import { PAGE_BREAKS } from '../mutants/pages.ts'

/** What a generated mutant can express is not written. */
const BREAKS_MAX = 150
const ALL = [...BREAKS, ...PAGE_BREAKS]

test('there are few, and each promise has one', () => {
  expect(BREAKS.length).toBeLessThanOrEqual(BREAKS_MAX)
  expect(new Set(ALL.map(({ promise }) => promise)).size).toBe(ALL.length)
})

test('each fits the function, constant or statement that it names, and leaves a text that can be read', () => {
  const wrong = ALL.flatMap((each) => {
    const text = readFileSync(each.file, 'utf8')
    try {
      const broken = mutated(text, mutantByHand(each, text))
      if (!each.file.endsWith('.sql')) parseSource(each.file, broken)
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  })
  expect(wrong).toEqual([])
})

test('each changes something', () => {
  expect(ALL.filter(({ find, replace }) => find === replace)).toEqual([])
})

test('each names a file of tests that there is', () => {
  expect(ALL.filter(({ test: file }) => !existsSync(file))).toEqual([])
})
