/** The session and the answers of the service, for components. */
import {
  QueryClient,
  QueryClientProvider,
  replaceEqualDeep,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { UseQueryResult } from '@tanstack/react-query'
import { createContext, use, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import type { CallArguments, CallInput } from '#api-client/call'
import type { Operation, Shape } from '#api-client/operation'
import { readPage } from '#api-client/paging'
import type { ItemOf, Place } from '#api-client/paging'
import { Refusal } from '#api-client/refusal'
import { recordsIn } from '../live/list-pages.ts'
import type { ShownPage } from '../live/list-pages.ts'
import { ProofProvider, useProof } from './proof.tsx'
import type { Account } from './realm.ts'
import { mayCall } from './session.ts'
import type { Session, SessionState } from './session.ts'
import { OWN_WAIT_MAX_MS, untilItHolds } from './until-it-holds.ts'

const SessionContext = createContext<Session | undefined>(undefined)

const TRIES_MAX = 2
const PASSING = [429, 503]
const CHANGED_SINCE = 412
const WAITING_MS = 2_000
/** Lists that lag behind a change show it by then. */
const FOLLOWS_MS = 1_000
/** The record is not as the page shows it. */
const OTHERWISE = [404, 409, CHANGED_SINCE]

/** What passes by itself is asked again; a refusal is an answer. */
const isWorthAnotherTry = (tries: number, error: Error): boolean =>
  tries < TRIES_MAX &&
  (!(error instanceof Refusal) || (PASSING.includes(error.statusCode) && (error.retryAfterMs ?? 0) <= OWN_WAIT_MAX_MS))

/** Answers are read again when a page is opened, on focus, and after each change. */
const newQueries = (): QueryClient =>
  new QueryClient({
    defaultOptions: {
      queries: {
        retry: isWorthAnotherTry,
        retryDelay: (tries, error) => (error instanceof Refusal && error.retryAfterMs) || 500 * 2 ** tries,
        staleTime: 1_000,
      },
    },
  })

interface SessionProviderProps {
  readonly session: Session
  readonly children: ReactNode
}

export function SessionProvider({ session, children }: SessionProviderProps) {
  const [queries] = useState(newQueries)
  useEffect(() => {
    let { account, phase } = session.state()
    return session.subscribe(() => {
      const now = session.state()
      if (now.account?.id !== account?.id) queries.clear()
      else if (phase === 'lost' && now.phase === 'in') void queries.invalidateQueries()
      account = now.account
      phase = now.phase
    })
  }, [session, queries])
  return (
    <SessionContext value={session}>
      <QueryClientProvider client={queries}>
        <ProofProvider session={session}>{children}</ProofProvider>
      </QueryClientProvider>
    </SessionContext>
  )
}

export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('There is no session around this component')
  return session
}

export function useSessionState(): SessionState {
  const { state, subscribe } = useSession()
  return useSyncExternalStore(subscribe, state)
}

/** @throws Error on a page that is shown without a session */
export function useAccount<A extends Account = Account>(): A {
  const { account } = useSessionState()
  if (!account) throw new Error('This page is shown without a session')
  return account as A
}

/** Whether the person may call an operation. */
export function useCan(): (operation: Operation) => boolean {
  const { realm } = useSession()
  const { account } = useSessionState()
  return useCallback((operation) => mayCall(realm, account, operation), [realm, account])
}

const keyOf = ({ method, path }: Operation, input: object | undefined): readonly unknown[] => [
  `${method} ${path}`,
  input ?? {},
]

/** The version of each record that was read, by the answer that shows it. */
const versions = new WeakMap<object, string>()

const isObject = (data: unknown): data is object => typeof data === 'object' && data !== null

const versionOf = (data: unknown): string | undefined => (isObject(data) ? versions.get(data) : undefined)

function keepVersion(data: unknown, version: string | undefined): void {
  if (isObject(data) && version !== undefined) versions.set(data, version)
}

/** Changes that this page has made, or has told its person of. Forms go on from what the page shows since. */
let ownChanges = 0

/**
 * The version of the record as the form has shown it first, so that what is read meanwhile does not hide a change by
 * another person from the one who fills in a form.
 */
function useShownVersion({ method, path }: Operation, of: object | undefined) {
  const queries = useQueryClient()
  const newest = (): string | undefined =>
    method === 'PATCH' || method === 'PUT' ? versionOf(queries.getQueryData([`GET ${path}`, of ?? {}])) : undefined
  const [shown] = useState(() => ({ version: newest(), ownChanges }))
  return (): string | undefined => (shown.ownChanges === ownChanges ? shown.version : undefined) ?? newest()
}

function queryOf<S extends Shape>({ call }: Session, operation: Operation<S>, input: CallInput<S> | undefined) {
  return {
    queryKey: keyOf(operation, input),
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<S['data']> => {
      const { data, etag } = await call(operation, ...([{ ...input, signal }] as unknown as CallArguments<S>))
      keepVersion(data, etag)
      return data ?? null
    },
    structuralSharing: (known: unknown, read: unknown): unknown => {
      const shared = replaceEqualDeep(known, read)
      keepVersion(shared, versionOf(read))
      return shared
    },
  }
}

/** The answer of a reading operation. It is read again after each change. */
export function useAnswer<S extends Shape>(
  operation: Operation<S>,
  ...[input]: CallArguments<S>
): UseQueryResult<S['data']> {
  return useQuery(queryOf(useSession(), operation, input))
}

/**
 * The same for an operation that the person may not be allowed to call, or whose parameter is not known yet.
 * @param isWaiting whether an outside system will change the answer soon: then it is asked for at intervals
 */
export function useAnswerIf<S extends Shape>(
  isAsked: boolean,
  operation: Operation<S>,
  input: CallInput<S>,
  isWaiting?: (data: S['data'] | undefined) => boolean,
  everyMs = WAITING_MS,
): UseQueryResult<S['data']> {
  const can = useCan()
  return useQuery({
    ...queryOf(useSession(), operation, input),
    enabled: isAsked && can(operation),
    refetchInterval: ({ state }) => (isWaiting?.(state.data) ? everyMs : false),
  })
}

export interface ListAnswer<Item> {
  readonly items: readonly Item[]
  /** All items; undefined if the service does not count this list. */
  readonly total: number | undefined
  readonly isLoading: boolean
  readonly error: Error | null
  /** Absent: all items are here. */
  readonly more: (() => void) | undefined
  readonly isLoadingMore: boolean
  /** Asks once more for what failed. */
  readonly again: () => void
  /** New records that are not shown until `showNew`, so that the others do not move. */
  readonly unseen: number
  readonly showNew: () => void
}

interface ListOptions {
  /** Whether new records wait until they are asked for. Default: they are shown at once. */
  readonly holdsNew?: boolean
  /** How often the list is read again, where it changes without an event. */
  readonly everyMs?: number | undefined
}

/** A list, one page after another. */
export function useList<S extends Shape>(
  operation: Operation<S>,
  input: CallInput<S>,
  { holdsNew = false, everyMs }: ListOptions = {},
): ListAnswer<ItemOf<S['data']>> {
  const { call } = useSession()
  const queries = useQueryClient()
  // The pages of a list are kept apart from one answer to the same input.
  const queryKey = [...keyOf(operation, input), 'pages']
  const answer = useInfiniteQuery({
    queryKey,
    meta: { holdsNew },
    initialPageParam: undefined as Place | undefined,
    queryFn: ({ pageParam, signal }): Promise<ShownPage<ItemOf<S['data']>>> =>
      readPage(call, operation, { ...input, signal }, pageParam),
    getNextPageParam: ({ next }) => next,
    refetchInterval: everyMs ?? false,
    // Many pages are read again when they change, and not each time that the person comes back.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 1) === 1,
  })
  const pages = answer.data?.pages ?? []
  return {
    items: recordsIn(pages),
    // Of a list by position, a later page counts only what is before it.
    total: pages[0]?.total,
    isLoading: answer.isPending,
    error: answer.error,
    more: answer.hasNextPage ? () => void answer.fetchNextPage() : undefined,
    isLoadingMore: answer.isFetchingNextPage,
    again: () => void (answer.isFetchNextPageError ? answer.fetchNextPage() : answer.refetch()),
    unseen: pages[0]?.unseen ?? 0,
    showNew() {
      // The new ones are on the first page: what was loaded below is not read again.
      queries.setQueryData<typeof answer.data>(
        queryKey,
        (shown) => shown && { pages: shown.pages.slice(0, 1), pageParams: shown.pageParams.slice(0, 1) },
      )
      void answer.refetch()
    },
  }
}

/**
 * Makes a change. The same input keeps its Idempotency-Key until it has succeeded or was refused, so a second click, a
 * retry or a lost answer changes nothing twice. A fresh proof of identity is asked for where the service wants one.
 * @param record the input of the GET of the record that is changed: a change by another person is then not overwritten
 */
export function useChange<S extends Shape>(
  operation: Operation<S>,
  record?: object,
): (input: CallInput<S>) => Promise<S['data']> {
  const { call, accessToken, keys, noteOwnChange } = useSession()
  const { withProof } = useProof()
  const queries = useQueryClient()
  const version = useShownVersion(operation, record)
  return async (input) => {
    const change = `${operation.method} ${operation.path} ${JSON.stringify(input)}`
    // Bytes have no text that would tell one file from another.
    const canRepeat = operation.method !== 'GET' && operation.sends !== 'bytes'
    const isKeyed = canRepeat && operation.openTo.length > 0 && (await accessToken()) !== undefined
    const [key, ifMatch] = [isKeyed ? keys.keyFor(change) : undefined, version()]
    const sent = { ...input, ...(key !== undefined && { key }), ...(ifMatch !== undefined && { ifMatch }) }
    const send = () => call(operation, ...([sent] as unknown as CallArguments<S>))
    const readAgain = (): void => void queries.invalidateQueries()
    try {
      const { data, lag, position } = await withProof(() => (isKeyed ? untilItHolds(send) : send()))
      keys.ended(change)
      ownChanges += 1
      if (position !== undefined) noteOwnChange(position)
      // The change is made; what is read again may take its time.
      readAgain()
      if (lag) setTimeout(readAgain, FOLLOWS_MS)
      return data
    } catch (error) {
      keys.ended(change, error)
      if (error instanceof Refusal && OTHERWISE.includes(error.statusCode)) {
        if (error.statusCode === CHANGED_SINCE) ownChanges += 1
        readAgain()
      }
      throw error
    }
  }
}
