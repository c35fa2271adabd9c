/** Addresses of applications, together with the ports of their servers. */
import type { UnitOfWork } from '#kernel/commands/command-runner'
import { ipText, parseIp } from '#kernel/credentials/ip-address'
import { found, reject } from '#kernel/lib/rejection'
import { DEPLOYED_KINDS } from '../../tasks/releases.ts'
import type { Addressed, ApplicationPort } from '../applications/addresses/rules.ts'
import { applications } from '../applications/decider.ts'
import type { Application } from '../applications/decider.ts'
import { servers } from '../servers/decider.ts'
import { serverPorts } from '../servers/ports/decider.ts'
import type { HostPort } from '../servers/ports/events.ts'
import { isUrlPort, URL_PORTS } from '../servers/ports/rules.ts'
import { reservedPorts } from './server-ports.ts'

const [APPLICATION] = DEPLOYED_KINDS

const askOf = ({ id, serverId }: Pick<Application, 'id' | 'serverId'>) => ({
  serverId,
  owner: { kind: APPLICATION, id },
})

/** Undefined where this panel does not know its own port. */
type PanelPort = number | undefined

const urlPortOf = ({ bindIp: ip }: Pick<Addressed, 'bindIp'>, port: number): HostPort => ({ ip, port, protocol: 'TCP' })

async function takePort(unit: UnitOfWork, application: Application, at: HostPort, panelPort: PanelPort): Promise<void> {
  const { serverId } = application
  const reserved = await reservedPorts(unit, serverId, panelPort)
  await unit.decide(serverPorts, serverId, 'Take', { ...askOf(application), at, reserved })
}

async function takeUrlPort(unit: UnitOfWork, application: Application, ip: string | null, panelPort: PanelPort) {
  const { serverId } = application
  const reserved = await reservedPorts(unit, serverId, panelPort)
  const taken = await unit.decide(serverPorts, serverId, 'TakeUrlPort', { ...askOf(application), ip, reserved })
  return taken[0]!.data.port
}

const freePort = (unit: UnitOfWork, application: Application, at: HostPort) =>
  unit.decide(serverPorts, application.serverId, 'Free', { ...askOf(application), at })

/** The port of its URL with what it wants now: the one that it has, a new one, or none. */
async function settleUrlPort(
  unit: UnitOfWork,
  before: Application,
  wanted: Pick<Addressed, 'urlMode' | 'bindIp'>,
  panelPort: PanelPort,
): Promise<number | null> {
  const isNeeded = before.port !== null && wanted.urlMode === 'PORT'
  const { urlPort } = before
  if (urlPort === null) return isNeeded ? takeUrlPort(unit, before, wanted.bindIp, panelPort) : null
  if (isNeeded && wanted.bindIp === before.bindIp) return urlPort
  await freePort(unit, before, urlPortOf(before, urlPort))
  if (!isNeeded) return null
  await takePort(unit, before, urlPortOf(wanted, urlPort), panelPort)
  return urlPort
}

/**
 * After a change of its port, and for a change of its addresses, which must be those of its server.
 * @throws Rejection 404 · 409 NONE_FREE | PORT_TAKEN | PORT_RESERVED
 */
export async function addressApplication(
  unit: UnitOfWork,
  applicationId: string,
  panelPort: PanelPort,
  changes: Partial<Pick<Addressed, 'urlMode' | 'bindIp' | 'outboundIp'>> = {},
): Promise<void> {
  const before = found(await unit.load(applications, applicationId))
  const urlPort = await settleUrlPort(unit, before, { ...before, ...changes }, panelPort)
  await unit.decide(applications, applicationId, 'Address', { changes: { ...changes, urlPort } })
}

/** For a deleted application. */
export const freePorts = (unit: UnitOfWork, application: Pick<Application, 'id' | 'serverId'>) =>
  unit.decide(serverPorts, application.serverId, 'FreeAll', askOf(application))

function canonicalIp(text: string): string | undefined {
  const ip = parseIp(text)
  return ip && ipText(ip)
}

/**
 * As the agent of the server has told its addresses.
 * @param ip null: all addresses, or any
 * @throws Rejection 400 NOT_AN_ADDRESS_HERE
 */
export async function addressOfServer(unit: UnitOfWork, serverId: string, ip: string | null): Promise<string | null> {
  if (ip === null) return null
  const told = (await unit.look(servers, serverId))?.agent?.facts.addresses ?? []
  const asked = canonicalIp(ip)
  const isThere = asked !== undefined && told.some((each) => canonicalIp(each) === asked)
  return isThere ? asked : reject('invalid', 'The server does not have this address', 'NOT_AN_ADDRESS_HERE')
}

/** @throws Rejection 409 LOCAL_SERVER */
export async function mustBeRemote(unit: UnitOfWork, serverId: string): Promise<void> {
  if ((await unit.look(servers, serverId))?.kind === 'LOCAL')
    reject('conflict', 'On the panel’s own host, connections leave from the address of the host', 'LOCAL_SERVER')
}

/** @throws Rejection 400 NOT_AN_ADDRESS_HERE · 409 TOO_MANY | PORT_TAKEN | PORT_RESERVED */
export async function openPort(
  unit: UnitOfWork,
  application: Application,
  asked: Omit<ApplicationPort, 'portId'>,
  panelPort: PanelPort,
): Promise<ApplicationPort> {
  const ip = await addressOfServer(unit, application.serverId, asked.ip)
  const port = { ...asked, ip, portId: unit.newId() }
  await unit.decide(applications, application.id, 'OpenPort', { port })
  await takePort(unit, application, hostPortOf(port), panelPort)
  return port
}

const hostPortOf = ({ ip, port, protocol }: ApplicationPort): HostPort => ({ ip, port, protocol })

/** @throws Rejection 404 */
export async function closePort(unit: UnitOfWork, application: Application, portId: string): Promise<void> {
  const port = found(application.ports[portId])
  await unit.decide(applications, application.id, 'ClosePort', { portId })
  await freePort(unit, application, hostPortOf(port))
}

interface Remapped {
  /** Null: the port of its URL. */
  readonly id: string | null
  readonly hostPort: number
}

/**
 * All at once, so that two ports may be swapped. What leads to them follows at once.
 * @throws Rejection 400 NOT_A_URL_PORT · 404 · 409 PORT_TAKEN | PORT_RESERVED
 */
export async function remapPorts(
  unit: UnitOfWork,
  application: Application,
  asked: readonly Remapped[],
  panelPort: PanelPort,
): Promise<void> {
  const moves = asked
    .map(({ id, hostPort }) => ({ id, hostPort, from: portIn(application, id) }))
    .filter(({ hostPort, from }) => hostPort !== from.port)
  for (const { id, hostPort } of moves)
    if (id === null && !isUrlPort(hostPort))
      reject('invalid', `The port of a URL is one of ${URL_PORTS.first} to ${URL_PORTS.last}`, 'NOT_A_URL_PORT')
  for (const { from } of moves) await freePort(unit, application, from)
  for (const { id, hostPort: port, from } of moves) {
    await takePort(unit, application, { ...from, port }, panelPort)
    if (id === null) await unit.decide(applications, application.id, 'Address', { changes: { urlPort: port } })
    else await unit.decide(applications, application.id, 'MovePort', { portId: id, port })
  }
}

/** @throws Rejection 404 */
function portIn(application: Application, id: string | null): HostPort {
  if (id !== null) return hostPortOf(found(application.ports[id]))
  return urlPortOf(application, found(application.urlPort ?? undefined))
}
