/** What is configured at this moment: what the environment says, else what administrators have decided, else what is usual. */
import { serviceKey } from '#kernel/lib/services'
import { parseSender, formatSender } from '#kernel/mail/mail'
import type { Sender } from '#kernel/mail/mail'
import type { MailSettingsProvider, MailSettings } from '#kernel/mail/mail-settings'
import type { SmtpServer } from '#kernel/mail/smtp-url'
import { PASSWORD_MASK } from './decider.ts'
import type { Config, MailConfig } from './decider.ts'

const PORTS = { TLS: 465, STARTTLS: 587, OPTIONAL: 587 } as const
const USUAL_NOTIFICATION_DAYS = 90
const USUAL_TELEMETRY_DAYS = 365

/** Of one installation, the same for every process. */
export interface EnvironmentConfig {
  readonly smtp?: SmtpServer | undefined
  readonly from?: Sender | undefined
  readonly panelUrl?: string | undefined
  /** Where neither the environment nor an administrator says anything. */
  readonly defaults: {
    readonly from?: Sender | undefined
    readonly panelUrl: string
    /** Of an evaluation: mails are kept there. */
    readonly mailFolder?: string | undefined
  }
  /** Where a mail server that administrators name may be although its address is not public. */
  readonly mailAllow: readonly string[]
}

export interface PanelConfiguration {
  readonly environment: EnvironmentConfig
  /** By administrators, up to this moment, in whichever process. */
  decided(): Promise<Config>
}

const throwNotProvided = (): never => {
  throw new Error('Nobody said how this panel is configured')
}

export const configuration = serviceKey<PanelConfiguration>('the configuration', {
  get environment() {
    return throwNotProvided()
  },
  decided: throwNotProvided,
})

/** What of a mail server is shown, the same for one of the environment and one of an administrator. */
export function maskedServer({ host, port, secure, requireTLS, auth }: SmtpServer): Omit<MailConfig, 'from'> {
  const tls = secure ? 'TLS' : requireTLS ? 'STARTTLS' : 'OPTIONAL'
  return { host, port, tls, user: auth?.user ?? null, password: auth ? PASSWORD_MASK : null }
}

/** Of an administrator, who must not lead anybody into the operator's own network. */
function adminServer({ host, user, password, ...mail }: MailConfig, allow: readonly string[]): SmtpServer | undefined {
  if (host === null) return undefined
  const tls = mail.tls ?? (mail.port === PORTS.TLS ? 'TLS' : 'STARTTLS')
  return {
    host,
    port: mail.port ?? PORTS[tls],
    secure: tls === 'TLS',
    requireTLS: tls === 'STARTTLS',
    ...(user === null || password === null ? {} : { auth: { user, pass: password } }),
    outboundPolicy: { allow },
  }
}

/** The server and the sender each have a source of their own, and no mail is sent without both. */
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

/** What the environment says, as it is shown. */
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
