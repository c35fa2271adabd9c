/** Which addresses of a panel are fit for agents. */
import { isIP } from 'node:net'

/** https, and http to the host itself: else each machine on the way reads the token and may answer in place of the panel. */
export function isSafePanelUrl(panelUrl: string): boolean {
  const { protocol, hostname } = new URL(panelUrl)
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  return protocol === 'https:' || (protocol === 'http:' && isLoopback)
}
