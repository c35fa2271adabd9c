/**
 * Lists, all in one format. `?page&pageSize` returns {items,total,page,pageSize}, `?cursor&limit`
 * returns {items,nextCursor}. Further parameters: field filters, `sort=-createdAt`, `createdAfter`,
 * `createdBefore` and, for searchable lists, `q`. Ids (UUIDv7) break ties, so a cursor neither repeats
 * nor skips a row that existed at the start.
 */
import { sql } from 'kysely'
import type { SelectQueryBuilder } from 'kysely'
import { z } from 'zod'
import { reject } from '../lib/rejection.ts'
import { timestamp } from '../lib/timestamps.ts'
import { countRows } from '../projections/count-rows.ts'
import { wideRead } from '../projections/wide-reads.ts'

const PAGE_SIZE_MAX = 100
const PAGE_SIZE_USUAL = 25
const PAGE_MAX = 1_000_000
/** In rows. Postgres reads the rows that it skips, so a deep page costs as much as all pages before it. */
const DEPTH_MAX = 100_000

/** A value that a cursor can hold. */
type Place = string | number

export interface PaginationSpec<
  Filters extends z.ZodRawShape,
  Sort extends string,
  Tie extends string,
  Created extends string,
> {
  /**
   * Query parameter → its schema. The parameter is compared with the column of that name, unless
   * `filter` has an entry for it.
   */
  readonly filters: Filters
  /** Sortable columns, none nullable. The default order is by the first, descending. */
  readonly sort: readonly [Sort, ...Sort[]]
  /** The unique column that breaks ties. */
  readonly tie?: Tie
  /** The column that createdAfter and createdBefore compare. */
  readonly created?: Created
}

const wholeNumber = (most: number) => z.coerce.number().int().min(1).max(most)

export function pagination<
  Filters extends z.ZodRawShape,
  const Sort extends string,
  const Tie extends string = 'id',
  const Created extends string = 'createdAt',
>(spec: PaginationSpec<Filters, Sort, Tie, Created>) {
  const { sort: sortable, tie = 'id', created = 'createdAt' } = spec
  const orders = sortable.flatMap((column) => [column, `-${column}`]) as [string, ...string[]]
  const query = z.strictObject({
    ...spec.filters,
    page: wholeNumber(PAGE_MAX).optional(),
    pageSize: wholeNumber(PAGE_SIZE_MAX).optional(),
    cursor: z.string().max(512).optional(),
    limit: wholeNumber(PAGE_SIZE_MAX).optional(),
    sort: z.enum(orders).default(`-${sortable[0]}`),
    createdAfter: timestamp.optional(),
    createdBefore: timestamp.optional(),
  })

  /**
   * @param rows selects the rows that the caller may see
   * @param filter applies parameters that are not a comparison with one column
   */
  async function list<
    DB,
    TB extends keyof DB,
    Item extends Record<Sort | Tie | Created, Place> & Record<Exclude<keyof Filters, Applied>, unknown>,
    Applied extends keyof Filters = never,
  >(
    rows: SelectQueryBuilder<DB, TB, Item>,
    asked: z.output<typeof query>,
    filter?: { readonly [Name in Applied]: Filter<DB, TB, Item, z.output<Filters[Name]>> },
  ) {
    const ask = asked as ListQuery & Readonly<Record<string, unknown>>
    const filters = filter as Readonly<Record<string, Filter<DB, TB, Item, unknown> | undefined>> | undefined
    if (ask.cursor !== undefined && ask.page !== undefined)
      reject('invalid', 'Use page and pageSize, or cursor and limit, not both')
    let filtered = rows
    for (const name of Object.keys(spec.filters)) {
      const value = ask[name]
      if (value === undefined) continue
      const known = filters?.[name]
      filtered = known ? known(filtered, value) : filtered.where(sql.ref(name), '=', value)
    }
    if (ask.createdAfter) filtered = filtered.where(sql.ref(created), '>', ask.createdAfter)
    if (ask.createdBefore) filtered = filtered.where(sql.ref(created), '<', ask.createdBefore)
    const descending = ask.sort.startsWith('-')
    const column = ask.sort.replace(/^-/, '')
    const direction = descending ? 'desc' : 'asc'
    const ordered = filtered.orderBy(sql.ref(column), direction).orderBy(sql.ref(tie), direction)
    return wideRead(async () =>
      ask.cursor !== undefined || ask.limit !== undefined
        ? listByCursor(ordered, ask, { column, tie, descending })
        : listByPage(filtered, ordered, ask),
    )
  }

  return { query, list }
}

