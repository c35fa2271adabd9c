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
  readonly answer: <Row extends object>(
    rows: RowsOf<Row>,
    query: z.output<Query>,
    open: (rows: readonly Row[]) => Promise<Row[]>,
  ) => Promise<unknown>
}

/** By page or by cursor, as pagination.ts says. */
export function paginatedLists<Filters extends z.ZodRawShape>(spec: PaginationSpec<Filters>) {
  const { query, list } = pagination(spec)
  const contract: ListContract<typeof query> = {
    query,
    reply: listReply,
    async answer<Row extends object>(
      rows: RowsOf<Row>,
      asked: z.output<typeof query>,
      open: (rows: readonly Row[]) => Promise<Row[]>,
    ) {
      const page = await list<Row>(rows, asked)
      return { ...page, items: await open(page.items) }
    },
  }
  return contract
}

/** The lists without filters. */
export const newestFirst = paginatedLists({ filters: {}, sort: ['createdAt'] })

export interface ListRouteSpec<Row> {
  readonly does: string
  readonly access: Access
  /** The reply schema of one row. */
  readonly item: z.ZodType
  /** Of all rows those that are listed. Default: all. */
  readonly only?: (rows: RowsOf<Row>, call: HandlerContext) => RowsOf<Row>
}

export const listRoute = <C extends Columns, Row extends object, Query extends z.ZodType>(
  line: RouteLine,
  table: ReadModel<C, Row>,
  lists: ListContract<Query>,
  { does, access, item, only = (rows) => rows }: ListRouteSpec<Row>,
): Route =>
  route(line, {
    does,
    access,
    query: lists.query,
    reply: lists.reply(item),
    handle: (call) =>
      lists.answer(
        only(table.queryIn(call.read).selectAll() as RowsOf<Row>, call),
        call.query as z.output<Query>,
        (rows) => table.open(call.vault, rows),
      ),
  })
