/** Addresses of a service for browsers and shells on this machine. */
import { shellQuoted } from '../kernel/lib/shell-quote.ts'

/** Wildcard addresses, each with the loopback address of its family. */
const ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Whether a service that listens on the host is reachable at every address of the machine. */
export const isEverywhere = (host: string): boolean => Object.hasOwn(ALL, host)

/**
 * @param host the host that the service listens on
 * @returns the origin without a trailing slash
 */
export function localOrigin(host: string, port: number): string {
  const name = ALL[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

export interface CurlRequest {
  /** A word of the shell, which may contain variables to expand. */
  readonly header?: string
  readonly body: unknown
}

/** The lines of a `curl` command that sends JSON by POST, to paste into a shell. */
export function curlLines(url: string, { header, body }: CurlRequest): string[] {
  return [
    `curl -sS ${shellQuoted(url)} \\`,
    ...(header === undefined ? [] : [`  -H ${header} \\`]),
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellQuoted(JSON.stringify(body))}`,
  ]
}
