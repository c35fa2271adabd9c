/** The values of a Compose file, before anything is known of their meaning. */
import { parseDocument } from 'yaml'
import { refuseCompose } from './refusals.ts'
import type { Place } from './refusals.ts'

export const COMPOSE_BYTES_MAX = 262_144
const ALIASES_MAX = 100
/** Of the whole file, with all that its aliases repeat. */
const VALUES_MAX = 20_000

/**
 * Reads one YAML document. A `$` is refused, because Compose would put a variable of the host there; `$$` is a `$`.
 * @throws Rejection 400 COMPOSE_REFUSED
 */
export function composeDocument(text: string): unknown {
  if (Buffer.byteLength(text) > COMPOSE_BYTES_MAX) refuseCompose([], 'SIZE', 'it has more than 256 KiB')
  return literal(yamlOf(text), [], { left: VALUES_MAX })
}

function yamlOf(text: string): unknown {
  const document = parseDocument(text, { merge: true, schema: 'core', logLevel: 'error', prettyErrors: false })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) refuseCompose([], 'YAML', `it is not YAML of one document: ${problem.code} at ${problem.pos[0]}`)
  try {
    return document.toJS({ maxAliasCount: ALIASES_MAX })
  } catch (error) {
    if (error instanceof ReferenceError)
      return refuseCompose([], 'ALIASES', 'it has an alias without an anchor, or its aliases repeat too much')
    return refuseCompose([], 'YAML', 'a merge key << needs a mapping')
  }
}

function literal(value: unknown, place: Place, budget: { left: number }): unknown {
  if ((budget.left -= 1) < 0) refuseCompose([], 'SIZE', `it has more than ${VALUES_MAX} values`)
  if (typeof value === 'string') return withoutVariables(value, place)
  if (Array.isArray(value)) return value.map((each, nth) => literal(each, [...place, nth], budget))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !isExtension(name, place))
      .map(([name, each]) => [name, literal(each, [...place, name], budget)]),
  )
}

/** Extensions hold anchors for the rest of the file, and have no meaning themselves. */
const isExtension = (name: string, { length }: Place): boolean =>
  (length === 0 || length === 2) && name.startsWith('x-')

function withoutVariables(text: string, place: Place): string {
  if (text.replaceAll('$$', '').includes('$'))
    refuseCompose(place, 'INTERPOLATION', 'no variable of the host is put in: write $$ for a $')
  return text.replaceAll('$$', '$')
}
