/** What is recorded: events, their declarations, and what follows from them. */
import type { Node, ObjectProperty } from 'oxc-parser'
import { withoutElement, withoutStatement } from './edits.ts'
import type { Change, Operator } from './mutant.ts'
import { calleeName, keyName, nameOfEvent, nodesOf, propertiesOf, staticText, textOf } from './source.ts'
import type { Source } from './source.ts'

/** The named properties of the declaration of an event. */
const eventOptions = (source: Source, names: readonly string[]): Change[] =>
  nodesOf(source, 'ObjectExpression').flatMap((object) => {
    const event = nameOfEvent(source, object)
    if (event === undefined) return []
    return propertiesOf(object)
      .filter((property) => names.includes(keyName(property) ?? ''))
      .map((property) => ({
        node: property,
        ...withoutElement(source, property),
        what: `${keyName(property)} of ${event}`,
        terms: [event],
      }))
  })

/** `strict: true` of an event: its effect is no longer waited for. */
export const strict: Operator = (source) => eventOptions(source, ['strict'])

/** A unique constraint that an event takes or releases. */
export const constraint: Operator = (source) => eventOptions(source, ['takes', 'releases'])

/** A sealed field is stored in the clear. */
export const sealed: Operator = (source) =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const [schema] = call.arguments
    if (calleeName(call) !== 'sealed' || call.arguments.length !== 1 || !schema) return []
    const parent = source.parentOf(call)
    const field = parent?.type === 'Property' ? (keyName(parent as ObjectProperty) ?? '') : ''
    const { start, end } = call
    return [{ node: call, start, end, replacement: textOf(source, schema), what: `sealed ${field}`.trim() }]
  })

const VAULT = /(^|\.)vault$/

/** What is erased keeps its key. */
export const erasure: Operator = (source) =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const { callee, start, end } = call
    const isErasure = callee.type === 'MemberExpression' && calleeName(call) === 'erase'
    if (!isErasure || !VAULT.test(textOf(source, callee.object))) return []
    return [{ node: call, start, end, replacement: 'Promise.resolve()', what: 'vault.erase' }]
  })

/** A read that is recorded goes on when that fails, and what records it does not. */
export const audit: Operator = (source) => [...openReads(source), ...recordings(source)]

const openReads = (source: Source): Change[] =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const [run, work] = call.arguments
    if (calleeName(call) !== 'auditedRead' || !run || !work) return []
    const replacement = `${textOf(source, run)}(${textOf(source, work)})`
    return [{ node: call, start: call.start, end: call.end, replacement, what: 'auditedRead', terms: ['fails closed'] }]
  })

const RECORDING = /^record[A-Z]/

const recordings = (source: Source): Change[] =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const name = calleeName(call) ?? ''
    const edit = RECORDING.test(name) ? withoutStatement(source, call) : undefined
    return edit && !textOf(source, edit).startsWith('return') ? [{ node: call, ...edit, what: name }] : []
  })

/** An event, or a decision on another stream, is left out of a unit of work. */
export const record: Operator = (source) =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const name = calleeName(call)
    if (name !== 'appendEvent' && name !== 'decide') return []
    const edit = withoutStatement(source, call)
    if (!edit || textOf(source, edit).startsWith('return')) return []
    const told = name === 'decide' ? staticText(call.arguments[2]) : textOf(source, call.arguments[0] ?? call)
    return [{ node: call, ...edit, what: `${name} ${told ?? ''}`.trim(), terms: [told] }]
  })

const LIST = /^(reactions|timers|\w+Reactions|\w+Timers)$/
/** Whose timers are those of a clock. */
const OTHER_TIMERS = /^src\/kernel\/http\//

/** What follows from events, or happens at its time, does not. */
export const reaction: Operator = (source) =>
  nodesOf(source, 'ArrayExpression').flatMap((list) => {
    if (OTHER_TIMERS.test(source.file) || !isBackground(source, list)) return []
    return list.elements.flatMap((element): Change[] => {
      if (!element || element.type === 'SpreadElement') return []
      const [what] = [textOf(source, element).split(/[\s(]/)[0]!]
      return [
        {
          node: list,
          ...withoutElement(source, element),
          what,
          terms: [what, 'recurringJob'],
        },
      ]
    })
  })

/** The list of a section, or of a constant that is one, also where a function makes it. */
function isBackground(source: Source, list: Node): boolean {
  const parent = source.parentOf(list)
  const holder = parent?.type === 'ArrowFunctionExpression' ? source.parentOf(parent) : parent
  if (holder?.type === 'VariableDeclarator') return holder.id.type === 'Identifier' && LIST.test(holder.id.name)
  return holder?.type === 'Property' && LIST.test(keyName(holder as ObjectProperty) ?? '')
}
