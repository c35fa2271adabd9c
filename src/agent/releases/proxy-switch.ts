import type { z } from 'zod'
import type { ProxyFragment } from '../../tasks/proxy.ts'
/** What releases ask of the proxy of their host. */
import type { deployed } from '../../tasks/releases.ts'

export interface DrainedRelease {
  readonly deploymentId: string
  /** Of its containers. */
  readonly addresses: readonly string[]
}

export interface Drained {
  readonly drainedMs: number
  /** Sessions that were open when the time was over. */
  readonly cut: number
}

export interface ProxyDrain {
  /** Resolves when the proxy has no session to the containers, or the time is over. It opens none from now on. */
  drained(release: DrainedRelease, seconds: number, signal: AbortSignal): Promise<Drained>
}

export interface ProxySwitch extends ProxyDrain {
  /** New requests for the workload wait from now on, until `put`. A second time changes nothing. */
  hold(owner: z.output<typeof deployed>, signal: AbortSignal): Promise<void>
  /** New requests go to the release of the fragment. @throws TaskFailure as `proxy.put` fails */
  put(fragment: ProxyFragment, signal: AbortSignal): Promise<void>
}

/** Of a host without a proxy: nothing leads to its containers. */
export const NO_PROXY: ProxySwitch = {
  drained: async () => ({ drainedMs: 0, cut: 0 }),
  hold: async () => {},
  put: async () => {},
}
