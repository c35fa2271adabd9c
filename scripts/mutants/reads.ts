/** What read models hold and who sees which of their rows. */
import { withoutCall, withoutElement } from './edits.ts'
import type { Change, Operator } from './mutant.ts'
import { calleeName, keyName, namesAround, nodesOf, propertiesOf, staticText } from './source.ts'

/** A read model that is asked who is let in no longer says so: what takes something away does not wait for it. */
export const gate: Operator = (source) =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const edit = calleeName(call) === 'forGate' ? withoutCall(call, source) : undefined
    return edit ? [{ node: call, ...edit, what: 'forGate', terms: ['forGate'] }] : []
  })

/** Columns that say whose a row is, or whether it still counts. */
const OWNERSHIP = /(^|\.)((owner|project|customer|user|team|staff|subscription|account)Id|status|(revoked|deleted)At)$/

/** A condition on whose a row is, or on its state, is dropped from a read. */
export const where: Operator = (source) =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const column = staticText(call.arguments[0])
    if (calleeName(call) !== 'where' || column === undefined || !OWNERSHIP.test(column)) return []
    const edit = withoutCall(call, source)
    return edit ? [{ node: call, ...edit, what: column, terms: namesAround(source, call).slice(0, 1) }] : []
  })

/** An event no longer changes a read model. */
export const handler: Operator = (source) =>
  nodesOf(source, 'CallExpression').flatMap((call) => {
    const [, handlers] = call.arguments
    if (calleeName(call) !== 'from' || handlers?.type !== 'ObjectExpression') return []
    return propertiesOf(handlers).map((property): Change => {
      const event = keyName(property) ?? 'computed'
      return { node: call, ...withoutElement(source, property), what: event, terms: [event] }
    })
  })
