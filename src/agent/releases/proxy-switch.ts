/** What releases ask of the proxy of their host. */
import type { z } from 'zod'
import type { ProxyFragment } from '../../tasks/proxy.ts'
import type { deployed } from '../../tasks/releases.ts'

export interface DrainAsked {
  /** The deployment whose containers get no new request any more. */
  readonly release: string
  readonly seconds: number
  readonly signal: AbortSignal
}

export interface Drained {
  readonly drainedMs: number
  /** Requests and connections that were left when their time was over. */
  readonly cut: number
}

type Owner = z.output<typeof deployed>

export interface ProxySwitch {
  /** Resolves when the containers have no request any more, or their time is over. */
  drained(asked: DrainAsked): Promise<Drained>
  /** New requests for the workload wait from now on, until `put` or `resume`. A second time changes nothing. */
  hold(owner: Owner): Promise<void>
  /** New requests go to the release of the fragment. @throws TaskFailure as `proxy.put` fails */
  put(fragment: ProxyFragment, signal: AbortSignal): Promise<unknown>
  /** New requests go to the release of the last fragment that was taken, if there is one. */
  resume(owner: Owner, signal: AbortSignal): Promise<void>
}

/** Of a host without a proxy: nothing leads to its containers. */
export const NO_PROXY: ProxySwitch = {
  drained: async () => ({ drainedMs: 0, cut: 0 }),
  hold: async () => {},
  put: async () => {},
  resume: async () => {},
}
