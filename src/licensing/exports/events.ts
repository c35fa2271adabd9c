/** Every export of a whole collection is recorded before its first line is sent. */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

export const ExportMade = event(
  'ExportMade',
  'exportId',
  { exportId: z.uuid(), resource: z.string(), format: z.enum(['ndjson', 'csv']) },
  ({ resource, format }) => `exported ${resource} as ${format}`,
)

/** One stream per export: no rule depends on them. */
export const exportEvents = stream('export', [ExportMade])
