/** Reads the rows that handlers of a batch need, with one statement for each read model that is `recalling`. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { RecordedEvent } from '../events/store-port.ts'
import { snakeCase } from '../lib/snake-case.ts'
import type { ProjectionTarget, ToProjectedEvent } from './apply-batch.ts'
import type { ReadDatabase } from './read-database.ts'
import type { RowBuffer, TableSchema } from './row-buffer.ts'

interface Batch {
  readonly targets: readonly ProjectionTarget[]
  readonly events: readonly RecordedEvent[]
  readonly project: ToProjectedEvent
}

/** @param database the transaction that writes, or a database whose checkpoints are compared when it is written */
export async function recallRows(
  database: ReadDatabase,
  writes: RowBuffer,
  { targets, events, project }: Batch,
): Promise<void> {
  for (const { model, into } of targets) {
    const fed = model.recall ? events.filter(({ type }) => model.isFedBy(type)) : []
    const wanted = fed.flatMap((event) => model.recall!.rows(project(event)).flatMap((where) => Object.entries(where)))
    const table = model.schema(into)
    const isKnown = ([field, value]: Condition) =>
      table.primaries.includes(field) && writes.find(table, { [field]: value }).length > 0
    const unknown = wanted.filter((condition) => !isKnown(condition))
    if (unknown.length > 0) writes.recall(table, await readRows(database, table, unknown))
  }
}

type Condition = readonly [field: string, value: unknown]

/** One part for each field, because OR would not use the index of either. */
async function readRows(
  database: ReadDatabase,
  { name, columns }: TableSchema,
  wanted: readonly Condition[],
): Promise<Readonly<Record<string, unknown>>[]> {
  const parts = [...Map.groupBy(wanted, ([field]) => field)].map(([field, all]): RawBuilder<unknown> => {
    const values = [...new Set(all.map(([, value]) => value))]
    const type = columns.find((column) => column.field === field)?.kind === 'uuid' ? sql`uuid[]` : sql`text[]`
    return sql`SELECT * FROM ${sql.table(name)} WHERE ${sql.id(snakeCase(field))} = ANY (${values}::${type})`
  })
  const { rows } = await sql<Readonly<Record<string, unknown>>>`${sql.join(parts, sql` UNION ALL `)}`.execute(database)
  return rows
}
