/** The proxy of a host: which of its addresses lead to the containers of a workload. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import { taskKind } from './kind.ts'
import { containerPort, deployed, installation, laneOf, REPLICAS_MAX, ServiceName } from './releases.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** How long a change of the proxy may take. */
export const SWITCH_MS = 2 * MINUTE_MS

export const HOSTS_MAX = 50
export const LISTENERS_MAX = 50
export const BACKENDS_MAX = 50

const mode = z.enum(['HTTP', 'TCP'])
const backend = z.string().regex(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/)
/** Lower case. */
const hostName = z
  .string()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/)

export const ProxyBackend = z.strictObject({
  name: backend,
  mode,
  /** Of the release: the containers of this service, at this port. */
  service: ServiceName,
  port: containerPort,
  replicas: z.int().min(1).max(REPLICAS_MAX),
})
export type ProxyBackend = z.output<typeof ProxyBackend>

/** All that the proxy knows of one workload. Without backends, it knows nothing of it any more. */
export const proxyFragment = {
  installation,
  owner: deployed,
  /** A lower one than the agent has is ignored. */
  revision: z.int().min(1),
  /** The deployment whose containers get the requests. Null: none, and requests are answered 503. */
  release: uuid.nullable(),
  /** On port 80. */
  hosts: z.array(z.strictObject({ host: hostName, backend })).max(HOSTS_MAX),
  listeners: z
    .array(
      z.strictObject({
        /** Of the host. Null: all of them. */
        ip: z.union([z.ipv4(), z.ipv6()]).nullable(),
        port: z.int().min(1).max(65_535),
        mode,
        backend,
      }),
    )
    .max(LISTENERS_MAX),
  backends: z.array(ProxyBackend).max(BACKENDS_MAX),
}

export type ProxyFragment = z.output<z.ZodObject<typeof proxyFragment>>

const { release: _release, ...ofItsRelease } = proxyFragment

/** Of a task that switches to the release that it makes. */
export const ownFragment = z.strictObject(ofItsRelease)

/**
 * New requests go to the release; those to an earlier one go on until `release.retire` ends them.
 * Fails with PORT_IN_USE (another program or workload has the port), HOST_TAKEN (another workload has the name),
 * NOT_AN_ADDRESS_HERE, NO_PROXY (no HAProxy on the host), NOT_RUNNING (the release has no container of a backend),
 * BAD_FRAGMENT (it contradicts itself), PROXY_REFUSED (HAProxy does not take the configuration). Nothing has changed then.
 */
export const proxyPut = taskKind('proxy.put', 1, {
  payload: z.strictObject(proxyFragment),
  result: z.strictObject({ reloaded: z.boolean(), targets: z.int().min(0) }),
  lane: ({ owner }) => laneOf(owner),
  pool: 'quick',
  needs: ['engine'],
  deadlineMs: HOUR_MS,
  runMs: () => SWITCH_MS,
  attempts: 3,
  retryOn: ['ENGINE_DOWN', 'PROXY_DOWN'],
  onRestart: 'repeat',
  shows: ['release', 'reloaded', 'targets'],
})