/** The parameters of every list. */
interface ListQuery {
  readonly page?: number | undefined
  readonly pageSize?: number | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
  readonly sort: string
  readonly createdAfter?: string | undefined
  readonly createdBefore?: string | undefined
}

type Filter<DB, TB extends keyof DB, Item, Value> = (
  rows: SelectQueryBuilder<DB, TB, Item>,
  value: Exclude<Value, undefined>,
) => SelectQueryBuilder<DB, TB, Item>

/**
 * The number of rows before a page.
 * @param instead what the caller should do, for the message
 * @throws Rejection 400 if there are too many rows to skip
 */
export function pageOffset(page: number, pageSize: number, instead: string): number {
  const before = (page - 1) * pageSize
  if (before > DEPTH_MAX) reject('invalid', `Pages end at row ${DEPTH_MAX}: ${instead}`, 'PAGE_TOO_DEEP')
  return before
}

/** The compiler does not see that Kysely's rows are `Item`s while `Item` is open. */
export const rowsOf = <DB, TB extends keyof DB, Item>(rows: SelectQueryBuilder<DB, TB, Item>) =>
  rows.execute() as Promise<unknown> as Promise<Item[]>

async function listByPage<DB, TB extends keyof DB, Item>(
  filtered: SelectQueryBuilder<DB, TB, Item>,
  ordered: SelectQueryBuilder<DB, TB, Item>,
  { page = 1, pageSize = PAGE_SIZE_USUAL }: ListQuery,
) {
  const before = pageOffset(page, pageSize, 'use cursor and limit instead')
  const items = await rowsOf(ordered.limit(pageSize).offset(before))
  // A page that is not full is the last one, so a search with few results needs no count.
  const isLast = items.length < pageSize && (items.length > 0 || page === 1)
  const total = isLast ? before + items.length : await countRows(filtered)
  return { items, total, page, pageSize }
}

interface SortOrder {
  readonly column: string
  readonly tie: string
  readonly descending: boolean
}

async function listByCursor<DB, TB extends keyof DB, Item extends object>(
  ordered: SelectQueryBuilder<DB, TB, Item>,
  { limit = PAGE_SIZE_USUAL, cursor, sort }: ListQuery,
  order: SortOrder,
) {
  const after = cursor === undefined ? ordered : afterCursor(ordered, cursor, sort, order)
  const found = await rowsOf(after.limit(limit + 1)).catch(refuseForgedCursor)
  const items = found.slice(0, limit)
  const last = items.at(-1) as Readonly<Record<string, unknown>> | undefined
  const nextCursor = found.length > limit && last ? encodeCursor(sort, [last[order.column], last[order.tie]]) : null
  return { items, nextCursor }
}

function afterCursor<DB, TB extends keyof DB, Item>(
  ordered: SelectQueryBuilder<DB, TB, Item>,
  cursor: string,
  sort: string,
  { column, tie, descending }: SortOrder,
) {
  const [value, id] = decodeCursor(cursor, sort)
  const than = descending ? '<' : '>'
  return ordered.where((is) => is(is.refTuple(sql.ref(column), sql.ref(tie)), than, is.tuple(value, id)))
}

const encodeCursor = (sort: string, place: unknown[]): string =>
  Buffer.from(JSON.stringify([sort, ...place])).toString('base64url')

const CursorTuple = z.tuple([z.string(), z.union([z.string(), z.number()]), z.union([z.string(), z.number()])])

function decodeCursor(cursor: string, sort: string): [Place, Place] {
  try {
    const [order, value, id] = CursorTuple.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    if (order === sort) return [value, id]
  } catch {
    // rejected below, as is the cursor of another order
  }
  return refuseCursor()
}

const refuseCursor = (): never =>
  reject('invalid', 'The cursor is not valid for this list and order: start without a cursor', 'BAD_CURSOR')

/**
 * SQLSTATE class 22 (data exception). The other values were validated, so the cursor contains an
 * invalid value.
 */
function refuseForgedCursor(error: unknown): never {
  if (error instanceof Error && 'code' in error && String(error.code).startsWith('22')) refuseCursor()
  throw error
}

/** The reply schema of a list. */
export const listReply = <Item extends z.ZodType>(item: Item) =>
  z.union([
    z.object({ items: z.array(item), total: z.int(), page: z.int(), pageSize: z.int() }),
    z.object({ items: z.array(item), nextCursor: z.string().nullable() }),
  ])
