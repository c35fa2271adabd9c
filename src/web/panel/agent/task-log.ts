/** The log of a task as it happens. */
import { useCallback } from 'react'
import type { DataOf } from '#api-client/operation'
import { getAgentTasksById } from '#api-client/panel/agent'
import { useSession } from '../../session/context.tsx'
import { useFollowed } from './followed.ts'
import type { Followed, FollowQuery } from './followed.ts'

export type Task = DataOf<typeof getAgentTasksById>

const OVER: readonly string[] = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED']

export const isOver = ({ state }: Pick<Task, 'state'>): boolean => OVER.includes(state)

/** @param id of one task: a component that shows another one has another key */
export function useTaskLog(id: string): Followed<Task> {
  const { call } = useSession()
  const read = useCallback(
    async (query: FollowQuery, signal: AbortSignal): Promise<Task> =>
      (await call(getAgentTasksById, { params: { id }, query, signal })).data,
    [call, id],
  )
  return useFollowed(read, isOver)
}
