/**
 * What the tabs of one browser tell each other about the session. An installation behind plain http at an address of
 * its own is no secure context: there are no locks, and each tab renews for itself, which the service allows for ten
 * seconds.
 */
import type { Account, SignedIn } from './realm.ts'

type Told = { readonly signedIn: SignedIn<Account> } | { readonly signedOut: true }

export interface Tabs {
  tell(what: Told): void
  /** Runs `work` in one tab at a time. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>
}

export function tabsOf(name: string, heard: (what: Told) => void): Tabs {
  const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel(`daybook-${name}`) : undefined
  channel?.addEventListener('message', (event: Event) => heard((event as MessageEvent).data as Told))
  return {
    tell: (what) => channel?.postMessage(what),
    alone: <Result>(work: () => Promise<Result>): Promise<Result> =>
      'locks' in navigator ? navigator.locks.request(`daybook-${name}`, () => work()) : work(),
  }
}
