/**
 * Identifies a machine (licensing.md 8) by hashes of values that rarely change together. The values
 * never leave the host. Values that change with a container, an address or a name are not included.
 */
import { createHmac } from 'node:crypto'
import { readFile, readdir, readlink, stat } from 'node:fs/promises'
import { cpus } from 'node:os'

const SCHEME = 'fp1'
const KEY = 'daybook-fp1'
const HASH_BYTES = 16

export const COMPONENTS = ['install', 'machine', 'board', 'rootfs', 'cpu', 'net'] as const
export type FingerprintComponent = (typeof COMPONENTS)[number]
export type HostValues = Readonly<Partial<Record<Exclude<FingerprintComponent, 'install'>, string>>>

export interface Fingerprint {
  readonly scheme: typeof SCHEME
  readonly components: Readonly<Partial<Record<FingerprintComponent, string>>>
}

/** base64url of 16 bytes. */
export const hashOf = (value: string): string =>
  createHmac('sha256', KEY).update(value).digest().subarray(0, HASH_BYTES).toString('base64url')

/** @param installId the anchor: random, and stored in the panel's memory */
export function fingerprint(installId: string, host: HostValues): Fingerprint {
  const values = { install: installId, ...host }
  const known = COMPONENTS.flatMap((name) => {
    const value = values[name]?.trim().toLowerCase()
    return value ? [[name, hashOf(value)] as const] : []
  })
  return { scheme: SCHEME, components: Object.fromEntries(known) }
}

/**
 * The values of this host that can be read. Complete on Linux; on other systems little more than the
 * processor.
 */
export async function hostValues(root = '/'): Promise<HostValues> {
  const at = (path: string) => `${root}${path}`
  const [machine, board, rootfs, net] = await Promise.all([
    textAt(at('etc/machine-id')),
    textAt(at('sys/class/dmi/id/product_uuid')),
    rootfsUuid(root).catch(nothing),
    firstMac(at('sys/class/net')).catch(nothing),
  ])
  const [first, ...others] = cpus()
  const cpu = first ? `${first.model} x${others.length + 1}` : undefined
  const all = { machine, board, rootfs, cpu, net }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

async function textAt(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch(nothing)
  return text?.trim() || undefined
}

/** The UUID of the device that contains `/`. */
async function rootfsUuid(root: string): Promise<string | undefined> {
  const folder = `${root}dev/disk/by-uuid`
  const { dev } = await stat(root)
  for (const uuid of (await readdir(folder)).toSorted()) {
    const device = await stat(`${folder}/${uuid}`).catch(nothing)
    if (device?.rdev === dev) return uuid
  }
  return undefined
}

/** The address of the first physical interface: bridges and the interfaces of containers have no device. */
async function firstMac(folder: string): Promise<string | undefined> {
  for (const name of (await readdir(folder)).toSorted()) {
    const isPhysical = (await readlink(`${folder}/${name}/device`).catch(nothing)) !== undefined
    const mac = isPhysical ? await textAt(`${folder}/${name}/address`) : undefined
    if (mac && !/^(00:)*00$/.test(mac)) return mac
  }
  return undefined
}

const nothing = (): undefined => undefined
