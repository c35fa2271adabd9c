/** Where a repository is. What git could take for anything but a host and a path is refused. */
import { TaskFailure } from '../performer.ts'

export type GitAddress = {
  /** In its canonical spelling, as git gets it. */
  readonly url: string
  readonly protocol: 'https' | 'http' | 'ssh'
  /** A name or an address, without brackets. */
  readonly host: string
  readonly port: number
  /** Of HTTP, for settings of git that hold for it alone. */
  readonly origin: string
}

const PORTS = { https: 443, http: 80, ssh: 22 } as const
const NAME = /^[a-z0-9_](?:[a-z0-9._-]{0,251}[a-z0-9_.])?$/
const V6 = /^\[[0-9a-f:.]{2,45}\]$/
const USER = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/
/** The URL Standard tolerates more. `%00` and line ends would end a line of what git sends. */
const PLAIN = /^(?:https?|ssh):\/\/[^/\\\s\p{Cc}?#][^\\\s\p{Cc}?#]*$/iu
const ENCODED_CONTROL = /%(?:[01][0-9a-f]|7f)/i

/** @throws TaskFailure ADDRESS_REFUSED */
export function gitAddress(text: string): GitAddress {
  if (!PLAIN.test(text) || ENCODED_CONTROL.test(text) || !URL.canParse(text)) throw refused()
  const { protocol: scheme, hostname, port, pathname, username, password } = new URL(text)
  const protocol = scheme.slice(0, -1) as GitAddress['protocol']
  const name = hostname.toLowerCase()
  const isUser = username === '' || (protocol === 'ssh' && USER.test(username))
  const isPath = pathname.length > 1 && !pathname.startsWith('//') && !pathname.startsWith('/-')
  if (!(NAME.test(name) || V6.test(name)) || password !== '' || !isUser || !isPath) throw refused()
  const at = protocol === 'ssh' ? `${username === '' ? 'git' : username}@` : ''
  const host = port === '' ? name : `${name}:${port}`
  return {
    url: `${protocol}://${at}${host}${pathname}`,
    protocol,
    host: name.replaceAll(/[[\]]/g, ''),
    port: port === '' ? PORTS[protocol] : Number(port),
    origin: `${protocol}://${host}/`,
  }
}

const refused = (): TaskFailure =>
  new TaskFailure(
    'ADDRESS_REFUSED',
    'The address of the repository is none that is fetched: use https://host/path or ssh://git@host/path, without a login',
  )
