/** A mail server in the form in which people enter it. */
import type { SmtpServer } from './smtp-url.ts'

const PORTS = { TLS: 465, STARTTLS: 587, OPTIONAL: 587 } as const

interface SmtpFields {
  readonly host: string
  /** Null: the port of the TLS mode. */
  readonly port: number | null
  /** Null: the TLS mode of the port. */
  readonly tls: keyof typeof PORTS | null
  readonly user: string | null
  readonly password: string | null
}

export const smtpFieldsOf = ({ host, port, secure, requireTLS, auth }: SmtpServer): SmtpFields => ({
  host,
  port,
  tls: secure ? 'TLS' : requireTLS ? 'STARTTLS' : 'OPTIONAL',
  user: auth?.user ?? null,
  password: auth?.pass ?? null,
})

export function smtpServerOf({ host, port, user, password, ...fields }: SmtpFields): SmtpServer {
  const tls = fields.tls ?? (port === PORTS.TLS ? 'TLS' : 'STARTTLS')
  return {
    host,
    port: port ?? PORTS[tls],
    secure: tls === 'TLS',
    requireTLS: tls === 'STARTTLS',
    ...(user === null || password === null ? {} : { auth: { user, pass: password } }),
  }
}
