/** Reads what is shown again when another person or process changes it. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createFeed } from '#api-client/feed'
import type { FeedShape } from '#api-client/feed'
import type { Operation } from '#api-client/operation'
import { useSession, useSessionState } from '../session/context.tsx'
import { followFeed } from './feed.ts'

export function LiveUpdates({ feed }: { readonly feed: Operation<FeedShape> }) {
  const { call, realm } = useSession()
  const { phase } = useSessionState()
  const queries = useQueryClient()
  const isIn = phase === 'in'
  useEffect(() => {
    if (!isIn) return undefined
    return followFeed(createFeed(call, feed), realm.kind, () => void queries.invalidateQueries())
  }, [call, feed, realm, queries, isIn])
  return null
}
