/** The effective configuration: the environment's value, else the administrators' value, else the default. */
import { requiredService } from '#kernel/lib/services'
import { parseSender, formatSender } from '#kernel/mail/mail'
import type { Sender } from '#kernel/mail/mail'
import type { MailSettingsProvider, MailSettings } from '#kernel/mail/mail-settings'
import { smtpFieldsOf, smtpServerOf } from '#kernel/mail/smtp-fields'
import type { SmtpServer } from '#kernel/mail/smtp-url'
import { PASSWORD_MASK } from './decider.ts'
import type { Config, MailConfig } from './decider.ts'

const USUAL_NOTIFICATION_DAYS = 90
const USUAL_TELEMETRY_DAYS = 365

/** The same in every process of the installation. */
export interface EnvironmentConfig {
  readonly smtp?: SmtpServer | undefined
  readonly from?: Sender | undefined
  readonly panelUrl?: string | undefined
  /** Apply if neither the environment nor an administrator sets a value. */
  readonly defaults: {
    readonly from?: Sender | undefined
    readonly panelUrl: string
    /** Folder that keeps the mails of an evaluation installation. */
    readonly mailFolder?: string | undefined
  }
  /** Non-public addresses that a mail server set by administrators may have. */
  readonly mailAllow: readonly string[]
}

export interface PanelConfiguration {
  readonly environment: EnvironmentConfig
  /** Values set by administrators, up to now, in any process. */
  decided(): Promise<Config>
}

export const configuration = requiredService<PanelConfiguration>('panel configuration')

/** The readable part of a mail server, whether the environment or an administrator set it. */
export const maskedServer = (server: SmtpServer): Omit<MailConfig, 'from'> => ({
  ...smtpFieldsOf(server),
  password: server.auth ? PASSWORD_MASK : null,
})

/** Applies the outbound policy, because an administrator's server must not reach the operator's network. */
const adminServer = ({ host, ...mail }: MailConfig, allow: readonly string[]): SmtpServer | undefined =>
  host === null ? undefined : { ...smtpServerOf({ ...mail, host }), outboundPolicy: { allow } }

/** Server and sender come from separate sources. Without both, no mail is sent. */
export function effectiveMail({ smtp, from, defaults, mailAllow }: EnvironmentConfig, { mail }: Config) {
  const decidedFrom = mail.from === null ? undefined : parseSender(mail.from)
  return { smtp: smtp ?? adminServer(mail, mailAllow), from: from ?? decidedFrom ?? defaults.from }
}

export const effectivePanelUrl = ({ panelUrl, defaults }: EnvironmentConfig, { urls }: Config): string =>
  panelUrl ?? urls.panel ?? defaults.panelUrl

export const effectiveRetention = ({ retention: { notificationDays, telemetryDays } }: Config) => ({
  notificationDays: notificationDays ?? USUAL_NOTIFICATION_DAYS,
  telemetryDays: telemetryDays ?? USUAL_TELEMETRY_DAYS,
})

/** The values of the environment, in the form of a reply. */
export const environmentMail = ({ smtp, from }: EnvironmentConfig): Partial<MailConfig> => ({
  ...(smtp && maskedServer(smtp)),
  ...(from && { from: formatSender(from) }),
})

export const configuredMailing =
  ({ environment, decided }: PanelConfiguration): MailSettingsProvider =>
  async (): Promise<MailSettings | undefined> => {
    const { smtp, from } = effectiveMail(environment, await decided())
    if (!from) return undefined
    if (smtp) return { smtp, from }
    const { mailFolder: folder } = environment.defaults
    return folder === undefined ? undefined : { folder, from }
  }
