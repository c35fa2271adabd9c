/**
 * The session of a surface. The access token lives in this module's memory; the refresh cookie, which no script can
 * read, brings the next one. One tab renews for all.
 */
import { createCall } from '#api-client/call'
import type { Call } from '#api-client/call'
import type { Operation } from '#api-client/operation'
import { Refusal } from '#api-client/refusal'
import type { Account, Realm, SignIn, SignedIn } from './realm.ts'
import { tabsOf } from './tabs.ts'

/** `lost`: it ended while pages are open; they stay behind a sign-in sheet, with what was typed. */
export type SessionPhase = 'starting' | 'out' | 'in' | 'lost'

export interface SessionState {
  readonly phase: SessionPhase
  readonly account: Account | undefined
}

export interface Session {
  readonly realm: Realm
  /** Calls with the access token; a token that was refused is renewed once. */
  readonly call: Call
  readonly state: () => SessionState
  readonly subscribe: (listener: () => void) => () => void
  /** Tries the refresh cookie if this browser has had a session. */
  readonly start: () => Promise<void>
  readonly signIn: (given: SignIn) => Promise<void>
  /** A session that another operation has begun, such as a verified e-mail address. */
  readonly enter: (signedIn: SignedIn<Account>) => void
  readonly signOut: () => Promise<void>
  /** Reads the account again: a right may have been given or taken. */
  readonly reread: () => Promise<void>
  readonly accessToken: () => Promise<string | undefined>
}

/** A token is renewed this long before its end. */
const RENEW_BEFORE_MS = 60_000
const UNAUTHENTICATED = 401
const ROLE = 'role:'

export function createSession<A extends Account>(realm: Realm<A>): Session {
  const marker = `daybook-${realm.kind}`
  const listeners = new Set<() => void>()
  let state: SessionState = { phase: 'starting', account: undefined }
  let token: string | undefined
  /** By the clock of this machine, which need not agree with that of the service. */
  let renewAtMs = 0
  let renewing: Promise<string | undefined> | undefined

  const become = (next: Partial<SessionState>): void => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const take = (given: string, account = state.account): void => {
    token = given
    renewAtMs = Date.now() + lifetimeMs(given) - RENEW_BEFORE_MS
    localStorage.setItem(marker, '1')
    become({ phase: 'in', account })
  }
  const end = (phase: 'out' | 'lost'): void => {
    token = undefined
    localStorage.removeItem(marker)
    become(phase === 'out' ? { phase, account: undefined } : { phase })
  }
  const tabs = tabsOf(realm.kind, (told) => {
    if ('signedOut' in told) end('out')
    else if (state.phase === 'in' || state.phase === 'lost') take(told.token)
  })
  const open = createCall({ baseUrl: '' })

  async function renew(): Promise<string | undefined> {
    const before = token
    return tabs.alone(async () => {
      // Another tab renewed while this one waited.
      if (token !== undefined && token !== before) return token
      try {
        const { data } = await open(realm.refresh, { body: {} })
        const { accessToken, user } = data
        take(accessToken, user)
        tabs.tell({ token: accessToken })
        return accessToken
      } catch (error) {
        if (!(error instanceof Refusal) || error.statusCode !== UNAUTHENTICATED) throw error
        end(state.phase === 'in' ? 'lost' : 'out')
        return undefined
      }
    })
  }
  const renewOnce = (): Promise<string | undefined> => {
    renewing ??= renew().finally(() => {
      renewing = undefined
    })
    return renewing
  }
  const accessToken = async (): Promise<string | undefined> =>
    token !== undefined && Date.now() > renewAtMs ? renewOnce() : token

  const authenticated = createCall({ baseUrl: '', token: accessToken })
  const call: Call = async (operation, ...input) => {
    try {
      return await authenticated(operation, ...input)
    } catch (error) {
      const isRefused =
        error instanceof Refusal && error.statusCode === UNAUTHENTICATED && error.code !== 'TOTP_REQUIRED'
      if (!isRefused || token === undefined || (await renewOnce()) === undefined) throw error
      return authenticated(operation, ...input)
    }
  }
  const enter = ({ accessToken, user }: SignedIn<Account>): void => take(accessToken, user)

  return {
    realm,
    call,
    accessToken,
    enter,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async start() {
      if (localStorage.getItem(marker) === null) return become({ phase: 'out' })
      await renewOnce().catch((error: unknown) => {
        become({ phase: 'out' })
        throw error
      })
    },
    async signIn(given) {
      const { data } = await open(realm.login, { body: given })
      enter(data)
    },
    async signOut() {
      await call(realm.logout, { body: {} }).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      })
      end('out')
      tabs.tell({ signedOut: true })
    },
    async reread() {
      const { data } = await call(realm.me)
      become({ account: data })
    },
  }
}

/** @param jwt an access token; the service checks it, the page only reads how long it is valid */
function lifetimeMs(jwt: string): number {
  const payload = atob((jwt.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/'))
  const { exp, iat } = JSON.parse(payload) as { exp: number; iat: number }
  return (exp - iat) * 1_000
}

/** Whether the account may call the operation, as far as the document says. */
export function mayCall(
  realm: Realm,
  account: Account | undefined,
  { openTo, permission, asks = [] }: Operation,
): boolean {
  if (openTo.length === 0) return true
  if (!account || !openTo.includes(realm.kind)) return false
  // What is asked about a project or a team is judged where that is known.
  const roles = asks.filter((ask) => ask.startsWith(ROLE))
  if (roles.length > 0 && !roles.includes(`${ROLE}${account.role}`)) return false
  return permission === undefined || account.permissions === undefined || account.permissions.includes(permission)
}
