/** Whether two fingerprints are of one machine (licensing.md 8). */
import { FINGERPRINT_COMPONENTS } from './events.ts'
import type { FingerprintComponents } from './events.ts'

/** Of the five besides `install`, without which a machine is still the same: it was rebuilt. */
const ENOUGH_WITHOUT_INSTALL = 3

const OTHERS = FINGERPRINT_COMPONENTS.filter((component) => component !== 'install')

const isSame = (
  one: FingerprintComponents,
  other: FingerprintComponents,
  component: keyof FingerprintComponents,
): boolean => one[component] !== undefined && one[component] === other[component]

const likeness = (one: FingerprintComponents, other: FingerprintComponents): number =>
  OTHERS.filter((component) => isSame(one, other, component)).length

/** Nothing is as before but the mark that the panel itself carries. */
export const isOtherHardware = (before: FingerprintComponents, now: FingerprintComponents): boolean =>
  likeness(before, now) === 0

/** The panel with the same mark and something else in common, or on mostly the same hardware; the likest, where there are several. */
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

/** 0: another machine. The mark lies beside the key in what a panel remembers: alone, with another key, it proves no machine. */
function rankOf(one: FingerprintComponents, other: FingerprintComponents): number {
  const others = likeness(one, other)
  if (others > 0 && isSame(one, other, 'install')) return 10 + others
  return others >= ENOUGH_WITHOUT_INSTALL ? others : 0
}

/** What is left of a forgotten customer's fingerprint is none. */
export function parseComponents(json: string): FingerprintComponents {
  return json.startsWith('{') ? (JSON.parse(json) as FingerprintComponents) : {}
}
