/** Sends mails over SMTP (RFC 5321). */
import { createTransport } from 'nodemailer'
import { MailFailed } from './mail.ts'
import type { Sender } from './mail.ts'
import { composed } from './mailer.ts'
import type { Mailer } from './mailer.ts'
import type { SmtpServer } from './smtp-url.ts'

const CONNECT_MS = 10_000
const GREETING_MS = 10_000
const SILENCE_MS = 20_000
/** RFC 3463: there is no such mailbox, no such domain, or its owner is gone. No later try will find one. */
const NO_SUCH_RECIPIENT = /^5\d\d[ -]5\.1\.(1|2|3|6|10)\b/

/** @param onRefused told when a mail can never be delivered because its recipient does not exist; it counts as dealt with */
export function smtpMailer(server: SmtpServer, from: Sender, onRefused: (id: string) => void): Mailer {
  const transport = transportTo(server)
  return {
    async send(mail, id) {
      try {
        await transport.sendMail(composed(mail, id, from))
      } catch (error) {
        if (!isForNobody(error)) throw new MailFailed(reasonOf(error))
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
    throw new MailFailed(reasonOf(error, 'cannot be used'))
  } finally {
    transport.close()
  }
}

const transportTo = (server: SmtpServer) =>
  createTransport({
    ...server,
    ...(server.auth ? { auth: { ...server.auth } } : {}),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: GREETING_MS,
    socketTimeout: SILENCE_MS,
    dnsTimeout: CONNECT_MS,
  })

interface SmtpError {
  readonly code?: string
  readonly responseCode?: number
  readonly response?: string
  readonly command?: string
}

const isForNobody = (error: unknown): boolean =>
  (error as SmtpError).command === 'RCPT TO' && NO_SUCH_RECIPIENT.test((error as SmtpError).response ?? '')

/** Codes only: a server's own words repeat the address. */
function reasonOf(error: unknown, what = 'did not take the mail'): string {
  const { code, responseCode, command } = error as SmtpError
  const answered = responseCode === undefined ? '' : `, answered ${responseCode}${command ? ` to ${command}` : ''}`
  return `The mail server ${what} (${code ?? 'no reason given'}${answered})`
}
