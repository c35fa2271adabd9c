/** Parses SMTP URLs: the mail server, and whether TLS is required. */
import type { OutboundPolicy } from '../outbound/checked-connect.ts'

const PORT = { 'smtp:': 587, 'smtps:': 465 } as const
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte; otherwise by STARTTLS. */
  readonly secure: boolean
  /** Nothing is sent over a connection without TLS. */
  readonly requireTLS: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
  /** Restricts its address. Absent: any address, because the operator has configured it. */
  readonly outboundPolicy?: OutboundPolicy
}

/**
 * smtps://user:password@host:465 uses TLS from the first byte. smtp://…:587 uses STARTTLS, and sends
 * nothing if the server does not offer it, except to this host or with ?tls=optional.
 * @throws SyntaxError for any other URL
 */
export function parseSmtpUrl(text: string): SmtpServer {
  const url = new URL(text)
  const { protocol, hostname, username, password } = url
  const mayBePlain = url.search === '?tls=optional'
  if (protocol !== 'smtp:' && protocol !== 'smtps:') throw new SyntaxError('not an smtp or smtps URL')
  if (hostname === '' || !['', '/'].includes(url.pathname) || url.hash !== '' || !(mayBePlain || url.search === ''))
    throw new SyntaxError('has parts besides the server')
  if ((username === '') !== (password === '')) throw new SyntaxError('a user without a password, or the reverse')
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: Number(url.port) || PORT[protocol],
    secure,
    requireTLS: !secure && !mayBePlain && !LOOPBACK.test(hostname),
    ...(username === '' ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}
