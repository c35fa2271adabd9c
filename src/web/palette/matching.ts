/** What a person can go to, and what of it a text may mean. */
import type { Operation } from '#api-client/operation'
import type { PageAction } from '../kit/page-actions.ts'
import type { Pages, PageSpec } from '../page-spec.ts'

export interface Entry {
  /** The heading that it stands under. */
  readonly group: string
  readonly title: string
  /** Shown beside the title, and searched. */
  readonly detail?: string | undefined
  /** Searched only, such as an id. */
  readonly also?: string
  /** Where it leads, or what it begins on the page. */
  readonly to: string | (() => void)
}

/** A page that can be opened without knowing a record: it stands in the navigation, or has keys of its own. */
const isReachable = ({ section, keys }: PageSpec): boolean => section !== undefined || keys !== undefined

export type ReachablePage = readonly [path: string, spec: PageSpec]

export const reachablePages = (pages: Pages, can: (operation: Operation) => boolean): readonly ReachablePage[] =>
  Object.entries(pages).filter(([, spec]) => isReachable(spec) && (!spec.needs || can(spec.needs)))

export const pageEntry = ([path, { title, section }]: ReachablePage): Entry => ({
  group: 'Pages',
  title,
  detail: section || undefined,
  to: path,
})

export const actionEntry = ({ label, of, press }: PageAction): Entry => ({
  group: 'On this page',
  title: label,
  detail: of,
  to: press,
})

/** Small letters without accents. */
const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
const wordsOf = (text: string): readonly string[] => plain(text).split(/\s+/).filter(Boolean)

/** @returns entries that contain every word of the text, the closest first; all of them for an empty text */
export function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = wordsOf(text)
  return entries
    .map((entry) => ({ entry, distance: distanceOf(entry, words) }))
    .filter(({ distance }) => distance !== undefined)
    .toSorted((one, other) => one.distance! - other.distance!)
    .map(({ entry }) => entry)
}

/** @returns undefined if a word is missing */
function distanceOf({ title, detail = '', also = '' }: Entry, words: readonly string[]): number | undefined {
  const own = plain(title)
  if (own.startsWith(words.join(' '))) return 0
  if (words.every((word) => ` ${own}`.includes(` ${word}`))) return 1
  if (words.every((word) => own.includes(word))) return 2
  const all = plain(`${title} ${detail} ${also}`)
  return words.every((word) => all.includes(word)) ? 3 : undefined
}

export type Group = readonly [heading: string, entries: readonly Entry[]]

/** Under their headings; the heading with the closest entry first. Each address stands there once. */
export function grouped(entries: readonly Entry[]): readonly Group[] {
  const once = entries.filter(({ to }, nth) => entries.findIndex((entry) => entry.to === to) === nth)
  return Object.entries(Object.groupBy(once, ({ group }) => group)).map(([heading, of = []]) => [heading, of])
}
