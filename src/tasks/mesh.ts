/** The links between servers that hold workloads of one project: who reaches whom, and how fast. */
import { z } from 'zod'
import { uuid } from '#kernel/lib/uuid'
import { planKind } from './kind.ts'

const HOUR_MS = 3_600_000
const PORT_MAX = 65_535
/** A plan of so many peers stays below 1 MiB. */
export const PEERS_MAX = 2_000
/** An agent measures at most so many: a beat tells all of them. */
export const LINKS_MAX = 500

export const meshPort = z.int().min(1).max(PORT_MAX)

const MeshPeer = z.strictObject({
  serverId: uuid,
  /** Null: it cannot be called, and may call. */
  address: z.string().max(253).nullable(),
  port: meshPort,
  /** Of these two servers alone, base64url. */
  key: z.base64url().length(43),
})
export type MeshPeer = z.output<typeof MeshPeer>

export const mesh = planKind('mesh', 1, {
  body: z.strictObject({
    /** Null: the server listens for no peer. */
    port: meshPort.nullable(),
    peers: z.array(MeshPeer).max(PEERS_MAX),
  }),
  result: z.strictObject({}),
  needs: [],
  deadlineMs: HOUR_MS,
  runMs: 30_000,
})
export type MeshBody = z.output<typeof mesh.body>

export const LINK_STATES = ['OK', 'BLOCKED'] as const

/** A measured link from the server of the agent. */
export const MeshLink = z.strictObject({
  to: uuid,
  state: z.enum(LINK_STATES),
  /** Null unless it is OK. */
  rttMs: z.number().min(0).max(60_000).nullable(),
  /** Since the measurement: clocks of hosts differ. */
  ageMs: z.int().min(0).max(HOUR_MS),
})
export type MeshLink = z.output<typeof MeshLink>
