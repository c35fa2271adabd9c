/** Decides whether two fingerprints belong to one machine (licensing.md 8). */
import { FINGERPRINT_COMPONENTS } from './events.ts'
import type { FingerprintComponents } from './events.ts'

/** Matches needed of the five components besides `install`: the machine was rebuilt. */
const ENOUGH_WITHOUT_INSTALL = 3

const OTHERS = FINGERPRINT_COMPONENTS.filter((component) => component !== 'install')

const isSame = (
  one: FingerprintComponents,
  other: FingerprintComponents,
  component: keyof FingerprintComponents,
): boolean => one[component] !== undefined && one[component] === other[component]

const likeness = (one: FingerprintComponents, other: FingerprintComponents): number =>
  OTHERS.filter((component) => isSame(one, other, component)).length

/** Only the panel's own mark matches. */
export const isOtherHardware = (before: FingerprintComponents, now: FingerprintComponents): boolean =>
  likeness(before, now) === 0

/**
 * The instance with the same mark and another match, or with mostly the same hardware; the best
 * match if there are several.
 */
export function mostSimilar<Known extends { readonly fingerprint: FingerprintComponents }>(
  all: readonly Known[],
  fingerprint: FingerprintComponents,
): Known | undefined {
  const ranked = all
    .map((known) => ({ known, rank: rankOf(known.fingerprint, fingerprint) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((one, other) => other.rank - one.rank)
  return ranked[0]?.known
}

/**
 * 0: another machine. The mark is stored beside the panel's key, so without other matches it
 * identifies no machine.
 */
function rankOf(one: FingerprintComponents, other: FingerprintComponents): number {
  const others = likeness(one, other)
  if (others > 0 && isSame(one, other, 'install')) return 10 + others
  return others >= ENOUGH_WITHOUT_INSTALL ? others : 0
}

/** The fingerprint of an erased customer has no components. */
export function parseComponents(json: string): FingerprintComponents {
  return json.startsWith('{') ? (JSON.parse(json) as FingerprintComponents) : {}
}
