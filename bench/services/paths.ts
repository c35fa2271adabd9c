/** The requests that are measured, and who answers them. */
import type { Sample } from '../results.ts'

/** The twin: see twin/process.ts. Cryptography: that of one heartbeat, without a service. */
export type Answerer = 'daybook' | 'twin' | 'cryptography'
export type PathSample = Sample<Answerer>

export interface Path {
  readonly name: string
  readonly does: string
  /** Requests that wait for an answer at once. */
  readonly inFlight: number
  readonly contestants: readonly Answerer[]
  /** Signed requests are made ahead of each round, as many for each second of the others. */
  readonly signed?: { readonly path: 'activate' | 'heartbeat'; readonly perSecond: number }
  /** Of the licensing service. By default one. */
  readonly processes?: 2
}

const BESIDE_TWIN = ['daybook', 'twin'] as const

export const PATHS: readonly Path[] = [
  { name: 'tokenRead', does: 'read with a machine token, 32 in flight', inFlight: 32, contestants: BESIDE_TWIN },
  { name: 'keyRead', does: 'read with an API key, 32 in flight', inFlight: 32, contestants: BESIDE_TWIN },
  { name: 'provisioning32', does: 'provisioning, 32 in flight', inFlight: 32, contestants: BESIDE_TWIN },
  { name: 'provisioning1', does: 'provisioning, one at a time', inFlight: 1, contestants: BESIDE_TWIN },
  {
    name: 'activation',
    does: 'activation, 32 in flight',
    inFlight: 32,
    contestants: BESIDE_TWIN,
    signed: { path: 'activate', perSecond: 200 },
  },
  {
    name: 'heartbeat',
    does: 'heartbeat, 64 in flight',
    inFlight: 64,
    contestants: [...BESIDE_TWIN, 'cryptography'],
    signed: { path: 'heartbeat', perSecond: 600 },
  },
  {
    name: 'heartbeatX2',
    does: 'heartbeat, two processes, 64 in flight',
    inFlight: 64,
    contestants: ['daybook'],
    signed: { path: 'heartbeat', perSecond: 600 },
    processes: 2,
  },
]

/** Measured in the store's bench too: from the call of append until a read model shows its event. */
export const VISIBLE = 'visible'
