/** Which mail server, and how safe the way to it must be. */
import type { OutboundPolicy } from '../outbound/checked-connect.ts'

const PORT = { 'smtp:': 587, 'smtps:': 465 } as const
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** From the first byte on; otherwise by STARTTLS. */
  readonly secure: boolean
  /** Nothing is sent over a connection that has no TLS. */
  readonly requireTLS: boolean
  readonly auth?: { readonly user: string; readonly pass: string }
  /** Where it may be. Absent: anywhere, because the operator himself has named it. */
  readonly outboundPolicy?: OutboundPolicy
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
