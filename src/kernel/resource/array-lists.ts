/**
 * Lists that are arrays. With `?page&pageSize` the reply is {items,total,page,pageSize}; without them it is an array
 * of the newest rows. `Total-Count` has the total, and `Link` has the next page.
 */
import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import { pageOffset, rowsOf } from '../http/pagination.ts'
import { answer } from '../http/route.ts'
import type { Answer } from '../http/route.ts'
import { countRows } from '../projections/count-rows.ts'
import { sql } from '../projections/read-model.ts'
import { wideRead } from '../projections/wide-reads.ts'
import type { ListContract, Listed } from './list-route.ts'

const PAGE_SIZE_MAX = 100
const PAGE_MAX = 1_000_000
/** A multiple of the largest page size, so that the next page begins where the array ends. */
const UNPAGED_MAX = 1_000

interface Page<Item> {
  items: Item[]
  total: number
  page: number
  pageSize: number
}

interface PageQuery {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
}

const wholeNumber = (most: number) => z.coerce.number().int().min(1).max(most).optional()

const isBothOrNeither = (asked: object): boolean => {
  const { page, pageSize } = asked as PageQuery
  return (page === undefined) === (pageSize === undefined)
}

/** Query parameters of a list, including its own filters. */
export const arrayListQuery = <Filters extends z.ZodRawShape>(filters: Filters) =>
  z
    .strictObject({ ...filters, page: wholeNumber(PAGE_MAX), pageSize: wholeNumber(PAGE_SIZE_MAX) })
    .refine(isBothOrNeither, 'Send page and pageSize together, or neither')

/** Reply schema of a list. */
export const arrayListReply = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), z.object({ items: z.array(item), total: z.int(), page: z.int(), pageSize: z.int() })])

const NEWEST = ['createdAt', 'id'] as const satisfies readonly (keyof Listed)[]

/**
 * @param rows selects and filters the visible rows
 * @param asked the whole parsed query: the link to the next page keeps its filters
 * @param shown turns the rows of one page into items, for example by decrypting sealed fields
 * @param newest the columns that order the list, descending; the last one is unique
 */
export async function arrayList<
  DB,
  TB extends keyof DB,
  Row extends Readonly<Record<Newest, unknown>>,
  Item,
  const Newest extends string = keyof Listed,
>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  asked: PageQuery,
  shown: (rows: Row[]) => readonly Item[] | Promise<readonly Item[]>,
  newest: readonly Newest[] | typeof NEWEST = NEWEST,
): Promise<Answer<Item[] | Page<Item>>> {
  const { page = 1, pageSize = UNPAGED_MAX } = asked
  const before = pageOffset(page, pageSize, 'narrow the list down with its filters')
  const ordered = newest.reduce((query, column) => query.orderBy(sql.ref(column), 'desc'), rows)
  const [found, total] = await wideRead(async (): Promise<[Row[], number]> => {
    const some = await rowsOf(ordered.limit(pageSize).offset(before))
    return [some, some.length < pageSize && page === 1 ? some.length : await countRows(rows)]
  })
  return answerPage([...(await shown(found))], total, asked)
}

/** @param all in the order of the list */
export function arrayOf<Item>(all: readonly Item[], asked: PageQuery): Answer<Item[] | Page<Item>> {
  const { page = 1, pageSize = UNPAGED_MAX } = asked
  const before = (page - 1) * pageSize
  return answerPage(all.slice(before, before + pageSize), all.length, asked)
}

function answerPage<Item>(items: Item[], total: number, asked: PageQuery): Answer<Item[] | Page<Item>> {
  const { page = 1, pageSize = UNPAGED_MAX } = asked
  const isMore = page * pageSize < total
  const headers = { 'Total-Count': String(total), ...(isMore ? { Link: nextPageLink(asked) } : {}) }
  return answer(asked.page === undefined ? items : { items, total, page, pageSize }, 200, headers)
}

/**
 * @param filters query parameters of the list beside those of pages
 * @param newest the columns that order the list, descending; the last one is unique
 */
export function arrayLists<Filters extends z.ZodRawShape, const Newest extends string = keyof Listed>(
  filters: Filters,
  newest?: readonly Newest[],
) {
  const query = arrayListQuery(filters)
  const contract: ListContract<typeof query, Readonly<Record<Newest, unknown>>> = {
    query,
    reply: arrayListReply,
    answer: (rows, asked, shown) => arrayList(rows, asked as PageQuery, shown, newest),
  }
  return contract
}

/** Relative to the request (RFC 8288), so that it works behind any proxy. */
function nextPageLink(asked: PageQuery): string {
  const { page = UNPAGED_MAX / PAGE_SIZE_MAX, pageSize = PAGE_SIZE_MAX } = asked
  const given = Object.entries({ ...asked, page: page + 1, pageSize }).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return `<?${query.toString()}>; rel="next"`
}
