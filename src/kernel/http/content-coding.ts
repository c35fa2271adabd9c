/** Selects the content coding of a response (RFC 9110, 12.5.3). */
import { weightsIn } from './weights.ts'

/** In the server's order of preference. */
const CODINGS = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof CODINGS)[number]

/** The names in Accept-Encoding (RFC 9110, 8.4.1.3). */
const NAMES: Readonly<Record<Coding, readonly string[]>> = {
  br: ['br'],
  gzip: ['gzip', 'x-gzip'],
  identity: ['identity'],
}
/** The weight of `identity` if the client does not list it: acceptable, but below every listed coding. */
const UNMENTIONED = 0.0001

/**
 * The coding with the highest weight; for equal weights the first of `CODINGS`.
 * The result is `identity` without the header, and also if no coding is acceptable, as the RFC
 * recommends.
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
