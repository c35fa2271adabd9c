/**
 * A list that is shown takes in what has changed without reading all its pages: the first page, where new records come,
 * and each page that shows a changed record.
 */
import type { Page } from '#api-client/paging'

export interface ShownPage<Item = unknown> extends Page<Item> {
  /** New records that the service lists on this page, and the list does not show until it is asked to. */
  readonly unseen?: number
}

/** What tells the records of a list apart. */
function keyOf(item: unknown): string {
  const { id, position, key } = item as Readonly<Record<string, unknown>>
  const own = id ?? position ?? key
  return typeof own === 'string' || typeof own === 'number' ? String(own) : JSON.stringify(item)
}

/** Pages may overlap after a change; each record is shown once. */
export function recordsIn<Item>(pages: readonly Page<Item>[]): Item[] {
  const all = pages.flatMap(({ items }) => items)
  const [first] = pages
  return pages.length < 2 || !first ? all : [...new Map(all.map((item) => [keyOf(item), item])).values()]
}

/** @param holdsNew new records do not move the others; they are counted */
export function takeIn(pages: readonly ShownPage[], nth: number, fresh: Page<unknown>, holdsNew: boolean): ShownPage {
  const shown = pages[nth]!
  if (shown.items.length === 0) return fresh
  const read = new Map(fresh.items.map((item) => [keyOf(item), item]))
  const known = new Set(pages.flatMap(({ items }) => items.map(keyOf)))
  const both = fresh.items.findLastIndex((item) => known.has(keyOf(item)))
  // What follows the last known record has moved up from the next page, unless the list ends here.
  const isFollower = (at: number): boolean => at > both && both >= 0 && shown.next !== undefined
  const unknown = fresh.items.filter((item, at) => !known.has(keyOf(item)) && !isFollower(at))
  const lastLeft = shown.items.findLastIndex((item) => read.has(keyOf(item)))
  // Behind the last record that both have, new ones have pushed records onto the next page.
  const stays = shown.items.filter((item, at) => read.has(keyOf(item)) || (unknown.length > 0 && at > lastLeft))
  const items = stays.map((item) => read.get(keyOf(item)) ?? item)
  if (holdsNew) return { ...shown, total: fresh.total, items, unseen: unknown.length }
  const own = new Set(shown.items.map(keyOf))
  const inOrder = fresh.items.filter((item) => own.has(keyOf(item)) || unknown.includes(item))
  return { ...shown, total: fresh.total, items: [...inOrder, ...items.filter((item) => !read.has(keyOf(item)))] }
}
