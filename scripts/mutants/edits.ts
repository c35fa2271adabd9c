/** The changes that several operators make. */
import type { CallExpression, Expression, Node } from 'oxc-parser'
import { textOf } from './source.ts'
import type { Source } from './source.ts'

export interface Edit {
  readonly start: number
  readonly end: number
  readonly replacement: string
}

/** The whole statement that a call is, `await`, `return` and `void` included; undefined for a call whose result is used. */
function statementOf(source: Source, call: Node): Node | undefined {
  let node = source.parentOf(call)
  while (node?.type === 'AwaitExpression' || (node?.type === 'UnaryExpression' && node.operator === 'void'))
    node = source.parentOf(node)
  return node?.type === 'ExpressionStatement' || node?.type === 'ReturnStatement' || node?.type === 'ThrowStatement'
    ? node
    : undefined
}

/** Takes a call away that is a statement, or all that an arrow function does. */
export function withoutStatement(source: Source, call: Node): Edit | undefined {
  const statement = statementOf(source, call)
  if (statement) return { start: statement.start, end: statement.end, replacement: ';' }
  const parent = source.parentOf(call)
  return parent?.type === 'ArrowFunctionExpression' && parent.body === call
    ? { start: call.start, end: call.end, replacement: 'undefined' }
    : undefined
}

/** Takes away an expression that never ends: of `a ? b : reject(…)` and `b ?? reject(…)` the rest is left. */
export function withoutBranch(source: Source, call: Node): Edit | undefined {
  const parent = source.parentOf(call)
  if (parent?.type === 'ConditionalExpression' && parent.test !== call)
    return replaced(source, parent, parent.consequent === call ? parent.alternate : parent.consequent)
  return parent?.type === 'LogicalExpression' && parent.right === call
    ? replaced(source, parent, parent.left)
    : undefined
}

const replaced = (source: Source, { start, end }: Node, by: Expression): Edit => ({
  start,
  end,
  replacement: `(${textOf(source, by)})`,
})

/** Takes an element out of its list, or a property out of its object, with the comma after it. */
export function withoutElement({ text }: Source, { start, end }: Pick<Node, 'start' | 'end'>): Edit {
  const comma = /^\s*,/.exec(text.slice(end))
  return { start, end: end + (comma?.[0].length ?? 0), replacement: '' }
}

/** `rows.where(…)` becomes `rows`. */
export function withoutCall({ callee, start, end }: CallExpression, source: Source): Edit | undefined {
  if (callee.type !== 'MemberExpression') return undefined
  return { start, end, replacement: textOf(source, callee.object) }
}
