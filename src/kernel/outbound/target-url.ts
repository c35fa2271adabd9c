/**
 * Validates a URL that a user has given for this service to call. The address behind it is checked at
 * each call, see post.ts.
 */

const LENGTH_MAX = 2_048
const WEB_PORTS = [80, 443]
/** The ports below belong to system services: mail, name servers, files. */
const FREE_PORT_MIN = 1_024
/**
 * Ports of other protocols that could read a request as their own commands (Fetch Standard, 2.9 “port
 * blocking”).
 */
const FOREIGN_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]

/** @returns the URL in its canonical spelling, or the reason why it may not be called */
export function parseTargetUrl(text: string): URL | { readonly reason: string } {
  if (text.length > LENGTH_MAX) return { reason: `is longer than ${LENGTH_MAX} characters` }
  // The URL Standard tolerates these: it removes line breaks, reads a backslash as a slash and does
  // without the slashes.
  if (!/^https?:\/\/[^/\\\s\p{Cc}][^\\\s\p{Cc}]*$/iu.test(text) || !URL.canParse(text))
    return { reason: 'is not an http or https URL' }
  const url = new URL(text)
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return { reason: 'must not contain a user name or a password' }
  if (text.includes('#')) return { reason: 'must not have a fragment, because it is never sent' }
  return isWebPort(url) ? url : { reason: 'has a port that is not allowed: use 80, 443 or another port from 1024 on' }
}

function isWebPort({ port, protocol }: URL): boolean {
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return WEB_PORTS.includes(number) || (number >= FREE_PORT_MIN && !FOREIGN_PORTS.includes(number))
}
