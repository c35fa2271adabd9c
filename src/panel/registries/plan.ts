/** The plan by which a server runs its registries. */
import { createHmac } from 'node:crypto'
import { encodeBase64, hash } from 'bcryptjs'
import type { HandlerContext } from '#kernel/http/route'
import type { ReactionEvent } from '#kernel/jobs/reaction'
import { findRow } from '#kernel/projections/lookup'
import type { ReadDatabase } from '#kernel/projections/read-database'
import type { Vault } from '#kernel/vault/vault'
import { hostedRegistryTable } from '#projections/panel/registries'
import type { HostedRegistryRow } from '#projections/panel/registries'
import { ERASED_MAX, HOSTED_MAX, registriesPlan } from '../../tasks/registries.ts'
import type { HostedRegistry } from '../../tasks/registries.ts'
import { installationOf } from '../agent/installation.ts'
import { askedPlan } from '../agent/plans.ts'
import { serverEvents } from '../servers/events.ts'
import { registries } from './decider.ts'
import type { Registry } from './decider.ts'
import { registryEvents } from './events.ts'
import { endRegistriesPlan } from './plan-end.ts'

/** 2 to this power rounds. The hash is on one host, whose root may read the images without it. */
const BCRYPT_COST = 10
const SALT_BYTES = 16

/** The same line for the same login, so that a plan that is made again changes nothing. */
async function htpasswdOf(vault: Vault, { id, username, password }: Registry): Promise<string> {
  const seed = createHmac('sha256', await vault.key('registry-salts'))
    .update(`${id}/${password}`)
    .digest()
  const salt = `$2b$${BCRYPT_COST}$${encodeBase64(seed.subarray(0, SALT_BYTES), SALT_BYTES)}`
  return `${username}:${await hash(password, salt)}`
}

type ContentsCall = Pick<HandlerContext, 'read' | 'vault' | 'run'>

/** @returns nothing for one that was removed meanwhile */
async function hostedOf({ vault, run }: ContentsCall, row: HostedRegistryRow): Promise<HostedRegistry[]> {
  const registry = await run((unit) => unit.look(registries, row.id))
  if (!registry) return []
  const { id: registryId, projectId, memoryMiB, cpuMillis, port } = row
  const htpasswd = await htpasswdOf(vault, registry)
  return [{ registryId, projectId, memoryMiB, cpuMillis, htpasswd, ...(port !== null && { port }) }]
}

/** The newest first, also those that were removed. */
const everOn = (read: ReadDatabase, serverId: string): Promise<HostedRegistryRow[]> =>
  hostedRegistryTable.queryIn(read).selectAll().where('serverId', '=', serverId).orderBy('position', 'desc').execute()

async function serverOf({ eventType, data }: ReactionEvent, read: ReadDatabase): Promise<string | undefined> {
  const { registryId: id, serverId } = data as { readonly registryId?: string; readonly serverId?: string }
  if (eventType === serverEvents.ServerRegistered)
    return (await findRow(read, hostedRegistryTable, { serverId: serverId! })) && serverId
  return (await findRow(read, hostedRegistryTable, { id: id! }))?.serverId
}

export const hostedRegistries = askedPlan({
  kind: registriesPlan,
  onEnd: endRegistriesPlan,
  on: [
    registryEvents.RegistryAdded,
    registryEvents.RegistryChanged,
    registryEvents.RegistryRemoved,
    serverEvents.ServerRegistered,
  ],
  async serversOf(event, { read }) {
    const serverId = await serverOf(event, read)
    return serverId === undefined ? [] : [serverId]
  },
  async contents(serverId, call) {
    const rows = await everOn(call.read, serverId)
    const there = rows.filter(({ state }) => state === 'THERE').slice(0, HOSTED_MAX)
    const erased = rows.filter(({ state }) => state === 'ERASED').slice(0, ERASED_MAX)
    const hosted = await Promise.all(there.map((row) => hostedOf(call, row)))
    const body = {
      installation: await installationOf(call.vault),
      registries: hosted.flat(),
      erased: erased.map(({ id }) => id),
    }
    return { revision: rows[0]?.position ?? 0, body }
  },
})
