/** Changes of values: of constants, of alternatives, of comparisons. They are wide, as those of plain logic are. */
import type { Expression, Node } from 'oxc-parser'
import { withoutElement } from './edits.ts'
import type { Change, Operator } from './mutant.ts'
import { calleeName, isFunction, nodesOf, shortened, textOf } from './source.ts'
import type { Source } from './source.ts'

const CONSTANT = /^[A-Z][A-Z0-9_]*$/

/** Whether a node belongs to the value of a constant that is written in capitals, and to no function within it. */
function isOfConstant(source: Source, node: Node): boolean {
  for (let each: Node | undefined = node; each && !isFunction(each); each = source.parentOf(each))
    if (each.type === 'VariableDeclarator') return each.id.type === 'Identifier' && CONSTANT.test(each.id.name)
  return false
}

/** A number in a constant is doubled; 0 becomes 1. */
export const number: Operator = (source) =>
  nodesOf(source, 'Literal').flatMap((node): Change[] => {
    if (typeof node.value !== 'number' || !isOfConstant(source, node)) return []
    const { start, end } = node
    return [
      { node, start, end, replacement: String(node.value === 0 ? 1 : node.value * 2), what: textOf(source, node) },
    ]
  })

/** An entry of a list in a constant is left out. */
export const entry: Operator = (source) =>
  nodesOf(source, 'ArrayExpression').flatMap((list) => {
    if (!isOfConstant(source, list)) return []
    return list.elements.flatMap((element): Change[] =>
      element
        ? [{ node: list, ...withoutElement(source, element), what: `without ${shortened(source, element)}` }]
        : [],
    )
  })

const replaced = (source: Source, node: Node, by: Node): Change => {
  const { start, end } = node
  return { node, start, end, replacement: `(${textOf(source, by)})`, what: `only ${shortened(source, by)}` }
}

/** Of `a ?? b`, either is always taken. */
export const fallback: Operator = (source) =>
  nodesOf(source, 'LogicalExpression').flatMap((node) => {
    if (node.operator !== '??') return []
    return [replaced(source, node, node.left), replaced(source, node, node.right)]
  })

const isExtreme = ({ callee }: { readonly callee: Expression }): boolean =>
  callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'Math'

/** Of `Math.max(a, b)` and `Math.min(a, b)`, one is always taken. */
export const extreme: Operator = (source) =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const [one, other, ...more] = call.arguments
    const isOfTwo = isExtreme(call) && /^(max|min)$/.test(calleeName(call) ?? '') && more.length === 0
    if (!isOfTwo || !one || !other || one.type === 'SpreadElement') return []
    return [replaced(source, call, one), replaced(source, call, other)]
  })

const OPPOSITE: Readonly<Record<string, string>> = { '===': '!==', '!==': '===' }

/** `===` becomes `!==`. */
export const equality: Operator = (source) =>
  nodesOf(source, 'BinaryExpression').flatMap((node): Change[] => {
    const opposite = OPPOSITE[node.operator]
    if (opposite === undefined) return []
    const start = node.left.end + source.text.slice(node.left.end, node.right.start).indexOf(node.operator)
    const what = shortened(source, node)
    return [{ node, start, end: start + node.operator.length, replacement: opposite, what }]
  })

/** A schema that refuses unknown fields takes them. */
export const loose: Operator = (source) =>
  nodesOf(source, 'CallExpression').flatMap(({ callee }): Change[] => {
    if (callee.type !== 'MemberExpression' || textOf(source, callee) !== 'z.strictObject') return []
    const { start, end } = callee
    return [{ node: callee, start, end, replacement: 'z.looseObject', what: 'loose' }]
  })
