/**
 * The panel's lists, all of one shape (panel.md 3): `?page&pageSize` together answer {items,total,page,pageSize}; without them an
 * array of the newest is answered. Either way `Total-Count` says how many there are, and `Link` where the next are.
 */
import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import { answer } from '#kernel/http/route'
import type { Answer } from '#kernel/http/route'
import { pageOffset } from '#kernel/http/pagination'
import { wideRead } from '#kernel/projections/wide-reads'
import type { ListContract } from '#kernel/resource/list-route'

const PAGE_SIZE_MAX = 100
const PAGE_MAX = 1_000_000
/** A whole number of the largest pages, so that its next page begins where it is cut. */
const UNPAGED_MAX = 1_000

type Rows = SelectQueryBuilder<any, any, any>

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

const isBothOrNeither = ({ page, pageSize }: any): boolean => (page === undefined) === (pageSize === undefined)

/** The query parameters of a list, its own filters among them. */
export const panelListQuery = <Filters extends z.ZodRawShape>(filters: Filters) =>
  z
    .strictObject({ ...filters, page: wholeNumber(PAGE_MAX), pageSize: wholeNumber(PAGE_SIZE_MAX) })
    .refine(isBothOrNeither, 'page and pageSize only come together')

/** The reply schema of a list. */
export const panelListReply = <Item extends z.ZodType>(item: Item) =>
  z.union([z.array(item), z.object({ items: z.array(item), total: z.int(), page: z.int(), pageSize: z.int() })])

/**
 * @param rows selects and filters what may be seen
 * @param asked the whole parsed query: the link to the next page keeps its filters
 * @param shown makes items of the rows of one page, such as by opening what is sealed
 * @param newest the columns that order the list, descending; the last one is unique
 */
export async function panelList<Row, Item>(
  rows: Rows,
  asked: PageQuery,
  shown: (rows: Row[]) => readonly Item[] | Promise<readonly Item[]>,
  newest: readonly string[] = ['createdAt', 'id'],
): Promise<Answer<Item[] | Page<Item>>> {
  const { page = 1, pageSize = UNPAGED_MAX } = asked
  const before = pageOffset(page, pageSize, 'narrow the list down with its filters')
  const ordered = newest.reduce((query, column) => query.orderBy(column, 'desc'), rows)
  const [found, total] = await wideRead(async (): Promise<[Row[], number]> => {
    const some = (await ordered.limit(pageSize).offset(before).execute()) as Row[]
    return [some, some.length < pageSize && page === 1 ? some.length : await numberOf(rows)]
  })
  const items = [...(await shown(found))]
  const headers = { 'Total-Count': String(total), ...(before + pageSize < total ? { Link: nextPageLink(asked) } : {}) }
  return answer(asked.page === undefined ? items : { items, total, page, pageSize }, 200, headers)
}

const plainQuery = panelListQuery({})

/** The lists without filters. */
export const panelLists: ListContract<typeof plainQuery> = {
  query: plainQuery,
  reply: panelListReply,
  answer: panelList,
}

async function numberOf(rows: Rows): Promise<number> {
  const counted = await rows
    .clearSelect()
    .select((select: any) => select.fn.countAll().as('number'))
    .executeTakeFirstOrThrow()
  return (counted as { number: number }).number
}

/** Relative to what was asked (RFC 8288), so it holds behind any proxy. */
function nextPageLink(asked: PageQuery): string {
  const { page = UNPAGED_MAX / PAGE_SIZE_MAX, pageSize = PAGE_SIZE_MAX } = asked
  const given = Object.entries({ ...asked, page: page + 1, pageSize }).filter(([, value]) => value !== undefined)
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))
  return `<?${query.toString()}>; rel="next"`
}
