/** Addresses of applications as replies show them. */
import { isIPv6 } from 'node:net'
import { z } from 'zod'
import type { ReadDatabase } from '#kernel/projections/read-database'
import { serverTable } from '#projections/panel/servers'
import type { ServerRow } from '#projections/panel/servers'
import { settingOf } from '#projections/panel/settings'
import { portFields } from '../../servers/ports/events.ts'
import { addressFields } from './events.ts'
import type { Addressed, ApplicationPort } from './rules.ts'

export const url = z.string().nullable().describe('Where it is reached by HTTP. Null: it has no port or no domain.')

export const shownAddress = {
  urlMode: addressFields.urlMode.describe(
    'PORT: a port of its server. CLEAN: a name under the domain of the installation.',
  ),
  bindIp: addressFields.bindIp.describe('The address of its server that the port of its URL is at. Null: all of them.'),
  outboundIp: addressFields.outboundIp.describe(
    'The address of its server that its connections leave from. Null: the server chooses.',
  ),
  url,
}

type WithUrl = Pick<Addressed, 'urlMode' | 'urlPort' | 'bindIp'> & {
  readonly serverId: string
  readonly slug: string
  readonly port: number | null
}
type Host = Pick<ServerRow, 'publicAddress' | 'facts'>

const inUrl = (host: string): string => (isIPv6(host) ? `[${host}]` : host)

/** @param appsDomain empty: the installation has none */
function urlOf({ urlMode, urlPort, bindIp, slug, port }: WithUrl, host: Host | undefined, appsDomain: string) {
  if (urlMode === 'CLEAN') return port === null || appsDomain === '' ? null : `http://${slug}.${appsDomain}`
  const [first] = host?.facts?.addresses ?? []
  const name = bindIp ?? host?.publicAddress ?? first ?? host?.facts?.hostname
  return urlPort === null || name === undefined ? null : `http://${inUrl(name)}:${urlPort}`
}

export async function withUrls<A extends WithUrl>(read: ReadDatabase, all: readonly A[]) {
  if (all.length === 0) return []
  const ids = [...new Set(all.map(({ serverId }) => serverId))]
  const servers = serverTable.queryIn(read).select(['id', 'publicAddress', 'facts']).where('id', 'in', ids)
  const hosts = new Map((await servers.execute()).map((row) => [row.id, row]))
  const appsDomain = await settingOf(read, 'appsDomain')
  return all.map((each) => ({ ...each, url: urlOf(each, hosts.get(each.serverId), appsDomain) }))
}

export const withUrl = async <A extends WithUrl>(read: ReadDatabase, application: A) =>
  (await withUrls(read, [application]))[0]!

export const PortView = z
  .object({
    id: z.uuid().nullable().describe('Null: the port of its URL.'),
    containerPort: z.int().describe('The port of its containers that it leads to.'),
    hostPort: portFields.port.describe('The port of its server.'),
    ip: portFields.ip.describe('The address of its server. Null: all of them.'),
    protocol: portFields.protocol,
    via: z
      .enum(['EDGE', 'TCP', 'ENGINE'])
      .describe(
        'What leads to it. EDGE: the proxy, by HTTP. TCP: the proxy, as connections. ENGINE: the container engine.',
      ),
  })
  .meta({ id: 'ApplicationPort' })

export const toPort = ({ portId: id, port: hostPort, ...port }: ApplicationPort): z.input<typeof PortView> => ({
  id,
  hostPort,
  ...port,
  via: port.protocol === 'TCP' ? 'TCP' : 'ENGINE',
})

/** That of its URL comes first. */
export function portsOf(application: Addressed & { readonly port: number | null }): z.input<typeof PortView>[] {
  const { port, urlPort, bindIp: ip, ports } = application
  const others = Object.values(ports).map(toPort)
  if (port === null || urlPort === null) return others
  return [{ id: null, containerPort: port, hostPort: urlPort, ip, protocol: 'TCP', via: 'EDGE' }, ...others]
}
