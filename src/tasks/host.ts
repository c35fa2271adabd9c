/** Whether a host can run what a panel asks of it. */
import { z } from 'zod'
import { machineText } from '#kernel/lib/display-text'
import { taskKind } from './kind.ts'

export const HOST_CHECKS = ['ENGINE', 'DISK', 'DATA_ROOT', 'CLOCK'] as const

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export const hostSetup = taskKind('host.setup', 1, {
  payload: z.strictObject({}),
  result: z.strictObject({
    checks: z
      .array(z.strictObject({ name: z.enum(HOST_CHECKS), ok: z.boolean(), detail: machineText(500) }))
      .max(HOST_CHECKS.length),
  }),
  lane: () => 'host',
  pool: 'quick',
  // It tells of an engine that is missing, too.
  needs: [],
  deadlineMs: HOUR_MS,
  runMs: () => MINUTE_MS,
  attempts: 1,
  retryOn: [],
  onRestart: 'repeat',
  shows: ['checks'],
})
