/** What is refused, and up to which bound. */
import type { CallExpression, NewExpression, Node } from 'oxc-parser'
import { withoutBranch, withoutStatement } from './edits.ts'
import type { Edit } from './edits.ts'
import type { Change, Operator } from './mutant.ts'
import { calleeName, namesAround, nodesOf, staticText, textOf } from './source.ts'
import type { Source } from './source.ts'

const isRejection = (node: Node): node is CallExpression | NewExpression =>
  (node.type === 'CallExpression' && calleeName(node) === 'reject') ||
  (node.type === 'NewExpression' && calleeName(node) === 'Rejection')

/** `reject(kind, message, CODE)` and `throw new Rejection(…)`: what was refused goes on. */
export const rejection: Operator = (source) =>
  source.nodes.filter(isRejection).flatMap((call) => {
    const edit = withoutStatement(source, call) ?? withoutBranch(source, call)
    if (!edit) return []
    const [kind, message, code] = call.arguments.map(staticText)
    return [{ node: call, ...edit, what: code ?? kind ?? 'reject', terms: [code, message] }]
  })

const MESSAGES_MAX = 6

/** By function, what it says where it refuses: the tests of `refuseHiddenPlan` speak of PLAN_UNKNOWN. */
export function messagesOf(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const messages = new Map<string, readonly string[]>()
  for (const source of sources)
    for (const node of source.nodes) {
      const [name] = isRejection(node) || isError(node) ? namesAround(source, node) : []
      if (name === undefined) continue
      const texts = (node as CallExpression).arguments.map(staticText).filter((text) => text !== undefined)
      messages.set(name, [...(messages.get(name) ?? []), ...texts].slice(0, MESSAGES_MAX))
    }
  return messages
}

const isError = (node: Node): boolean => node.type === 'NewExpression' && calleeName(node) === 'Error'

/** Functions that return when all is well and reject otherwise. */
const GUARD = /^(reject|refuse|require|must|enforce|validate|verify|check)[A-Z]|^(refuse|found)$/

/** Functions that return nothing, because they always reject. */
const NEVER = /^(reject|refuse)/

/** A call that is there only for what it refuses: the limits of a caller, a right, a fresh proof. */
export const guard: Operator = (source) =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const name = calleeName(call) ?? ''
    const edit = GUARD.test(name) ? withoutStatement(source, call) : undefined
    const terms = [name, ...call.arguments.map(staticText)]
    return edit && !(isResult(source, edit) && !NEVER.test(name)) ? [{ node: call, ...edit, what: name, terms }] : []
  })

/** What is returned, or all that an arrow function does, may be used by its caller. */
const isResult = (source: Source, { start, end, replacement }: Edit): boolean =>
  replacement !== ';' || textOf(source, { start, end }).startsWith('return')

const BOUND = /^[A-Z][A-Z0-9_]*_(MAX|MIN)$/
const OTHER_SIDE: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }

const boundIn = (node: Node): string | undefined =>
  node.type === 'Identifier' && BOUND.test(node.name) ? node.name : undefined

/** `<` beside a constant that ends in _MAX or _MIN becomes `<=`, and a schema's `.max(X_MAX)` takes one more. */
export const bound: Operator = (source) => [...comparisons(source), ...schemaBounds(source)]

const comparisons = (source: Source): Change[] =>
  nodesOf(source, 'BinaryExpression').flatMap((node) => {
    const name = boundIn(node.left) ?? boundIn(node.right)
    const other = OTHER_SIDE[node.operator]
    if (name === undefined || other === undefined) return []
    const between = source.text.slice(node.left.end, node.right.start)
    const start = node.left.end + between.indexOf(node.operator)
    const what = `${node.operator} ${name}`
    return [{ node: node.right, start, end: start + node.operator.length, replacement: other, what, terms: [name] }]
  })

const schemaBounds = (source: Source): Change[] =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const [given] = call.arguments
    const [name, method] = [given && boundIn(given), calleeName(call)]
    if (name === undefined || (method !== 'max' && method !== 'min')) return []
    const replacement = `${name} ${method === 'max' ? '+' : '-'} 1`
    return [{ node: call, start: given!.start, end: given!.end, replacement, what: `${method} ${name}`, terms: [name] }]
  })
