import { recurringJob } from '#kernel/jobs/recurring-job'
import { configuration, effectiveRetention } from './effective-config.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 86_400_000

/** Deletes the addresses of key uses. The times stay with the keys, because they show which keys are idle. */
const FORGET = [
  'UPDATE telemetry.api_key_use SET last_used_ip = NULL WHERE last_used_at < $1 AND last_used_ip IS NOT NULL',
  'DELETE FROM telemetry.user_session_use WHERE last_used_at < $1',
]

export const deleteLastUses = recurringJob('forget-last-uses', HOUR_MS, async ({ service, telemetry, now }) => {
  const { telemetryDays } = effectiveRetention(await service(configuration).decided())
  const before = new Date(now.getTime() - telemetryDays * DAY_MS).toISOString()
  for (const forget of FORGET) await telemetry.query(forget, [before])
})
