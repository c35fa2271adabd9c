/** Reads what is shown again when another person or process changes it. */
import type { InfiniteData, Query, QueryClient, QueryFunction } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createFeed } from '#api-client/feed'
import type { FeedChange, FeedEvent, FeedShape } from '#api-client/feed'
import type { Operation } from '#api-client/operation'
import type { Page, Place } from '#api-client/paging'
import { useSession, useSessionState } from '../session/context.tsx'
import { concernOf, holdsOne } from './concern.ts'
import type { AnswerKey, Kinds } from './concern.ts'
import { followFeed } from './feed.ts'
import { takeIn } from './list-pages.ts'
import type { ShownPage } from './list-pages.ts'
import { isSeen, subscribeToSeen, useSeen } from './seen.ts'

interface LiveUpdatesProps {
  readonly feed: Operation<FeedShape>
  readonly kinds: Kinds
}

export function LiveUpdates({ feed, kinds }: LiveUpdatesProps) {
  const session = useSession()
  const { account, phase } = useSessionState()
  const queries = useQueryClient()
  const isVisible = useSeen()
  // Without locks each tab reads for itself, and a browser opens few connections to one address over plain http.
  const isFollowing = phase === 'in' && (isVisible || 'locks' in navigator)
  const holder = account?.id
  useEffect(() => {
    if (!isFollowing || holder === undefined) return undefined
    const reread = (): void => void session.reread().catch(() => {})
    /** A change of the own account, but for its sessions, may be one of its rights. */
    const isOwn = ({ kind, ids }: FeedChange): boolean =>
      Object.values(ids).includes(holder) && kinds[kind]?.join() !== SESSIONS
    const changed = async (events: readonly FeedEvent[]): Promise<void> => {
      await untilSeen()
      const others = events.filter(({ position }) => !session.isOwnChange(position))
      const changes = others.filter((event) => event.type === 'change')
      if (changes.some(isOwn)) reread()
      if (changes.length < others.length || changes.some(isOwn)) await queries.invalidateQueries()
      else if (changes.length > 0) await readAgain(queries, changes, kinds)
    }
    const begun = (): void => {
      const openedMs = Date.now()
      void queries.invalidateQueries({ predicate: ({ state }) => state.dataUpdatedAt < openedMs })
    }
    const name = `${session.realm.kind}-${holder}`
    return followFeed(createFeed(session.call, feed), name, { changed, begun, interrupted: reread })
  }, [session, feed, kinds, queries, isFollowing, holder])
  return null
}

/** The section of sign-in and sessions, in both services. */
const SESSIONS = 'auth'

/** A hidden tab reads again when it is shown. */
function untilSeen(): Promise<void> {
  return new Promise((resolve) => {
    if (isSeen()) return resolve()
    const end = subscribeToSeen(() => {
      end()
      resolve()
    })
  })
}

async function readAgain(queries: QueryClient, changes: readonly FeedChange[], kinds: Kinds): Promise<void> {
  const isConcerned = concernOf(changes, kinds)
  const ids = changes.flatMap((change) => Object.values(change.ids))
  const concerned = queries
    .getQueryCache()
    .findAll({ predicate: ({ queryKey, state }) => isConcerned(queryKey as unknown as AnswerKey, state.data) })
  const lists = concerned.filter((query) => query.isActive() && isList(query))
  const others = concerned.filter((query) => !lists.includes(query))
  const again = queries.invalidateQueries({ predicate: (query) => others.includes(query) })
  await Promise.all([again, ...lists.map((list) => refresh(queries, list, ids))])
}

type ListPages = InfiniteData<ShownPage, Place | undefined>

const isList = ({ queryKey, state }: Query): boolean => queryKey[2] === 'pages' && state.data !== undefined

/** Reads the first page and those that show one of the ids. */
async function refresh(queries: QueryClient, query: Query, ids: readonly string[]): Promise<void> {
  const { queryKey, meta, state } = query
  const { pages, pageParams } = state.data as ListPages
  const touched = pages.flatMap((page, nth) => (nth === 0 || holdsOne(page, ids) ? [nth] : []))
  const read = query.options.queryFn as QueryFunction<Page<unknown>, readonly unknown[], Place | undefined>
  const { signal } = new AbortController()
  try {
    const fresh = await Promise.all(
      touched.map(async (nth) => {
        const context = { client: queries, queryKey, signal, meta, pageParam: pageParams[nth], direction: 'forward' }
        return [nth, await read(context as Parameters<typeof read>[0])] as const
      }),
    )
    // What was read meanwhile is newer.
    if (query.state.dataUpdatedAt !== state.dataUpdatedAt)
      return await queries.invalidateQueries({ queryKey, exact: true })
    const byPage = new Map(fresh)
    const taken = pages.map((page, nth) => {
      const again = byPage.get(nth)
      return again ? takeIn(pages, nth, again, meta?.['holdsNew'] === true) : page
    })
    queries.setQueryData<ListPages>(queryKey, { pages: taken, pageParams })
  } catch {
    // The list says itself why it cannot be read.
    await queries.invalidateQueries({ queryKey, exact: true })
  }
}
