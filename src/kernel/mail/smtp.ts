/** Sends mails over SMTP (RFC 5321). */
import { createTransport } from 'nodemailer'
import { MailFailed } from './mail.ts'
import { composed } from './mailer.ts'
import type { Mailer, Sender } from './mailer.ts'

const CONNECT_MS = 10_000
const GREETING_MS = 10_000
const SILENCE_MS = 20_000
const PORT = { 'smtp:': 587, 'smtps:': 465 } as const
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
/** RFC 3463: there is no such mailbox, no such domain, or its owner is gone. No later try will find one. */
const NO_SUCH_RECIPIENT = /^5\d\d[ -]5\.1\.(1|2|3|6|10)\b/

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** From the first byte on; otherwise by STARTTLS. */
  readonly secure: boolean
  /** Nothing is sent over a connection that has no TLS. */
  readonly requireTLS: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
}

/**
 * smtps://user:password@host:465 has TLS from the first byte on; smtp://…:587 changes to it, and sends nothing where that is not
 * offered, except to this host, or with ?tls=optional.
 * @throws SyntaxError for any other URL
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = new URL(text)
  const { protocol, hostname, username, password } = url
  const mayBePlain = url.search === '?tls=optional'
  if (protocol !== 'smtp:' && protocol !== 'smtps:') throw new SyntaxError('neither smtp nor smtps')
  if (hostname === '' || !['', '/'].includes(url.pathname) || url.hash !== '' || !(mayBePlain || url.search === ''))
    throw new SyntaxError('more than a server')
  if ((username === '') !== (password === '')) throw new SyntaxError('half a login')
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: Number(url.port) || PORT[protocol],
    secure,
    requireTLS: !secure && !mayBePlain && !LOOPBACK.test(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

/** @param onRefused told when a mail can never be delivered because its recipient does not exist; it counts as dealt with */
export function smtpMailer(server: SmtpServer, from: Sender, onRefused: (id: string) => void): Mailer {
  const transport = createTransport({
    ...server,
    ...(server.auth ? { auth: { ...server.auth } } : {}),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: CONNECT_MS,
  })
  return {
    async send(mail, id) {
      try {
        await transport.sendMail(composed(mail, id, from))
      } catch (error) {
        if (!isForNobody(error)) throw new MailFailed(reasonOf(error))
        onRefused(id)
      }
    },
    close: () => transport.close(),
  }
}

interface SmtpError {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}

const isForNobody = (error: unknown): boolean =>
  (error as SmtpError).command === 'RCPT TO' && NO_SUCH_RECIPIENT.test((error as SmtpError).response ?? '')

/** Codes only: a server's own words repeat the address. */
function reasonOf(error: unknown): string {
  const { code, responseCode, command } = error as SmtpError
  const answered = responseCode === undefined ? '' : `, answered ${responseCode}${command ? ` to ${command}` : ''}`
  return `The mail server did not take the mail (${code ?? 'no reason given'}${answered})`
}
