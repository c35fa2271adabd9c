/** The network of an environment on the engine, and the addresses of containers in it. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { z } from 'zod'
import { LABELS } from '../../tasks/labels.ts'
import { askEngine, GONE } from '../engine/ask-engine.ts'
import type { AskEngine } from '../engine/ask-engine.ts'
import { NetworkUser, usesNetwork } from '../engine/networks.ts'
import { Labels } from '../engine/owners.ts'
import { TaskFailure } from '../performer.ts'
import { withAddressBook } from './address-book.ts'
import type { AddressBook, Page } from './address-book.ts'
import { blockOf, blockText, freeAddress, freeSubnet, gatewayOf, routedBlocks, SUBNET_BITS } from './addresses.ts'
import type { Block } from './addresses.ts'
import type { ReleaseHost } from './host.ts'
import { networkRange } from './network-range.ts'

/** Connections of its containers to other hosts leave from this address. Source: libnetwork, netlabel. */
const OUTBOUND_OPTION = 'com.docker.network.host_ipv4'
/** A network that containers use, or the engine itself. */
const IN_USE = [403, 409]
const ROUTES = '/proc/net/route'

const Network = z.object({
  Id: z.string(),
  Name: z.string(),
  Labels,
  IPAM: z.object({ Config: z.array(z.object({ Subnet: z.string().optional() })).nullish() }).nullish(),
})
type Network = z.output<typeof Network>
const Networks = z.array(Network)
const Containers = z.array(
  z.object({
    NetworkSettings: z.object({
      Networks: z.record(
        z.string(),
        z.object({
          IPAddress: z.string().nullish(),
          IPAMConfig: z.object({ IPv4Address: z.string().optional() }).nullish(),
        }),
      ),
    }),
  }),
)

export interface Environment {
  readonly installation: string
  readonly projectId: string
  readonly environmentId: string
  readonly outboundIp: string | null
}

export interface Placed {
  readonly network: string
  /** By whose they are. */
  readonly addresses: ReadonlyMap<string, string>
}

export const networkName = ({ environmentId, outboundIp }: Pick<Environment, 'environmentId' | 'outboundIp'>): string =>
  outboundIp === null ? `daybook-${environmentId}` : `daybook-${environmentId}-${outboundIp.replaceAll(':', '.')}`

/**
 * The network is there, and each of the owners has an address in it. An owner that has one keeps it.
 * @throws TaskFailure NO_ADDRESS
 */
export function place(
  host: ReleaseHost,
  environment: Environment,
  owners: readonly string[],
  signal: AbortSignal,
): Promise<Placed> {
  refuseForeignAddress(environment.outboundIp)
  return withAddressBook(host.directory, async (book) => {
    const ask = askEngine(host.call, signal)
    const name = networkName(environment)
    const networks = Networks.parse((await ask('GET', '/networks')).body)
    const present = networks.find(({ Name }) => Name === name)
    const kept = (await book.pages()).find(({ network }) => network === name)
    const page = present
      ? pageOf(present, environment, kept)
      : await pageFor(host, { name, kept, networks, others: await otherPages(book, name) })
    const full = reserve(page, owners, await usedIn(ask, name))
    await book.write(full)
    if (!present) await make(full, environment, ask)
    return { network: name, addresses: new Map(Object.entries(full.addresses)) }
  })
}

/** What the agent cannot use as an address of its host. */
function refuseForeignAddress(ip: string | null): void {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  if (ip !== null && !own.some(({ address }) => address === ip))
    throw new TaskFailure('NO_ADDRESS', `The host does not have the address ${ip}`)
}

const otherPages = async (book: AddressBook, name: string): Promise<Page[]> =>
  (await book.pages()).filter(({ network }) => network !== name)

/** Of a network that is there: the engine knows its block, whatever the file says. */
function pageOf(present: Network, environment: Environment, kept: Page | undefined): Page {
  const isOwn =
    present.Labels?.[LABELS.installation] === environment.installation &&
    present.Labels[LABELS.environment] === environment.environmentId
  const subnet = blockOf(present.IPAM?.Config?.[0]?.Subnet ?? '')
  if (!isOwn || subnet?.bits !== SUBNET_BITS)
    throw new TaskFailure('NO_ADDRESS', `Another network of the engine has the name ${present.Name}: remove it`)
  const text = blockText(subnet)
  return kept?.subnet === text ? kept : { network: present.Name, subnet: text, last: null, addresses: {} }
}

