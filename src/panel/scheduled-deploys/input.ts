/** What requests say about a schedule. */
import { z } from 'zod'
import { moment } from '#kernel/lib/timestamps'
import { uuid } from '#kernel/lib/uuid'
import { changeOf } from '#kernel/resource/change-of'
import { MISSED } from './events.ts'
import type { ScheduleValues } from './events.ts'
import { isCron, timeZoneOf, ZONE } from './next-time.ts'

const cron = z
  .string()
  .max(200)
  .regex(/^ *[\dA-Za-z*,/-]+(?: +[\dA-Za-z*,/-]+){4} *$/, 'must be five fields of cron, such as 30 2 * * 1-5')
  .transform((text) => text.trim().replaceAll(/ +/g, ' '))
  .refine(isCron, 'must be five fields of cron, such as 30 2 * * 1-5')
  .describe('Minute, hour, day, month and weekday, on the clock of the time zone.')

const timezone = z
  .string()
  .max(64)
  .regex(ZONE, 'must be a time zone of the IANA database, such as Europe/Berlin')
  .refine((text) => timeZoneOf(text) !== undefined, 'must be a time zone of the IANA database, such as Europe/Berlin')
  .transform((text) => timeZoneOf(text)!)

const fields = {
  missed: z
    .enum(MISSED)
    .default('ONE')
    .describe('When the panel was down at the time. ONE: it deploys once, later. SKIP: it waits for the next time.'),
  enabled: z.boolean().default(true),
}
const times = { cron, timezone, runAt: moment.describe('The one time at which it deploys, instead of cron.') }

interface Times {
  readonly cron?: string | undefined
  readonly timezone?: string | undefined
  readonly runAt?: string | undefined
}

const isEither = (given: Times): boolean =>
  given.runAt === undefined || (given.cron === undefined && given.timezone === undefined)
const EITHER = 'Send either cron, with its timezone, or runAt'

export const NewSchedule = z
  .strictObject({
    applicationId: uuid,
    cron: times.cron.optional(),
    timezone: times.timezone.optional(),
    runAt: times.runAt.optional(),
    ...fields,
  })
  .refine((body) => isEither(body) && (body.cron ?? body.runAt) !== undefined, EITHER)
  .meta({
    examples: [
      { applicationId: '01890000-0000-7000-8000-000000000001', cron: '30 2 * * 1-5', timezone: 'Europe/Berlin' },
    ],
  })

export const ScheduleChange = changeOf({ ...times, ...fields }).refine(isEither, EITHER)

const DEFAULT_ZONE = 'UTC'

export const valuesOfNew = ({
  cron: text,
  timezone: zone,
  runAt,
  missed,
  enabled,
}: z.output<typeof NewSchedule>): ScheduleValues => ({
  cron: text ?? null,
  timezone: text === undefined ? null : (zone ?? DEFAULT_ZONE),
  runAt: runAt ?? null,
  missed,
  enabled,
})
