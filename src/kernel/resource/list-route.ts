/** A list of the rows of one table, in the shape that all lists of a service have. */
import type { SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import { listReply, pagination } from '../http/pagination.ts'
import { route } from '../http/route.ts'
import type { Access, HandlerContext, Route, RouteLine } from '../http/route.ts'
import type { Columns, ReadModel } from '../projections/read-model.ts'

/** All rows of a read model, or some of them. */
export type RowsOf<Name extends string, Row> = SelectQueryBuilder<Record<Name, Row>, Name, Row>

/** What the lists of a service order by. */
export interface Listed {
  readonly id: string
  readonly createdAt: string
}

/** How a service lists: the parameters that it takes, the reply, and the answer of some rows. */
export interface ListContract<Query extends z.ZodType = z.ZodType> {
  readonly query: Query
  readonly reply: (item: z.ZodType) => z.ZodType
  /** @param shown turns the rows of one page into items, for example by opening their sealed columns */
  readonly answer: <DB, TB extends keyof DB, Row extends Listed, Item>(
    rows: SelectQueryBuilder<DB, TB, Row>,
    query: z.output<Query>,
    shown: (rows: readonly Row[]) => Promise<readonly Item[]>,
  ) => Promise<unknown>
}

const { query, list } = pagination({ filters: {}, sort: ['createdAt'] })

/** The lists without filters, by page or by cursor as pagination.ts says. */
export const newestFirst: ListContract<typeof query> = {
  query,
  reply: listReply,
  async answer(rows, asked, shown) {
    const page = await list(rows, asked)
    return { ...page, items: await shown(page.items) }
  },
}

export interface ListRouteSpec<Name extends string, Row> {
  readonly does: string
  readonly access: Access
  /** The reply schema of one row. */
  readonly item: z.ZodType
  /** Of all rows those that are listed. Default: all. */
  readonly only?: (rows: RowsOf<Name, Row>, call: HandlerContext) => RowsOf<Name, Row>
}

export const listRoute = <C extends Columns, Row extends Listed, Name extends string, Query extends z.ZodType>(
  line: RouteLine,
  table: ReadModel<C, Row, Name>,
  lists: ListContract<Query>,
  { does, access, item, only = (rows) => rows }: ListRouteSpec<Name, Row>,
): Route =>
  route(line, {
    does,
    access,
    query: lists.query,
    reply: lists.reply(item),
    handle: (call) =>
      lists.answer(
        only(table.queryIn(call.read).selectAll() as RowsOf<Name, Row>, call),
        call.query as z.output<Query>,
        (rows) => table.open(call.vault, rows),
      ),
  })