interface Wanted {
  readonly name: string
  readonly kept: Page | undefined
  readonly networks: readonly Network[]
  readonly others: readonly Page[]
}

/** The block that it had, unless something else has it now. */
async function pageFor(host: ReleaseHost, { name, kept, networks, others }: Wanted): Promise<Page> {
  const texts = [
    ...networks.flatMap(({ IPAM }) => IPAM?.Config?.flatMap(({ Subnet }) => Subnet ?? []) ?? []),
    ...others.map(({ subnet }) => subnet),
  ]
  const taken = [...texts.flatMap((text) => blockOf(text) ?? []), ...(await blocksOfHost())]
  const range = await networkRange(host.policyPath)
  const seed = createHash('sha256').update(name).digest().readUInt32BE(0)
  const former = kept && blockOf(kept.subnet)
  if (kept && former && freeSubnet(former, taken, 0)) return kept
  const subnet = freeSubnet(range, taken, seed)
  if (!subnet) throw new TaskFailure('NO_ADDRESS', `No block of ${blockText(range)} is free on the host`)
  return { network: name, subnet: blockText(subnet), last: null, addresses: {} }
}

async function blocksOfHost(): Promise<Block[]> {
  const routes = await readFile(ROUTES, 'utf8').catch(() => '')
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return [...routedBlocks(routes), ...own.flatMap(({ cidr }) => blockOf(cidr ?? '') ?? [])]
}

/** Of containers in the network, running or not. */
async function usedIn(ask: AskEngine, name: string): Promise<string[]> {
  const all = Containers.parse((await ask('GET', '/containers/json?all=true')).body)
  return all.flatMap(({ NetworkSettings }) => {
    const { IPAddress, IPAMConfig } = NetworkSettings.Networks[name] ?? {}
    return [IPAMConfig?.IPv4Address, IPAddress].filter((address) => address !== undefined && address !== null)
  })
}

function reserve(page: Page, owners: readonly string[], engineUses: readonly string[]): Page {
  const subnet = blockOf(page.subnet)!
  const addresses = { ...page.addresses }
  const used = new Set([...Object.values(addresses), ...engineUses])
  let { last } = page
  for (const owner of owners) {
    if (addresses[owner] !== undefined) continue
    const address = freeAddress(subnet, used, last)
    if (address === undefined)
      throw new TaskFailure('NO_ADDRESS', `All addresses of the environment in ${page.subnet} are used`)
    last = addresses[owner] = address
    used.add(address)
  }
  return { ...page, last, addresses }
}

async function make(page: Page, environment: Environment, ask: AskEngine): Promise<void> {
  const { installation, projectId, environmentId, outboundIp } = environment
  await ask('POST', '/networks/create', [], {
    Name: page.network,
    CheckDuplicate: true,
    Driver: 'bridge',
    IPAM: { Config: [{ Subnet: page.subnet, Gateway: gatewayOf(blockOf(page.subnet)!) }] },
    Options: outboundIp === null ? {} : { [OUTBOUND_OPTION]: outboundIp },
    Labels: {
      [LABELS.installation]: installation,
      [LABELS.project]: projectId,
      [LABELS.environment]: environmentId,
    },
  })
}

/**
 * The owners need their addresses no more. A network without any, and without a container, goes.
 * @param isFreed whether an owner is one of them
 */
export function free(
  host: ReleaseHost,
  installation: string,
  isFreed: (owner: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  return withAddressBook(host.directory, async (book) => {
    const ask = askEngine(host.call, signal)
    for (const page of await book.pages()) {
      const all = Object.entries(page.addresses)
      const addresses = Object.fromEntries(all.filter(([owner]) => !isFreed(owner)))
      const left = Object.keys(addresses).length
      if (left < all.length) await book.write({ ...page, addresses })
      if (left === 0 && (await removeUnused(ask, page.network, installation))) await book.remove(page.network)
    }
  })
}

/** @returns whether it is gone */
async function removeUnused(ask: AskEngine, name: string, installation: string): Promise<boolean> {
  const { status, body } = await ask('GET', `/networks/${name}`, [GONE])
  if (status === GONE) return true
  const network = Network.parse(body)
  if (network.Labels?.[LABELS.installation] !== installation) return false
  const containers = z.array(NetworkUser).parse((await ask('GET', '/containers/json?all=true')).body)
  if (containers.some((container) => usesNetwork(container, network))) return false
  return !IN_USE.includes((await ask('DELETE', `/networks/${network.Id}`, [GONE, ...IN_USE])).status)
}
