/**
 * Lists, all in one format. `?page&pageSize` returns {items,total,page,pageSize}, `?cursor&limit`
 * returns {items,nextCursor}. Further parameters: field filters, `sort=-createdAt`, `createdAfter`,
 * `createdBefore` and, for searchable lists, `q`. Ids (UUIDv7) break ties, so a cursor neither repeats
 * nor skips a row that existed at the start.
 */
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

type Rows = SelectQueryBuilder<any, any, any>

export interface PaginationSpec<Filters extends z.ZodRawShape> {
  /**
   * Query parameter → its schema. The parameter is compared with the column of that name, unless
   * `filter` has an entry for it.
   */
  readonly filters: Filters
  /** Sortable columns, none nullable. The default order is by the first, descending. */
  readonly sort: readonly [string, ...string[]]
  /** The unique column that breaks ties. */
  readonly tie?: string
  /** The column that createdAfter and createdBefore compare. */
  readonly created?: string
}

const wholeNumber = (most: number) => z.coerce.number().int().min(1).max(most)

export function pagination<Filters extends z.ZodRawShape>(spec: PaginationSpec<Filters>) {
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
  async function list<Item>(
    rows: Rows,
    asked: z.output<typeof query>,
    filter: Partial<Record<string, (rows: Rows, value: any) => Rows>> = {},
  ) {
    const ask = asked as Record<string, any>
    if (ask['cursor'] !== undefined && ask['page'] !== undefined)
      reject('invalid', 'Use page and pageSize, or cursor and limit, not both')
    let filtered = rows
    for (const name of Object.keys(spec.filters)) {
      const value = ask[name]
      if (value === undefined) continue
      const known = filter[name]
      filtered = known ? known(filtered, value) : filtered.where(name, '=', value)
    }
    if (ask['createdAfter']) filtered = filtered.where(created, '>', ask['createdAfter'])
    if (ask['createdBefore']) filtered = filtered.where(created, '<', ask['createdBefore'])
    const descending = ask['sort'].startsWith('-')
    const column = ask['sort'].replace(/^-/, '')
    const direction = descending ? 'desc' : 'asc'
    const ordered = filtered.orderBy(column, direction).orderBy(tie, direction)
    return wideRead(async () =>
      ask['cursor'] !== undefined || ask['limit'] !== undefined
        ? listByCursor<Item>(ordered, ask, { column, tie, descending })
        : listByPage<Item>(filtered, ordered, ask),
    )
  }

  return { query, list }
}

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

async function listByPage<Item>(filtered: Rows, ordered: Rows, ask: Record<string, any>) {
  const page: number = ask['page'] ?? 1
  const pageSize: number = ask['pageSize'] ?? PAGE_SIZE_USUAL
  const before = pageOffset(page, pageSize, 'use cursor and limit instead')
  const items = (await ordered.limit(pageSize).offset(before).execute()) as Item[]
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

async function listByCursor<Item>(ordered: Rows, ask: Record<string, any>, order: SortOrder) {
  const limit: number = ask['limit'] ?? PAGE_SIZE_USUAL
  const after = ask['cursor'] === undefined ? ordered : afterCursor(ordered, ask['cursor'], ask['sort'], order)
  const found = (await after
    .limit(limit + 1)
    .execute()
    .catch(refuseForgedCursor)) as Record<string, unknown>[]
  const items = found.slice(0, limit)
  const last = items.at(-1)
  const nextCursor =
    found.length > limit && last ? encodeCursor(ask['sort'], [last[order.column], last[order.tie]]) : null
  return { items: items as Item[], nextCursor }
}

function afterCursor(ordered: Rows, cursor: string, sort: string, { column, tie, descending }: SortOrder): Rows {
  const [value, id] = decodeCursor(cursor, sort)
  const than = descending ? '<' : '>'
  return ordered.where((is: any) => is(is.refTuple(column, tie), than, is.tuple(value, id)))
}

const encodeCursor = (sort: string, place: unknown[]): string =>
  Buffer.from(JSON.stringify([sort, ...place])).toString('base64url')

const CursorTuple = z.tuple([z.string(), z.union([z.string(), z.number()]), z.union([z.string(), z.number()])])

function decodeCursor(cursor: string, sort: string): [string | number, string | number] {
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
