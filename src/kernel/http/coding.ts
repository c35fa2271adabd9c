/** Which content coding a client takes (RFC 9110, 12.5.3). */

/** In the order in which we would choose. */
const CODINGS = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

const WEIGHTED = /^([^\s;,]+)(?:[ \t]*;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?))?$/i
/** Of plain bytes that a client does not mention: they are acceptable, and less than whatever it does mention. */
const UNMENTIONED = 0.0001

/**
 * The coding that the client gives the most weight; of equal ones the smallest. It is `identity` without the header, and also where
 * nothing is acceptable: the RFC has the server send that rather than nothing.
 */
export function codingFor(acceptEncoding: string | undefined, offered: readonly Coding[]): Coding {
  if (acceptEncoding === undefined) return 'identity'
  const weights = weightsIn(acceptEncoding)
  const weightOf = (coding: Coding): number =>
    weights.get(coding) ?? weights.get('*') ?? (coding === 'identity' ? UNMENTIONED : 0)
  const choices = CODINGS.filter((coding) => offered.includes(coding))
  const [best] = choices.toSorted((one, other) => weightOf(other) - weightOf(one))
  return best !== undefined && weightOf(best) > 0 ? best : 'identity'
}

/** What is no coding with a weight is ignored. */
function weightsIn(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.split(',')) {
    const [, name, weight = '1'] = WEIGHTED.exec(part.trim()) ?? []
    if (name !== undefined) weights.set(name.toLowerCase().replace(/^x-gzip$/, 'gzip'), Number(weight))
  }
  return weights
}
