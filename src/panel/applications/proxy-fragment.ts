/** What the proxy of a server is told of an application or a preview: pure, so that it is the same wherever it is made. */
import type { ProxyFragment } from '../../tasks/proxy.ts'
import { ONLY_SERVICE } from '../../tasks/releases.ts'
import type { ReleaseService } from '../../tasks/releases.ts'
import type { ApplicationPort } from './addresses/rules.ts'
import type { Place } from './place.ts'

type Proxied = Pick<
  Place,
  'workload' | 'label' | 'domain' | 'port' | 'replicas' | 'urlMode' | 'urlPort' | 'bindIp' | 'ports'
>

export interface FragmentInput extends Pick<ProxyFragment, 'installation' | 'revision' | 'release'> {
  readonly application: Proxied
  /** Of the release. Empty without one: then the application says how many containers there will be. */
  readonly services: readonly Pick<ReleaseService, 'name' | 'replicas' | 'port'>[]
  /** The service that its port and its ports of the server lead to. Absent: the only one. */
  readonly service?: string | undefined
  /** The setting. Empty: the installation has none, and no clean URL leads anywhere. */
  readonly appsDomain: string
}

type Backend = ProxyFragment['backends'][number]
type Listener = ProxyFragment['listeners'][number]

const HTTP = 'http'
const tcpName = (containerPort: number): string => `tcp-${containerPort}`

/** The engine publishes ports of UDP, so the proxy does not know them. */
const tcpPortsOf = ({ ports }: Proxied): ApplicationPort[] =>
  Object.values(ports).filter(({ protocol }) => protocol === 'TCP')

function backendsOf({ application, services, service = ONLY_SERVICE }: FragmentInput): Backend[] {
  const released = services.find(({ name }) => name === service)
  const replicas = released?.replicas ?? application.replicas
  // Of a release: where its containers serve, whatever the application says since.
  const port = released ? released.port : application.port
  const backend = (name: string, mode: Backend['mode'], port: number) => ({ name, mode, service, port, replicas })
  const tcpPorts = new Set(tcpPortsOf(application).map(({ containerPort }) => containerPort))
  return [
    ...(port === null ? [] : [backend(HTTP, 'HTTP', port)]),
    ...[...tcpPorts].map((each) => backend(tcpName(each), 'TCP', each)),
  ]
}

function listenersOf(application: Proxied): Listener[] {
  const { urlPort, bindIp: ip } = application
  const tcp = tcpPortsOf(application).map((each): Listener => ({
    ip: each.ip,
    port: each.port,
    mode: 'TCP',
    backend: tcpName(each.containerPort),
  }))
  return urlPort === null ? tcp : [{ ip, port: urlPort, mode: 'HTTP', backend: HTTP }, ...tcp]
}

function hostsOf({ urlMode, port, label, domain }: Proxied, appsDomain: string): ProxyFragment['hosts'] {
  const under = domain ?? appsDomain
  const hasName = urlMode === 'CLEAN' && port !== null && under !== ''
  return hasName ? [{ host: `${label}.${under}`, backend: HTTP }] : []
}

export function fragmentOf(input: FragmentInput): ProxyFragment {
  const { application, installation, revision, release, appsDomain } = input
  const backends = backendsOf(input)
  // A release that serves no HTTP has no URL, although the next one may have one.
  const isThere = ({ backend }: { readonly backend: string }) => backends.some(({ name }) => name === backend)
  return {
    installation,
    owner: application.workload,
    revision,
    release,
    hosts: hostsOf(application, appsDomain).filter(isThere),
    listeners: listenersOf(application).filter(isThere),
    backends,
  }
}
