/** Which of several content types a caller likes best (RFC 9110, 12.5.1). */
import { weightsIn } from './weights.ts'

/** @returns the first of `types` where the header Accept likes several of them alike, or none */
export function preferredType<Type extends string>(types: readonly [Type, ...Type[]], accept = '*/*'): Type {
  const weights = weightsIn(accept)
  const [first, ...others] = types
  return others.reduce<Type>((best, type) => (quality(weights, type) > quality(weights, best) ? type : best), first)
}

/** The most specific range that covers a type says how welcome it is. */
const quality = (weights: ReadonlyMap<string, number>, type: string): number =>
  weights.get(type) ?? weights.get(`${type.split('/')[0]}/*`) ?? weights.get('*/*') ?? 0
