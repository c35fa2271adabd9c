/**
 * Configuration by administrators where the environment sets no value. Null: not set, and the default
 * applies.
 */
import { z } from 'zod'
import { event, sealed, stream } from '#kernel/events/event'

/**
 * TLS: encrypted from the first byte. STARTTLS: encryption is required before any mail. OPTIONAL:
 * encryption is used if offered.
 */
export const TLS_MODES = ['TLS', 'STARTTLS', 'OPTIONAL'] as const

const days = z.int().nullable()
const configId = z.string()
const sealedForInstallation = { sealedFor: () => 'installation' }

/** Each event holds all values of its part. */
export const ConfigMailChanged = event(
  'ConfigMailChanged',
  'configId',
  {
    configId,
    host: z.string().nullable(),
    port: z.int().nullable(),
    tls: z.enum(TLS_MODES).nullable(),
    user: sealed(z.string().nullable()),
    password: sealed(z.string().nullable()),
    /** `Daybook <daybook@example.com>`, or the address alone. */
    from: sealed(z.string().nullable()),
  },
  ({ host, port }) => `set the mail server to ${host ?? 'none'}${port === null ? '' : `, port ${port}`}`,
  sealedForInstallation,
)

export const ConfigUrlsChanged = event(
  'ConfigUrlsChanged',
  'configId',
  { configId, panel: z.string().nullable() },
  ({ panel }) => `set the panel’s URL to ${panel ?? 'the usual one'}`,
)

export const ConfigRetentionChanged = event(
  'ConfigRetentionChanged',
  'configId',
  { configId, notificationDays: days, telemetryDays: days },
  ({ notificationDays, telemetryDays }) =>
    `set the retention of notifications to ${describeDays(notificationDays)}, of telemetry to ${describeDays(telemetryDays)}`,
)

const describeDays = (number: number | null): string => (number === null ? 'the usual' : `${number} days`)

export const ConfigMailTested = event(
  'ConfigMailTested',
  'configId',
  {
    configId,
    sent: z.boolean(),
    /** The step that failed. */
    step: z.string().nullable(),
  },
  ({ sent, step }) => `tested the mail settings: ${sent ? 'sent' : `failed (${step})`}`,
)

/** One stream for the installation, because its values are validated against each other. */
export const configEvents = stream('config', [
  ConfigMailChanged,
  ConfigUrlsChanged,
  ConfigRetentionChanged,
  ConfigMailTested,
])
