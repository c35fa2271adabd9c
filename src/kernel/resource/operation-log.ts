/**
 * What an operation says while it runs, line by line, for those who watch it. The lines are telemetry and sealed with the key of the
 * subject. The newest thousand of each operation are kept, for 90 days.
 */
import type { Pool } from 'pg'
import { recurringJob } from '../jobs/recurring-job.ts'
import type { Vault } from '../vault/vault.ts'

const LINES_MAX = 1_000
const LINE_CHARACTERS_MAX = 1_000
const DAY_MS = 86_400_000
const KEPT_MS = 90 * DAY_MS

/** The numbers have no gap, so the lines that are too many end `LINES_MAX` before the newest. */
const ADD = `WITH newest AS (SELECT coalesce(max(nth), 0) AS nth FROM telemetry.operation_log WHERE operation_id = $1),
  trimmed AS (DELETE FROM telemetry.operation_log USING newest
    WHERE operation_id = $1 AND operation_log.nth <= newest.nth + 1 - ${LINES_MAX})
  INSERT INTO telemetry.operation_log (operation_id, nth, line) SELECT $1, nth + 1, $2 FROM newest
  ON CONFLICT DO NOTHING`
const AFTER = `SELECT nth, at, line FROM telemetry.operation_log WHERE operation_id = $1 AND nth > $2 ORDER BY nth`
const FORGET = 'DELETE FROM telemetry.operation_log WHERE at < $1'

interface OperationLogDependencies {
  readonly telemetry: Pool
  readonly vault: Vault
}

export interface OperationLine {
  readonly nth: number
  /** RFC 3339. */
  readonly at: string
  readonly line: string
}

/** @param subject whose key seals the lines */
export const operationLog = ({ telemetry, vault }: OperationLogDependencies, operationId: string, subject: string) => ({
  /** Cuts the line after 1,000 characters. Lines are in order if each is awaited. @throws SubjectErased */
  async add(line: string): Promise<void> {
    const text = line.slice(0, LINE_CHARACTERS_MAX).toWellFormed()
    const sealed = await vault.seal(text, { subject, type: 'OperationLog', field: 'line' })
    // Of lines that are added at the same time, one takes the number.
    while ((await telemetry.query(ADD, [operationId, sealed])).rowCount === 0);
  },
  /** The lines with a higher number, in order. */
  async after(nth: number): Promise<OperationLine[]> {
    const { rows } = await telemetry.query<OperationLine>(AFTER, [operationId, nth])
    const open = async (row: OperationLine) => ({
      ...row,
      line: await vault.open(row.line, { subject, field: 'line' }),
    })
    return Promise.all(rows.map(open))
  },
})

/** Of all operations. */
export const forgetOperationLogs = recurringJob('forget-operation-logs', DAY_MS, async ({ telemetry, now }) => {
  await telemetry.query(FORGET, [new Date(now.getTime() - KEPT_MS)])
})
