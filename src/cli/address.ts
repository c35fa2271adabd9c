/** Addresses of a service as this machine's browsers and shells can open them. */
import { shellQuoted } from '../kernel/lib/shell-quote.ts'

/** All addresses of the machine, and the one of them that is always there. */
const ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** Whether a service that listens on the host can be reached at each address of the machine. */
export const isEverywhere = (host: string): boolean => Object.hasOwn(ALL, host)

/** @param host what the service listens on. @returns without a slash at its end */
export function localOrigin(host: string, port: number): string {
  const name = ALL[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

export interface CurlRequest {
  /** A word of the shell, which it may expand. */
  readonly header?: string
  readonly body: unknown
}

/** The lines of a `curl` that POSTs JSON, for pasting into a shell. */
export function curlLines(url: string, { header, body }: CurlRequest): string[] {
  return [
    `curl -sS ${shellQuoted(url)} \\`,
    ...(header === undefined ? [] : [`  -H ${header} \\`]),
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${shellQuoted(JSON.stringify(body))}`,
  ]
}
