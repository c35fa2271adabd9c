/** The configuration of HAProxy 2.6 and newer. It has ids and addresses only: names of hosts are in the file of the map. */
import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { join } from 'node:path'
import type { ProxyBackend, ProxyFragment } from '../../tasks/proxy.ts'
import { canonical } from './conflicts.ts'
import { backendId, NO_TARGETS } from './state.ts'
import type { BackendTargets, ProxyState } from './state.ts'

/** Nothing listens there: a connection is refused at once, and tried again. */
export const CLOSED = '127.0.0.1:1'
export const HOLD = 'hold'
/** For the next request of a client. A former worker is left by then. */
export const KEEP_ALIVE_MS = 10_000

/**
 * Of hundreds of applications, checks each second would be most of what an idle host does. So a target that answers is
 * checked rarely, and each second from a connection or a check on that fails.
 */
const CHECKS = 'inter 10s fastinter 1s downinter 1s observe layer4 error-limit 1 on-error fastinter'

export interface ConfigPlaces {
  readonly directory: string
  readonly httpPort: number
  /** Of the workers. Null: that of the agent. */
  readonly account: string | null
  readonly hasIpv6: boolean
}

export interface ProxyConfig {
  readonly text: string
  readonly map: { readonly path: string; readonly text: string }
  /** Of all but the targets. A process with another shape must be reloaded. */
  readonly shape: string
}

export const slotsOf = ({ replicas }: ProxyBackend): number => 2 * replicas + 2

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** @throws Error for a path that would need quoting */
function plainPath(path: string): string {
  if (!/^[\w./@:+-]+$/.test(path))
    throw new Error(`HAProxy cannot use the path ${path}: use letters, digits and . _ / @ : + -`)
  return path
}

export function configOf(state: ProxyState, places: ConfigPlaces): ProxyConfig {
  const fragments = [...state.fragments].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
  const hosts = fragments.flatMap(({ owner, hosts: own }) =>
    own.map(({ host, backend }) => `${host} ${backendId(owner, backend)}\n`),
  )
  const mapText = hosts.join('')
  // By its content, so that a configuration and its map are replaced as one.
  const map = { path: join(plainPath(places.directory), `hosts-${digest(mapText)}.map`), text: mapText }
  const shape = (of: ProxyState['backends']): string =>
    [
      ...(hosts.length > 0 ? [hostsFrontend(map.path, places)] : []),
      ...fragments.flatMap((fragment) => listenerFrontends(fragment, places)),
      ...fragments.flatMap((fragment) => backendsOf(fragment, of)),
    ].join('\n')
  const bare = digest(shape(new Map()) + head('', places))
  return { text: `${head(bare, places)}\n${shape(state.backends)}`, map, shape: bare }
}

const head = (
  shape: string,
  { directory, account }: ConfigPlaces,
): string => `# The agent of Daybook writes this file again and again.
global
  description ${shape}
  fd-hard-limit 100000
  hard-stop-after 30m
  stats socket ${directory}/runtime.sock mode 600 level admin expose-fd listeners
${account === null ? '' : `  user ${account}\n  group ${account}\n`}
defaults common
  timeout connect 3s
  timeout check 3s
  default-server ${CHECKS}
  balance roundrobin
  retries 60
  option redispatch 1

defaults http from common
  mode http
  timeout client 10m
  timeout server 10m
  timeout tunnel 24h
  timeout http-request 30s
  timeout http-keep-alive ${KEEP_ALIVE_MS}
  retry-on conn-failure
  option http-keep-alive
  option idle-close-on-response
  http-error status 503 content-type "text/plain; charset=utf-8" string "The application does not run at the moment.\\n"

defaults tcp from common
  mode tcp
  timeout client 24h
  timeout server 24h
  option clitcpka
  option srvtcpka

backend unknown from http
  http-request return status 404 content-type "text/plain; charset=utf-8" string "No application has this name.\\n"
`

/** What clients say of their own address is never passed on, in none of its spellings. */
const FORWARDED = `  http-request set-var(txn.host) req.hdr(host)
  http-request del-header (?i)^(x[-_]forwarded.*|x[-_]real[-_]ip|forwarded|proxy)$ -m reg
  http-request set-header X-Forwarded-For %[src]
  http-request set-header X-Forwarded-Proto http
  http-request set-header X-Forwarded-Host %[var(txn.host)]
  http-request set-header X-Forwarded-Port %[dst_port]
`

/** Of each family its own, so that IPv4 addresses of clients have their usual form. */
function bindOf(ip: string | null, port: number, hasIpv6: boolean): string {
  if (ip !== null) return isIPv6(ip) ? `  bind [${ip}]:${port}\n` : `  bind ${ip}:${port}\n`
  return `  bind 0.0.0.0:${port}\n${hasIpv6 ? `  bind [::]:${port} v6only\n` : ''}`
}

const hostsFrontend = (map: string, { httpPort, hasIpv6 }: ConfigPlaces): string => `frontend hosts from http
${bindOf(null, httpPort, hasIpv6)}${FORWARDED}  use_backend %[req.hdr(host),field(1,:),lower,rtrim(.),map_str(${map},unknown)]
  default_backend unknown
`

const listenerFrontends = ({ owner, listeners }: ProxyFragment, { hasIpv6 }: ConfigPlaces): string[] =>
  listeners.map(({ ip: given, port, mode, backend }) => {
    const ip = canonical(given)
    return `frontend ${ip ?? 'all'}-${port} from ${mode.toLowerCase()}
${bindOf(ip, port, hasIpv6)}${mode === 'HTTP' ? FORWARDED : ''}  default_backend ${backendId(owner, backend)}
`
  })

const backendsOf = ({ owner, backends }: ProxyFragment, of: ProxyState['backends']): string[] =>
  backends.map((backend) => {
    const id = backendId(owner, backend.name)
    return `backend ${id} from ${backend.mode.toLowerCase()}\n${serversOf(backend, of.get(id) ?? NO_TARGETS)}`
  })

/** With the targets, so that a process that starts again knows them. */
function serversOf(backend: ProxyBackend, { current, isHeld }: BackendTargets): string {
  const slots = Array.from({ length: slotsOf(backend) }, (_, at) => {
    const target = current[at]
    const [place, end] = target ? [`${target.address}:${target.port}`, ''] : [CLOSED, ' disabled']
    return `  server s${at + 1} ${place} check${end}\n`
  })
  return `${slots.join('')}  server ${HOLD} ${CLOSED}${isHeld ? '' : ' disabled'}\n`
}
