/** What is configured at this moment: what the environment says, else what administrators have decided, else what is usual. */
import { need } from '#kernel/lib/services'
import { parseSender, spelledSender } from '#kernel/mail/mail'
import type { Sender } from '#kernel/mail/mail'
import type { Mailing, MailSettings } from '#kernel/mail/mail-settings'
import type { SmtpServer } from '#kernel/mail/smtp-url'
import { PASSWORD_SHOWN } from './decider.ts'
import type { Config, MailConfig } from './decider.ts'

const PORTS = { TLS: 465, STARTTLS: 587, OPTIONAL: 587 } as const
const USUAL_NOTIFICATION_DAYS = 90
const USUAL_TELEMETRY_DAYS = 365

/** Of one installation, the same for every process. */
export interface Environment {
  readonly smtp?: SmtpServer | undefined
  readonly from?: Sender | undefined
  readonly panelUrl?: string | undefined
  /** Where neither the environment nor an administrator says anything. */
  readonly usual: {
    readonly from?: Sender | undefined
    readonly panelUrl: string
    /** Of an evaluation: mails are kept there. */
    readonly mailFolder?: string | undefined
  }
  /** Where a mail server that administrators name may be although its address is not public. */
  readonly mailAllow: readonly string[]
}

export interface Configuration {
  readonly environment: Environment
  /** By administrators, up to this moment, in whichever process. */
  decided(): Promise<Config>
}

const notGiven = (): never => {
  throw new Error('Nobody said how this panel is configured')
}

export const configuration = need<Configuration>('the configuration', {
  get environment() {
    return notGiven()
  },
  decided: notGiven,
})

/** What of a mail server is shown, the same for one of the environment and one of an administrator. */
export function shownServer({ host, port, secure, requireTLS, auth }: SmtpServer): Omit<MailConfig, 'from'> {
  const tls = secure ? 'TLS' : requireTLS ? 'STARTTLS' : 'OPTIONAL'
  return { host, port, tls, user: auth?.user ?? null, password: auth ? PASSWORD_SHOWN : null }
}

/** Of an administrator, who must not lead anybody into the operator's own network. */
function decidedServer(
  { host, user, password, ...mail }: MailConfig,
  allow: readonly string[],
): SmtpServer | undefined {
  if (host === null) return undefined
  const tls = mail.tls ?? (mail.port === PORTS.TLS ? 'TLS' : 'STARTTLS')
  return {
    host,
    port: mail.port ?? PORTS[tls],
    secure: tls === 'TLS',
    requireTLS: tls === 'STARTTLS',
    ...(user === null || password === null ? {} : { auth: { user, pass: password } }),
    reach: { allow },
  }
}

/** The server and the sender each have a source of their own, and no mail is sent without both. */
export function mailInForce({ smtp, from, usual, mailAllow }: Environment, { mail }: Config) {
  const decidedFrom = mail.from === null ? undefined : parseSender(mail.from)
  return { smtp: smtp ?? decidedServer(mail, mailAllow), from: from ?? decidedFrom ?? usual.from }
}

export const panelUrlInForce = ({ panelUrl, usual }: Environment, { urls }: Config): string =>
  panelUrl ?? urls.panel ?? usual.panelUrl

export const retentionInForce = ({ retention: { notificationDays, telemetryDays } }: Config) => ({
  notificationDays: notificationDays ?? USUAL_NOTIFICATION_DAYS,
  telemetryDays: telemetryDays ?? USUAL_TELEMETRY_DAYS,
})

/** What the environment says, as it is shown. */
export const givenMail = ({ smtp, from }: Environment): Partial<MailConfig> => ({
  ...(smtp && shownServer(smtp)),
  ...(from && { from: spelledSender(from) }),
})

export const mailingBy =
  ({ environment, decided }: Configuration): Mailing =>
  async (): Promise<MailSettings | undefined> => {
    const { smtp, from } = mailInForce(environment, await decided())
    if (!from) return undefined
    if (smtp) return { smtp, from }
    const { mailFolder: folder } = environment.usual
    return folder === undefined ? undefined : { folder, from }
  }
