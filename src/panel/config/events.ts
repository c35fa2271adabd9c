/** Configuration by administrators where the environment sets no value. Null: the default applies. */
import { z } from 'zod'
import { eventsAbout, sealed, stream } from '#kernel/events/event'

/** TLS: encrypted from the first byte. STARTTLS: encrypted before any mail. OPTIONAL: encrypted if offered. */
export const TLS_MODES = ['TLS', 'STARTTLS', 'OPTIONAL'] as const

const days = z.int().nullable()

export const configMailFields = {
  host: z.string().nullable(),
  port: z.int().nullable(),
  tls: z.enum(TLS_MODES).nullable(),
  user: sealed(z.string().nullable()),
  password: sealed(z.string().nullable()),
  /** `Daybook <daybook@example.com>`, or the address alone. */
  from: sealed(z.string().nullable()),
}

const declareEvents = eventsAbout({ configId: z.string() }, () => 'installation')
const events = declareEvents({
  /** Each event holds all values of its part. */
  ConfigMailChanged: {
    fields: configMailFields,
    sentence: ({ host, port }) => `set the mail server to ${host ?? 'none'}${port === null ? '' : `, port ${port}`}`,
  },
  ConfigUrlsChanged: {
    fields: { panel: z.string().nullable() },
    sentence: ({ panel }) => `set the panel’s URL to ${panel ?? 'the usual one'}`,
  },
  ConfigRetentionChanged: {
    fields: { notificationDays: days, telemetryDays: days },
    sentence: ({ notificationDays, telemetryDays }) =>
      `set the retention of notifications to ${describeDays(notificationDays)}, of telemetry to ${describeDays(telemetryDays)}`,
  },
  ConfigMailTested: {
    fields: {
      sent: z.boolean(),
      /** The step that failed. */
      step: z.string().nullable(),
    },
    sentence: ({ sent, step }) => `tested the mail settings: ${sent ? 'sent' : `failed (${step})`}`,
  },
})

const describeDays = (number: number | null): string => (number === null ? 'the usual' : `${number} days`)

/** One stream for the installation, because its values are validated against each other. */
export const configEvents = stream('config', events)
