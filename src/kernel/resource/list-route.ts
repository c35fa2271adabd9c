/** A list of the rows of one table, in the shape that all lists of a service have. */
import type { SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import { listReply, pagination } from '../http/pagination.ts'
import type { PaginationSpec } from '../http/pagination.ts'
import { route } from '../http/route.ts'
import type { Access, HandlerContext, Route, RouteLine } from '../http/route.ts'
import type { Columns, ReadModel } from '../projections/read-model.ts'

/** All rows of a read model, or some of them. */
export type RowsOf<Name extends string, Row> = SelectQueryBuilder<Record<Name, Row>, Name, Row>

/** What the lists of a service order by, unless a list says otherwise. */
export interface Listed {
  readonly id: string
  readonly createdAt: string
}

/**
 * How a service lists: the parameters that it takes, the reply, and the answer of some rows. `Ordered` has the columns
 * that the list orders by.
 */
export interface ListContract<Query extends z.ZodType = z.ZodType, Ordered extends object = Listed> {
  readonly query: Query
  readonly reply: (item: z.ZodType) => z.ZodType
  /** @param shown turns the rows of one page into items, for example by opening their sealed columns */
  readonly answer: <DB, TB extends keyof DB, Row extends Ordered, Item>(
    rows: SelectQueryBuilder<DB, TB, Row>,
    query: z.output<Query>,
    shown: (rows: readonly Row[]) => Promise<readonly Item[]>,
  ) => Promise<unknown>
}

/**
 * Lists by page or by cursor, as pagination.ts says. A table without a column that is sorted or filtered by does not
 * compile with them.
 */
export function paginatedLists<Filters extends z.ZodRawShape, const Sort extends string>({
  filters,
  sort,
}: Pick<PaginationSpec<Filters, Sort, 'id', 'createdAt'>, 'filters' | 'sort'>) {
  const { query, list } = pagination({ filters, sort })
  type Ordered = Listed & Record<Sort, string | number> & Record<keyof Filters, unknown>
  const contract: ListContract<typeof query, Ordered> = {
    query,
    reply: listReply,
    async answer(rows, asked, shown) {
      const page = await list(rows, asked)
      return { ...page, items: await shown(page.items) }
    },
  }
  return contract
}

/** The lists without filters. */
export const newestFirst = paginatedLists({ filters: {}, sort: ['createdAt'] })

export interface ListRouteSpec<
  Name extends string,
  Row,
  Item extends z.ZodType = z.ZodType,
  Params = unknown,
  Query = unknown,
> {
  readonly does: string
  readonly access: Access
  /** The reply schema of one row. */
  readonly item: Item
  /** Of all rows those that are listed. Default: all. */
  readonly only?: (
    rows: RowsOf<Name, Row>,
    call: HandlerContext<Params, Query>,
  ) => RowsOf<Name, Row> | Promise<RowsOf<Name, Row>>
  /** Turns the rows of one page into items. Default: opens their sealed columns. */
  readonly shown?: (rows: readonly Row[], call: HandlerContext<Params, Query>) => Promise<readonly z.input<Item>[]>
}

export const listRoute = <
  C extends Columns,
  Ordered extends object,
  Row extends Ordered,
  Name extends string,
  Query extends z.ZodType,
  Item extends z.ZodType,
  Params = unknown,
>(
  line: RouteLine,
  table: ReadModel<C, Row, Name>,
  lists: ListContract<Query, Ordered>,
  { does, access, item, only = (rows) => rows, shown }: ListRouteSpec<Name, Row, Item, Params, z.output<Query>>,
): Route =>
  route(line, {
    does,
    access,
    query: lists.query,
    reply: lists.reply(item),
    async handle(given) {
      const call = given as unknown as HandlerContext<Params, z.output<Query>>
      const rows = await only(table.queryIn(call.read).selectAll() as RowsOf<Name, Row>, call)
      const show = async (found: readonly Row[]): Promise<readonly unknown[]> =>
        shown ? shown(found, call) : table.open(call.vault, found)
      return lists.answer(rows, call.query, show)
    },
  })
