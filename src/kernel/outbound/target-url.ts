/** A URL that somebody else has given for this service to call. Where it leads is asked when it is called, see post.ts. */

const LENGTH_MAX = 2_048
const WEB_PORTS = [80, 443]
/** Below it are the servers of the system: mail, names, files. */
const FREE_PORT_MIN = 1_024
/** Of other protocols that take a request for their own words (Fetch Standard, 2.9 “port blocking”). */
const FOREIGN_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
]

/** In its one spelling, or the reason in words why it is none that may be called. */
export function parseTargetUrl(text: string): URL | { readonly reason: string } {
  if (text.length > LENGTH_MAX) return { reason: `is longer than ${LENGTH_MAX} characters` }
  // The URL Standard forgives these: it drops line ends, takes a backslash for a slash and does without the slashes.
  if (!/^https?:\/\/[^/\\\s\p{Cc}][^\\\s\p{Cc}]*$/iu.test(text) || !URL.canParse(text))
    return { reason: 'is not an http or https URL' }
  const url = new URL(text)
  if (/^https?:\/\/[^/?#]*@/i.test(text)) return { reason: 'carries a user name or a password' }
  if (text.includes('#')) return { reason: 'has a fragment, which is never sent' }
  return isWebPort(url) ? url : { reason: 'has a port that is not one of the web' }
}

function isWebPort({ port, protocol }: URL): boolean {
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
  return WEB_PORTS.includes(number) || (number >= FREE_PORT_MIN && !FOREIGN_PORTS.includes(number))
}
