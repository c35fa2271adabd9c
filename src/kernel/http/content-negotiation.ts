/** Selects the content type that the caller prefers (RFC 9110, 12.5.1). */
import { weightsIn } from './weights.ts'

/**
 * @returns the type with the highest weight in Accept; the first of `types` if weights are equal or no
 * type is listed
 */
export function preferredType<Type extends string>(types: readonly [Type, ...Type[]], accept = '*/*'): Type {
  const weights = weightsIn(accept)
  const [first, ...others] = types
  return others.reduce<Type>((best, type) => (quality(weights, type) > quality(weights, best) ? type : best), first)
}

/** The most specific matching range decides the weight. */
const quality = (weights: ReadonlyMap<string, number>, type: string): number =>
  weights.get(type) ?? weights.get(`${type.split('/')[0]}/*`) ?? weights.get('*/*') ?? 0
