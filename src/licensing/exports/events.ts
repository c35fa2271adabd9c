/** Whoever takes everything of a kind with him is remembered, before the first line goes out. */
import { z } from 'zod'
import { event, stream } from '#kernel/events/event'

export const ExportMade = event(
  'ExportMade',
  'exportId',
  { exportId: z.uuid(), resource: z.string(), format: z.enum(['ndjson', 'csv']) },
  ({ resource, format }) => `exported ${resource} as ${format}`,
)

/** One stream an export: nothing is decided on them. */
export const exportEvents = stream('export', [ExportMade])
