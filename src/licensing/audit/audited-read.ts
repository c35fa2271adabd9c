import type { UnitOfWork } from '#kernel/commands/command-runner'
import type { DataOf } from '#kernel/events/event'
import { StoreUnavailable } from '#kernel/events/store-port'
import type { HandlerContext } from '#kernel/http/route'
import { Rejection } from '#kernel/lib/rejection'
import { ExportMade, exportEvents } from '../exports/events.ts'

/**
 * Records a read before its reply. Fails closed: if the read cannot be recorded, the reply is 503
 * without content.
 */
export async function auditedRead<Result>(
  run: HandlerContext['run'],
  work: (unit: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  try {
    return await run(work)
  } catch (error) {
    throw error instanceof Rejection ? error : new StoreUnavailable(error)
  }
}

/**
 * Called before the first line of an export is sent.
 * @throws Rejection 503 as `auditedRead` does
 */
export const recordExport = (
  run: HandlerContext['run'],
  made: Omit<DataOf<typeof ExportMade>, 'exportId'>,
): Promise<void> =>
  auditedRead(run, async (unit) => {
    const exportId = unit.newId()
    unit.appendEvent(exportEvents, exportId, ExportMade({ exportId, ...made }))
  })
