/** Which content coding a client takes (RFC 9110, 12.5.3). */
import { weightsIn } from './weights.ts'

/** In the order in which we would choose. */
const CODINGS = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

/** As clients call them (RFC 9110, 8.4.1.3). */
const NAMES: Readonly<Record<Coding, readonly string[]>> = {
  br: ['br'],
  gzip: ['gzip', 'x-gzip'],
  identity: ['identity'],
}
/** Of plain bytes that a client does not mention: they are acceptable, and less than whatever it does mention. */
const UNMENTIONED = 0.0001

/**
 * The coding that the client gives the most weight; of equal ones the smallest. It is `identity` without the header, and also where
 * nothing is acceptable: the RFC has the server send that rather than nothing.
 */
export function codingFor(acceptEncoding: string | undefined, offered: readonly Coding[]): Coding {
  if (acceptEncoding === undefined) return 'identity'
  const weights = weightsIn(acceptEncoding)
  const weightOf = (coding: Coding): number => {
    const named = [...NAMES[coding], '*'].find((name) => weights.has(name))
    if (named !== undefined) return weights.get(named)!
    return coding === 'identity' ? UNMENTIONED : 0
  }
  const choices = CODINGS.filter((coding) => offered.includes(coding))
  const [best] = choices.toSorted((one, other) => weightOf(other) - weightOf(one))
  return best !== undefined && weightOf(best) > 0 ? best : 'identity'
}
