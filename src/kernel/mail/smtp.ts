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
/** Longer than a server of good will takes for the largest invoice. One that says a little now and then is never silent. */
const MAIL_MS = 120_000
/** RFC 3463: there is no such mailbox, no such domain, or its owner is gone. No later try will find one. */
const NO_SUCH_RECIPIENT = /^5\d\d[ -]5\.1\.(1|2|3|6|10)\b/

export interface SmtpOptions {
  /** Told when a mail can never be delivered because its recipient does not exist; it counts as dealt with. */
  onRefused(id: string): void
  /** For everything together, from the name to the last answer. */
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
        if (late.aborted) throw new MailFailed('The mail server did not take the mail in time', 'CONNECT')
        if (!isUnknownRecipient(error)) throw new MailFailed(reasonOf(error), stepOf(error))
        onRefused(id)
      }
    },
  }
}

/** Signs in, and sends nothing. @throws MailFailed */
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

/** Connected before anything is said on it, TLS included, so that what is spoken to is what was looked at. */
function checkedSocket({ host, port }: Pick<SmtpServer, 'host' | 'port'>, reach: OutboundPolicy): GetSocket {
  return (_options, done) => {
    try {
      refuseAddress(host, reach)
    } catch (error) {
      return done(error as NotReachable)
    }
    const socket = connect({ host, port, lookup: checkedLookup(reach), timeout: CONNECT_MS })
    const failed = (error: Error) => done(error)
    const silent = () => socket.destroy(Object.assign(new Error('No connection in time'), { code: 'ETIMEDOUT' }))
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

/** Codes only: a server's own words repeat the address. */
function reasonOf(error: unknown, what = 'did not take the mail'): string {
  if (error instanceof NotReachable) return `The mail server is not connected to: ${error.message}`
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
