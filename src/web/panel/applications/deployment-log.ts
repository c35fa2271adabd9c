/** A deployment with its log as it happens. */
import { useCallback } from 'react'
import { getApplicationsByIdDeploymentsByDepId } from '#api-client/panel/applications'
import type { DeploymentWithLog } from '#api-client/panel/schemas'
import { useSession } from '../../session/context.tsx'
import { useFollowed } from '../agent/followed.ts'
import type { Followed, FollowQuery } from '../agent/followed.ts'
import { isOver } from './deployment-words.ts'

/** @param depId of one deployment: a component that shows another one has another key */
export function useDeploymentLog(id: string, depId: string): Followed<DeploymentWithLog> {
  const { call } = useSession()
  const read = useCallback(
    async (query: FollowQuery, signal: AbortSignal): Promise<DeploymentWithLog> =>
      (await call(getApplicationsByIdDeploymentsByDepId, { params: { id, depId }, query, signal })).data,
    [call, id, depId],
  )
  return useFollowed(read, isOver)
}
