/** Reads what is shown again when another person or process changes it. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { createFeed } from '#api-client/feed'
import type { FeedShape } from '#api-client/feed'
import type { Operation } from '#api-client/operation'
import { useSession, useSessionState } from '../session/context.tsx'
import { followFeed } from './feed.ts'

function subscribe(changed: () => void): () => void {
  document.addEventListener('visibilitychange', changed)
  return () => document.removeEventListener('visibilitychange', changed)
}

const isSeen = (): boolean => !document.hidden

export function LiveUpdates({ feed }: { readonly feed: Operation<FeedShape> }) {
  const { call, realm } = useSession()
  const { account, phase } = useSessionState()
  const queries = useQueryClient()
  const isVisible = useSyncExternalStore(subscribe, isSeen)
  // Without locks each tab reads for itself, and a browser opens few connections to one address over plain http.
  const isFollowing = phase === 'in' && (isVisible || 'locks' in navigator)
  const holder = account?.id
  useEffect(() => {
    if (!isFollowing) return undefined
    // A hidden tab reads again when it is shown.
    const changed = (): void => void queries.invalidateQueries({ refetchType: isSeen() ? 'active' : 'none' })
    return followFeed(createFeed(call, feed), `${realm.kind}-${holder}`, changed)
  }, [call, feed, realm, queries, isFollowing, holder])
  return null
}
