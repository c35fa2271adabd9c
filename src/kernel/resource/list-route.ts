/** A list of the rows of one table, in the shape that all lists of a service have. */
import type { SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import { listReply, pagination } from '../http/pagination.ts'
import type { PaginationSpec } from '../http/pagination.ts'
import { route } from '../http/route.ts'
import type { Access, HandlerContext, Route, RouteLine } from '../http/route.ts'
import type { Columns, ReadModel } from '../projections/read-model.ts'

export type RowsOf<Row> = SelectQueryBuilder<Record<string, Row>, string, Row>

/** How a service lists: the parameters that it takes, the reply, and the answer of some rows. */
export interface ListContract<Query extends z.ZodType = z.ZodType> {
  readonly query: Query
  readonly reply: (item: z.ZodType) => z.ZodType
  /** @param shown turns the rows of one page into items */
  readonly answer: <Row extends object, Item extends object>(
    rows: RowsOf<Row>,
    query: z.output<Query>,
    shown: (rows: readonly Row[]) => Promise<readonly Item[]>,
    newest?: readonly string[],
  ) => Promise<unknown>
}

/** By page or by cursor, as pagination.ts says. */
export function paginatedLists<Filters extends z.ZodRawShape>(spec: PaginationSpec<Filters>) {
  const { query, list } = pagination(spec)
  const contract: ListContract<typeof query> = {
    query,
    reply: listReply,
    async answer<Row extends object, Item extends object>(
      rows: RowsOf<Row>,
      asked: z.output<typeof query>,
      shown: (rows: readonly Row[]) => Promise<readonly Item[]>,
    ) {
      const page = await list<Row>(rows, asked)
      return { ...page, items: await shown(page.items) }
    },
  }
  return contract
}

/** The lists without filters. */
export const newestFirst = paginatedLists({ filters: {}, sort: ['createdAt'] })

export interface ListRouteSpec<Row, Item extends z.ZodType = z.ZodType, Params = unknown, Query = unknown> {
  readonly does: string
  readonly access: Access
  /** The reply schema of one row. */
  readonly item: Item
  /** Of all rows those that are listed. Default: all. */
  readonly only?: (rows: RowsOf<Row>, call: HandlerContext<Params, Query>) => RowsOf<Row>
  /** Turns the rows of one page into items. Default: opens their sealed columns. */
  readonly shown?: (rows: readonly Row[], call: HandlerContext<Params, Query>) => Promise<readonly z.input<Item>[]>
  /** The columns that order the list, descending; the last one is unique. Default: those of the service. */
  readonly newest?: readonly string[]
}

export const listRoute = <
  C extends Columns,
  Row extends object,
  Query extends z.ZodType,
  Item extends z.ZodType,
  Params = unknown,
>(
  line: RouteLine,
  table: ReadModel<C, Row>,
  lists: ListContract<Query>,
  { does, access, item, only = (rows) => rows, shown, newest }: ListRouteSpec<Row, Item, Params, z.output<Query>>,
): Route =>
  route(line, {
    does,
    access,
    query: lists.query,
    reply: lists.reply(item),
    handle(given) {
      const call = given as unknown as HandlerContext<Params, z.output<Query>>
      const rows = only(table.queryIn(call.read).selectAll() as RowsOf<Row>, call)
      const show = (found: readonly Row[]) => (shown ? shown(found, call) : table.open(call.vault, found))
      return lists.answer(rows, call.query, show as (found: readonly Row[]) => Promise<readonly object[]>, newest)
    },
  })
