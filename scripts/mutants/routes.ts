/** Who may call a route, and what else its declaration promises. */
import type { Expression, Node, ObjectProperty } from 'oxc-parser'
import { withoutElement } from './edits.ts'
import type { Operator } from './mutant.ts'
import { callAround, calleeName, keyName, nodesOf, propertiesOf, staticText, textOf } from './source.ts'
import type { Source } from './source.ts'

/** `change` is of `projectRoutes`. */
const ROUTE = /^(route|change)$/
/** Not `isLimited` and `refuses`, which only describe. */
const OPTIONS = ['guard', 'stepUp', 'shownOnce', 'showAgain', 'evenWhenFull', 'from']

/** `guard`, `stepUp`, `shownOnce` and the like are dropped from a route. */
export const option: Operator = (source) =>
  nodesOf(source, 'ObjectExpression').flatMap((object) => {
    const call = callAround(source, object)
    if (!call || !ROUTE.test(calleeName(call) ?? '')) return []
    return propertiesOf(object)
      .filter((property) => OPTIONS.includes(keyName(property) ?? ''))
      .map((property) => ({
        node: call,
        ...withoutElement(source, property),
        what: keyName(property)!,
        terms: [staticText(call.arguments[0]), keyName(property)],
      }))
  })

/** `view` and `manage` are of declarations that make several routes. */
const ACCESSES = ['access', 'view', 'manage']

/** Found in tests that hold declarations to the table of who may call what, and in those that hold answers to it. */
const EXPECTED = ['access.permission', '/access-table']

/** Keeps the kinds of callers and drops what is asked of them. */
const WEAKEST = '(({ permission: _permission, rule: _rule, ...open }) => open)'

/**
 * What a route's access asks beyond the kind of the caller is dropped: the permission, the role, the rule about the path.
 * @param plain names of accesses that ask for nothing beyond the kind
 */
export const access =
  (plain: ReadonlySet<string>): Operator =>
  (source) => {
    const alsoPlain = new Set([...plainAccesses([source]), ...aliasesOf(source, plain)])
    const own = ownNames(source)
    const isPlain = (value: Expression) =>
      isPlainAccess(value, (name) => plain.has(name) || alsoPlain.has(name) || !own.has(name))
    const ofProjects = nodesOf(source, 'CallExpression').flatMap((call) => {
      const [given] = call.arguments
      if (calleeName(call) !== 'projectRoutes' || !given || isPlain(given as Expression)) return []
      const { start, end } = given
      const replacement = `${WEAKEST}(${textOf(source, given)})`
      return [{ node: call, start, end, replacement, what: 'access', terms: EXPECTED }]
    })
    const ofRoutes = nodesOf(source, 'Property').flatMap((property) => {
      const value = property.value as Expression
      const name = keyName(property as ObjectProperty) ?? ''
      const isRoute = ACCESSES.includes(name) && isDeclared(source, property)
      if (!isRoute || isPlain(value)) return []
      const { start, end } = property
      const replacement = `${name}: ${WEAKEST}(${textOf(source, value)})`
      return [{ node: property, start, end, replacement, what: 'access', terms: EXPECTED }]
    })
    return [...ofProjects, ...ofRoutes]
  }

/** In the declaration of a route or of several, and not in a pattern. */
function isDeclared(source: Source, property: Node): boolean {
  const object = source.parentOf(property)
  if (object?.type !== 'ObjectExpression') return false
  const parent = source.parentOf(object)
  return parent?.type === 'CallExpression' || parent?.type === 'Property'
}

/** The names of constants that are an access of some kinds, with nothing beyond. */
export const plainAccesses = (sources: readonly Source[]): ReadonlySet<string> =>
  new Set(
    sources
      .flatMap((source) => nodesOf(source, 'VariableDeclarator'))
      .flatMap(({ id, init }) => (id.type === 'Identifier' && init && isPlainObject(init) ? id.name : [])),
  )

/** What is not among them is a parameter, and declared by another file. */
const ownNames = (source: Source): ReadonlySet<string> =>
  new Set([
    ...nodesOf(source, 'VariableDeclarator').flatMap(({ id }) => (id.type === 'Identifier' ? id.name : [])),
    ...source.imports.flatMap(({ entries }) => entries.map(({ localName }) => localName.value)),
  ])

/** `import { customer as customerOnly }`. */
const aliasesOf = ({ imports }: Source, names: ReadonlySet<string>): string[] =>
  imports.flatMap(({ entries }) =>
    entries.flatMap(({ importName, localName }) =>
      importName.name !== null && names.has(importName.name) ? localName.value : [],
    ),
  )

const isPlainObject = (value: Expression): boolean => {
  if (value.type !== 'ObjectExpression') return false
  const keys = propertiesOf(value).map(keyName)
  return keys.includes('kinds') && keys.every((key) => key === 'kinds' || key === 'scheme')
}

function isPlainAccess(value: Expression, isKnown: (name: string) => boolean): boolean {
  if (value.type === 'Identifier') return isKnown(value.name)
  // `staff()` asks for no permission; `see.access` is a declaration of another file.
  return value.type === 'MemberExpression' || (value.type === 'CallExpression' && value.arguments.length === 0)
}
