/** Changes of plain logic, wherever it stands. They are many, and some change nothing that can be seen: `--wide` asks for them. */
import type { Expression, Node, Statement } from 'oxc-parser'
import { withoutCall } from './edits.ts'
import type { Change, Operator } from './mutant.ts'
import { calleeName, nodesOf, shortened, textOf } from './source.ts'
import type { Source } from './source.ts'

const replaced = (source: Source, node: Node, by: Expression, dropped: Expression): Change => {
  const { start, end } = node
  return { node, start, end, replacement: `(${textOf(source, by)})`, what: `without ${shortened(source, dropped)}` }
}

/** Of `a && b` and `a || b`, either is dropped. */
export const clause: Operator = (source) =>
  nodesOf(source, 'LogicalExpression').flatMap((node) => {
    if (node.operator === '??') return []
    const { left, right } = node as typeof node & { left: Expression; right: Expression }
    return [replaced(source, node, right, left), replaced(source, node, left, right)]
  })

/** Of `a ? b : c`, one of both is always taken. */
export const branch: Operator = (source) =>
  nodesOf(source, 'ConditionalExpression').flatMap((node) => [
    replaced(source, node, node.alternate, node.consequent),
    replaced(source, node, node.consequent, node.alternate),
  ])

const LEAVES = /^(Return|Continue|Break|Throw)Statement$/

/** `if (a) return b`, and the like, is dropped. */
export const early: Operator = (source) =>
  nodesOf(source, 'IfStatement').flatMap((node) => {
    if (node.alternate || !LEAVES.test(lastOf(node.consequent).type)) return []
    return [{ node, start: node.start, end: node.end, replacement: ';', what: shortened(source, node.test) }]
  })

const lastOf = (statement: Statement): Statement =>
  statement.type === 'BlockStatement' ? (statement.body.at(-1) ?? statement) : statement

/** A statement that is there for its effect is dropped; not a call of `super`. */
export const effect: Operator = (source) =>
  nodesOf(source, 'ExpressionStatement').flatMap((node) => {
    const isSuper = node.expression.type === 'CallExpression' && node.expression.callee.type === 'Super'
    if (isSuper || node.expression.type === 'Literal') return []
    return [{ node, start: node.start, end: node.end, replacement: ';', what: shortened(source, node) }]
  })

const STEPS =
  /^(filter|slice|toSorted|where|orderBy|limit|toLowerCase|toUpperCase|trim|normalize|replaceAll|refine|strict)$/

/** A step of a chain is left out: `rows.filter(…)` becomes `rows`. */
export const step: Operator = (source) =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const name = calleeName(call) ?? ''
    const edit = STEPS.test(name) ? withoutCall(call, source) : undefined
    const given = call.arguments[0]
    const what = given ? `${name} ${shortened(source, given)}` : name
    return edit ? [{ node: call, ...edit, what }] : []
  })
