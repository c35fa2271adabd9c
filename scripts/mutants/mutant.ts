/** One change of the source that breaks a promise, and what tells it from all others. */
import { createHash } from 'node:crypto'
import type { Node } from 'oxc-parser'
import { namedAround, namesAround, textOf } from './source.ts'
import type { Source } from './source.ts'

/** What is run of a test file: the tests whose names hold one of these, or all. */
export interface Attempt {
  readonly test: string
  readonly names?: readonly string[]
  /** In a process that has run no other tests. */
  readonly isFresh?: boolean
}

/** What an operator finds: a piece of the text and what stands there instead. */
export interface Change {
  readonly node: Node
  readonly start: number
  readonly end: number
  readonly replacement: string
  /** What is broken, such as the code of a refusal. Beside the enclosing names it tells changes of a file apart. */
  readonly what: string
  /** Words by which tests speak of it: a code, a message, an event, a route. */
  readonly terms?: readonly (string | undefined)[]
}

export type Operator = (source: Source) => readonly Change[]

export interface Mutant {
  /** `rejection src/panel/teams/decider.ts AddTeamMember TOO_MANY`: the same for as long as the code keeps its names. */
  readonly id: string
  readonly operator: string
  readonly file: string
  readonly line: number
  readonly start: number
  readonly end: number
  readonly replacement: string
  readonly terms: readonly string[]
  /** The text of the function or declaration that it changes. */
  readonly around: string
  /** The tests that must notice, where they are written down. */
  readonly attempts?: readonly Attempt[]
}

/** Members that many declarations have, so that they name nothing. */
const PLAIN_NAMES = ['handle', 'guard', 'commands', 'takes', 'releases']

/** Shorter words are in too many tests. */
const TERM_CHARACTERS_MIN = 5

/** The mutants of a module by one operator. Two that are called alike are numbered in the order of the text. */
export function mutantsOf(source: Source, operator: string, find: Operator): Mutant[] {
  const seen = new Map<string, number>()
  return find(source).map(({ node, start, end, replacement, what, terms = [] }) => {
    const names = namesAround(source, node).filter((name) => !PLAIN_NAMES.includes(name))
    const base = [operator, source.file, names[0], what].filter((word) => word !== undefined).join(' ')
    const nth = (seen.get(base) ?? 0) + 1
    seen.set(base, nth)
    return {
      id: nth === 1 ? base : `${base} #${nth}`,
      operator,
      file: source.file,
      line: textOf(source, { start: 0, end: start }).split('\n').length,
      start,
      end,
      replacement,
      around: textOf(source, namedAround(source, node) ?? node),
      terms: [...new Set([...terms, ...names])].filter((term) => term !== undefined && isTelling(term)) as string[],
    }
  })
}

/** A plain word, such as `handle`, stands in tests that are about something else. */
const isTelling = (term: string): boolean =>
  term.length >= TERM_CHARACTERS_MIN && /[a-z][A-Z]|^[A-Z]|[ ._/:]/.test(term)

export const mutated = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end)

const HASH_BITS = 32

/** From 0 to 1, and of the identity alone: a mutant stays in its share when others come and go. */
export const placeOf = ({ id }: Pick<Mutant, 'id'>): number =>
  createHash('sha256').update(id).digest().readUInt32BE() / 2 ** HASH_BITS
