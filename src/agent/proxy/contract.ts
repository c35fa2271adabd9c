/** What tasks ask of the proxy of a host. */
import type { ProxyFragment } from '../../tasks/proxy.ts'
import type { Owner } from './state.ts'

export interface Drained {
  readonly drainedMs: number
  /** Requests and connections that were left when their time was over. */
  readonly cut: number
}

export interface DrainAsked {
  /** The deployment whose targets get no new request any more. */
  readonly release: string
  readonly seconds: number
  readonly signal: AbortSignal
}

export interface Proxy {
  /** @throws TaskFailure as the kind `proxy.put` says */
  put(fragment: ProxyFragment, signal: AbortSignal): Promise<{ reloaded: boolean; targets: number }>
  /** New requests of a workload wait up to a minute, and those that run go on. `put` and `resume` end it. */
  hold(owner: Owner): Promise<void>
  /** Requests go to the release of the last fragment again. @throws TaskFailure NOT_RUNNING */
  resume(owner: Owner, signal: AbortSignal): Promise<void>
  /** Resolves when the targets have no request any more, or their time is over. Nothing leads to them then. */
  drained(asked: DrainAsked): Promise<Drained>
  /** Starts HAProxy now and whenever it has ended. @returns what ends that; HAProxy goes on */
  keepUp(): () => Promise<void>
}
