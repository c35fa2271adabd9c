/**
 * The session of a surface. The access token lives in this module's memory; the refresh cookie, which no script can
 * read, brings the next one. One tab renews for all.
 */
import { createCall } from '#api-client/call'
import type { Call } from '#api-client/call'
import type { Operation } from '#api-client/operation'
import { Refusal } from '#api-client/refusal'
import { keptKeys } from './kept-keys.ts'
import type { KeptKeys } from './kept-keys.ts'
import type { Account, Realm, SignIn, SignedIn } from './realm.ts'
import { removeStored, store, stored } from './stored.ts'
import { tabsOf } from './tabs.ts'

/**
 * `unreached`: the service did not answer when the page was opened, so it is unknown whether there is a session.
 * `lost`: it ended while pages are open; they stay behind a sign-in sheet, with what was typed.
 */
export type SessionPhase = 'starting' | 'unreached' | 'out' | 'in' | 'lost'

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
  /** Tries the refresh cookie if this browser has had a session. Tries again if the service did not answer. */
  readonly start: () => Promise<void>
  readonly signIn: (given: SignIn) => Promise<void>
  /** A session that another operation has begun, such as a verified e-mail address. */
  readonly enter: (signedIn: SignedIn<Account>) => void
  /** @throws Error if the service does not end the session: the person is still signed in */
  readonly signOut: () => Promise<void>
  /** Reads the account again: a right may have been given or taken. */
  readonly reread: () => Promise<void>
  readonly accessToken: () => Promise<string | undefined>
  /** Of changes of this account. */
  readonly keys: KeptKeys
  /** A change of this tab, after which everything is read again anyhow. */
  readonly noteOwnChange: (position: number) => void
  readonly isOwnChange: (position: number) => boolean
}

/** A token is renewed this long before its end. */
const RENEW_BEFORE_MS = 60_000
const UNAUTHENTICATED = 401
const FORBIDDEN = 403
/** The feed tells of a change within a second. */
const OWN_CHANGES_MAX = 100
/** These refuse a password or a code. Sent again, a wrong one would count twice. */
const WRONG_PROOF = ['INVALID_CREDENTIALS', 'TOTP_REQUIRED']
const ROLE = 'role:'

export function createSession<A extends Account>(realm: Realm<A>): Session {
  const marker = `daybook-${realm.kind}`
  const listeners = new Set<() => void>()
  let state: SessionState = { phase: 'starting', account: undefined }
  let token: string | undefined
  /** By the clock of this machine, which need not agree with that of the service. */
  let renewAtMs = 0
  let renewing: Promise<string | undefined> | undefined
  /** Sessions that have ended here: an answer about one of them is too late. */
  let ended = 0
  let ownChanges: readonly number[] = []
  let rereading: Promise<void> | undefined

  const become = (next: Partial<SessionState>): void => {
    state = { ...state, ...next }
    for (const listener of listeners) listener()
  }
  const keys = keptKeys()
  const take = ({ accessToken: given, user }: SignedIn<Account>): void => {
    if (user.id !== state.account?.id) keys.clear()
    token = given
    renewAtMs = Date.now() + lifetimeMs(given) - RENEW_BEFORE_MS
    store(marker, '1')
    become({ phase: 'in', account: user })
  }
  const end = (phase: 'out' | 'lost'): void => {
    ended += 1
    token = undefined
    removeStored(marker)
    become(phase === 'out' ? { phase, account: undefined } : { phase })
  }
  const tabs = tabsOf(realm.kind, (told) => {
    if ('signedOut' in told) end('out')
    else if (state.phase === 'in' || state.phase === 'lost') take(told.signedIn)
  })
  /** The cookie has one holder, so the other tabs change to the same account. */
  const enter = (signedIn: SignedIn<Account>): void => {
    take(signedIn)
    tabs.tell({ signedIn })
  }
  const open = createCall({ baseUrl: '' })
  const readAccount = async (): Promise<void> => {
    const { data } = await call(realm.me)
    if (JSON.stringify(data) !== JSON.stringify(state.account)) become({ account: data })
  }
  const reread = (): Promise<void> => {
    rereading ??= readAccount().finally(() => {
      rereading = undefined
    })
    return rereading
  }

  async function renew(): Promise<string | undefined> {
    const [before, endedBefore] = [token, ended]
    return tabs.alone(async () => {
      // Another tab renewed while this one waited.
      if (token !== undefined && token !== before) return token
      try {
        const { data } = await open(realm.refresh, { body: {} })
        if (ended !== endedBefore) return undefined
        enter(data)
        return data.accessToken
      } catch (error) {
        if (!isUnauthenticated(error)) throw error
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
    const caller = state.account?.id
    try {
      return await authenticated(operation, ...input)
    } catch (error) {
      // Without a role that it had, the account sees other pages.
      if (isForbidden(error)) void reread().catch(() => {})
      const isRenewed = isTokenRefused(error) && token !== undefined && (await renewOnce()) !== undefined
      // What one account asked for is not done by another.
      if (!isRenewed || state.account?.id !== caller) throw error
      return authenticated(operation, ...input)
    }
  }

  return {
    realm,
    call,
    accessToken,
    keys,
    enter,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async start() {
      if (stored(marker) === null) return become({ phase: 'out' })
      await renewOnce().catch((error: unknown) => become({ phase: isPassing(error) ? 'unreached' : 'out' }))
    },
    async signIn(given) {
      const { data } = await open(realm.login, { body: given })
      enter(data)
    },
    async signOut() {
      await call(realm.logout, { body: {} }).catch((error: unknown) => {
        // It has ended already.
        if (!isUnauthenticated(error)) throw error
      })
      end('out')
      tabs.tell({ signedOut: true })
    },
    reread,
    noteOwnChange(position) {
      ownChanges = [...ownChanges, position].slice(-OWN_CHANGES_MAX)
    },
    isOwnChange: (position) => ownChanges.includes(position),
  }
}

const isUnauthenticated = (error: unknown): error is Refusal =>
  error instanceof Refusal && error.statusCode === UNAUTHENTICATED

/** Of a missing proof of identity, the rights say nothing. */
const isForbidden = (error: unknown): boolean =>
  error instanceof Refusal && error.statusCode === FORBIDDEN && error.code !== 'STEP_UP_REQUIRED'

const isTokenRefused = (error: unknown): boolean => isUnauthenticated(error) && !WRONG_PROOF.includes(error.code ?? '')

/** No answer, or one of a service that is being started or has too much to do. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof Refusal) || error.statusCode === 429 || error.statusCode >= 500

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
