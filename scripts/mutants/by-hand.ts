/** Breaks that are written by hand become mutants: each is found within a function, a constant or a statement that it names. */
import type { Node } from 'oxc-parser'
import type { Mutant } from './mutant.ts'
import { nameOf, parseSource } from './source.ts'
import type { Source } from './source.ts'

/** One promise, one change of the source that breaks it, and the test that must fail then. */
export interface Break {
  readonly promise: string
  readonly file: string
  /**
   * The function, constant, class, method, route or event that holds the text: `append`, or `UnitOfWork > append`. Of SQL, the
   * beginning of the statement.
   */
  readonly in: string
  /** Stands exactly once in there. */
  readonly find: string
  readonly replace: string
  readonly test: string
  /** Part of the tests' full name, `outer > inner > test`; without it the whole file runs. */
  readonly named?: string | undefined
}

export const BY_HAND = 'break'
/** A break by hand that a test in a browser must notice. */
export const OF_PAGES = 'page'

/** A race may not happen in one run. The later runs have no state of the former ones. */
const TRIES = 3

/** @throws Error when the break does not fit the text of its file */
export function mutantByHand(
  { promise, file, in: name, find, replace, test, named }: Break,
  text: string,
  operator = BY_HAND,
): Mutant {
  const { start, end } = onlyOne(regionsOf(file, text, name), `${promise}: ${file} has not one ${name}`)
  const found = placesOf(find, text.slice(start, end))
  const at = start + onlyOne(found, `${promise}: ${name} in ${file} has not one ${JSON.stringify(find)}`)
  return {
    id: `${operator} ${file} ${promise}`,
    operator,
    file,
    line: text.slice(0, at).split('\n').length,
    start: at,
    end: at + find.length,
    replacement: replace,
    terms: [],
    around: '',
    attempts: Array.from({ length: TRIES }, (_, nth) => ({ test, ...(named && { names: [named] }), isFresh: nth > 0 })),
  }
}

function onlyOne<Item>(items: readonly Item[], message: string): Item {
  const [item, ...more] = items
  if (item === undefined || more.length > 0) throw new Error(`${message}: ${items.length} of them`)
  return item
}

interface Region {
  readonly start: number
  readonly end: number
}

function regionsOf(file: string, text: string, name: string): readonly Region[] {
  if (file.endsWith('.sql')) return statementsOf(text, name)
  const source = parseSource(file, text)
  const found = source.nodes
    .filter((node) => isCalled(source, node, name.split(' > ')))
    .map((node) => declarationOf(source, node))
  // `const forget = recurringJob('forget', …)` is one declaration.
  return found.filter((node) => !found.some((other) => other !== node && isWithin(node, other)))
}

/** With `export const` before it. */
function declarationOf(source: Source, node: Node): Node {
  const parent = source.parentOf(node)
  const isAround = parent?.type === 'VariableDeclaration' || parent?.type === 'ExportNamedDeclaration'
  return isAround ? declarationOf(source, parent) : node
}

const isWithin = (inner: Region, outer: Region): boolean => inner.start >= outer.start && inner.end <= outer.end

function isCalled(source: Source, node: Node, names: readonly string[]): boolean {
  if (nameOf(node) !== names.at(-1)) return false
  let left = names.slice(0, -1)
  for (let each = source.parentOf(node); each; each = source.parentOf(each))
    if (left.length > 0 && nameOf(each) === left.at(-1)) left = left.slice(0, -1)
  return left.length === 0
}

/** Up to a semicolon that is in no body of a function. */
const STATEMENT = /(?:\$\$.*?\$\$|[^;])*;/sy

function statementsOf(text: string, beginning: string): Region[] {
  return placesOf(`\n${beginning}`, text).flatMap((place) => {
    STATEMENT.lastIndex = place + 1
    const statement = STATEMENT.exec(text)
    return statement ? [{ start: statement.index, end: STATEMENT.lastIndex }] : []
  })
}

function placesOf(find: string, text: string): number[] {
  const places: number[] = []
  for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + 1)) places.push(at)
  return places
}
