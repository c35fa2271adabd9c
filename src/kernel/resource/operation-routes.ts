/** The routes of an operation. The first parameter of their paths is the id of the subject, and the last that of the operation. */
import { z } from 'zod'
import type { UnitOfWork } from '../commands/command-runner.ts'
import { route } from '../http/route.ts'
import type { Access, Route, RouteLine } from '../http/route.ts'
import { sql } from '../projections/read-model.ts'
import type { Fields, ValuesOf } from './fields.ts'
import { inputFields } from './input-fields.ts'
import type { InputOf } from './input-fields.ts'
import { listRoute } from './list-route.ts'
import type { ListContract } from './list-route.ts'
import { operationLog } from './operation-log.ts'
import type { OperationTable } from './operation-table.ts'
import type { Operation, OperationRow } from './operation.ts'
import { readRow } from './read-row.ts'

interface OperationRoutesSpec<Of extends Fields, F extends Fields, R extends Fields, Query extends z.ZodType> {
  readonly table: OperationTable<Of, F, R>
  readonly view: Access
  readonly lists: ListContract<Query>
  readonly input?: InputOf<F>
}

const LogLine = z.object({ nth: z.int(), at: z.iso.datetime(), line: z.string() })
const After = z.strictObject({
  after: z.coerce.number().int().min(0).default(0).describe('The number of the last line that you have.'),
})

type Params = Readonly<Record<string, string>>
const subjectIn = (params: unknown): string => Object.values(params as Params)[0]!
const idIn = (params: Params): string => Object.values(params).at(-1)!

export function operationRoutes<
  Noun extends string,
  Of extends Fields,
  F extends Fields,
  R extends Fields,
  Query extends z.ZodType,
>(kind: Operation<Noun, Of, F, R>, { table, view, lists, input = {} }: OperationRoutesSpec<Of, F, R, Query>) {
  type Row = OperationRow<Of, F, R>
  const { fields, row, sealedFor, subjectField } = kind
  // The compiler cannot compare types that are derived from open fields: these two schemas say what they parse.
  const Body = z.strictObject(inputFields(fields, input)) as unknown as z.ZodType<ValuesOf<F>>
  const Reply = z.object({ id: z.uuid(), ...row }) as unknown as z.ZodType<Row, Row>
  const whereIn = (params: Params) => ({ id: idIn(params), [subjectField]: subjectIn(params) }) as Partial<Row>

  return {
    /** For the route that requests one: all but its access and its words. `decide` runs in the unit of work of that route. */
    request: {
      status: 202,
      refuses: [409 as const],
      body: Body,
      reply: Reply,
      async decide(unit: UnitOfWork, of: ValuesOf<Of>, body: ValuesOf<F>): Promise<Row> {
        const asked = kind.requestOf(unit.newId(), of, body)
        await unit.decide(kind, String(of[subjectField]), 'Request', asked)
        return kind.firstRow(asked, unit.at.toISOString())
      },
    },

    list: (line: RouteLine, does: string): Route =>
      listRoute(line, table, lists, {
        does,
        access: view,
        item: Reply,
        only: (rows, { params }) => rows.where(sql.ref(subjectField), '=', subjectIn(params)),
      }),

    read: (line: RouteLine, does: string): Route =>
      route(line, { does, access: view, reply: Reply, handle: (call) => readRow(call, table, whereIn(call.params)) }),

    /** The lines of the log, in order, so that a caller who watches asks for those after the last one. */
    log: (line: RouteLine, does: string): Route =>
      route(line, {
        does,
        access: view,
        query: After,
        reply: z.array(LogLine),
        async handle(call) {
          const row = await readRow(call, table, whereIn(call.params))
          return operationLog(call, row.id, sealedFor(row)).after(call.query.after)
        },
      }),
  }
}
