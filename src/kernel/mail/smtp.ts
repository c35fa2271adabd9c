/** Sends mails over SMTP (RFC 5321). */
import { connect } from 'node:net'
import { createTransport } from 'nodemailer'
import type { SMTPTransportOptions } from 'nodemailer'
import { checkedLookup, NotReachable, refuseAddress } from '../outbound/checked-connect.ts'
import type { OutboundPolicy } from '../outbound/checked-connect.ts'
import { MailFailed } from './mail.ts'
import type { MailStep, Sender } from './mail.ts'
import { composeMail } from './mailer.ts'
import type { Mailer } from './mailer.ts'
import type { SmtpServer } from './smtp-url.ts'

type GetSocket = NonNullable<SMTPTransportOptions['getSocket']>

const CONNECT_MS = 10_000
const GREETING_MS = 10_000
const SILENCE_MS = 20_000
/**
 * Longer than a working server takes for the largest invoice. A server that sends a little at intervals
 * is not stopped by the timeout for silence.
 */
const MAIL_MS = 120_000
/** RFC 3463: the mailbox or the domain does not exist, or the mailbox has moved. A retry cannot succeed. */
const NO_SUCH_RECIPIENT = /^5\d\d[ -]5\.1\.(1|2|3|6|10)\b/

export interface SmtpOptions {
  /**
   * Called when a mail can never be delivered because its recipient does not exist; the mail counts as
   * done.
   */
  onRefused(id: string): void
  /** The limit for the whole delivery, from the name resolution to the last reply. */
  readonly withinMs?: number
}

export function smtpMailer(server: SmtpServer, from: Sender, { onRefused, withinMs = MAIL_MS }: SmtpOptions): Mailer {
  const transport = transportTo(server)
  return {
    async send(mail, id) {
      const late = AbortSignal.timeout(withinMs)
      try {
        await transport.sendMail({ ...composeMail(mail, id, from), signal: late })
      } catch (error) {
        if (late.aborted) throw new MailFailed('The mail server did not accept the mail in time', 'CONNECT')
        if (!isUnknownRecipient(error)) throw new MailFailed(reasonOf(error), stepOf(error))
        onRefused(id)
      }
    },
  }
}

/**
 * Signs in without sending a mail.
 * @throws MailFailed
 */
export async function checkSmtpServer(server: SmtpServer): Promise<void> {
  const transport = transportTo(server)
  try {
    await transport.verify()
  } catch (error) {
    throw new MailFailed(reasonOf(error, 'cannot be used'), stepOf(error))
  } finally {
    transport.close()
  }
}

const transportTo = ({ outboundPolicy, auth, ...server }: SmtpServer) =>
  createTransport({
    ...server,
    ...(auth ? { auth: { ...auth } } : {}),
    ...(outboundPolicy ? { getSocket: checkedSocket(server, outboundPolicy) } : {}),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: CONNECT_MS,
  })

/** Opens the checked connection before SMTP and TLS start, so that the mail is sent to the checked address. */
function checkedSocket({ host, port }: Pick<SmtpServer, 'host' | 'port'>, reach: OutboundPolicy): GetSocket {
  return (_options, done) => {
    try {
      refuseAddress(host, reach)
    } catch (error) {
      return done(error as NotReachable)
    }
    const socket = connect({ host, port, lookup: checkedLookup(reach), timeout: CONNECT_MS })
    const failed = (error: Error) => done(error)
    const silent = () => socket.destroy(Object.assign(new Error('The connection timed out'), { code: 'ETIMEDOUT' }))
    socket.once('error', failed)
    socket.once('timeout', silent)
    socket.once('connect', () => {
      socket.off('error', failed)
      socket.off('timeout', silent)
      socket.setTimeout(0)
      done(null, { connection: socket })
    })
  }
}

interface SmtpError {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}

const isUnknownRecipient = (error: unknown): boolean =>
  (error as SmtpError).command === 'RCPT TO' && NO_SUCH_RECIPIENT.test((error as SmtpError).response ?? '')

/** Only codes: the server's own text may contain the recipient's address. */
function reasonOf(error: unknown, what = 'did not accept the mail'): string {
  if (error instanceof NotReachable) return `The mail server cannot be reached: ${error.message}`
  const { code, responseCode, command } = error as SmtpError
  const answered = responseCode === undefined ? '' : `, answered ${responseCode}${command ? ` to ${command}` : ''}`
  return `The mail server ${what} (${code ?? 'no reason given'}${answered})`
}

const STEPS: Readonly<Record<string, MailStep>> = {
  STARTTLS: 'TLS',
  'MAIL FROM': 'SENDER',
  'RCPT TO': 'RECIPIENT',
  DATA: 'MESSAGE',
  API: 'MESSAGE',
}

function stepOf(error: unknown): MailStep {
  const { code, command = 'CONN' } = error as SmtpError
  if (code === 'ETLS') return 'TLS'
  return code === 'EAUTH' ? 'LOGIN' : (STEPS[command] ?? 'CONNECT')
}
