/** The log of a task as it happens: each answer waits for the next lines, or for the end of the task. */
import { useEffect, useState } from 'react'
import type { DataOf } from '#api-client/operation'
import { getAgentTasksById } from '#api-client/panel/agent'
import { Refusal } from '#api-client/refusal'
import { useSession } from '../../session/context.tsx'

export type Task = DataOf<typeof getAgentTasksById>
export type Line = NonNullable<Task['log']>['lines'][number]

export interface Followed {
  /** Undefined until the first answer. */
  readonly task: Task | undefined
  /** The newest ones. */
  readonly lines: readonly Line[]
  readonly refused: Error | undefined
}

/** More would make the page slow. */
export const LINES_SHOWN_MAX = 5_000
const WAIT_MS = 10_000
const PAUSE_MS = 2_000
const OVER: readonly string[] = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'EXPIRED']

export const isOver = ({ state }: Pick<Task, 'state'>): boolean => OVER.includes(state)

const pause = (): Promise<void> => new Promise((passed) => setTimeout(passed, PAUSE_MS))

/** A page of the log is not the end of it: a task that is over is read until a page is empty. */
const isRead = (task: Task): boolean => isOver(task) && (task.log?.lines.length ?? 0) === 0

/** @param id of one task: a component that shows another one has another key */
export function useTaskLog(id: string): Followed {
  const { call } = useSession()
  const [followed, setFollowed] = useState(NOTHING)
  useEffect(() => {
    const { signal, abort } = cancellation()
    const read = async (after: number, waitMs: number): Promise<Task> => {
      const { data } = await call(getAgentTasksById, { params: { id }, query: { after, waitMs }, signal })
      const told = data.log?.lines ?? []
      setFollowed(({ lines }) => ({
        task: data,
        lines: told.length === 0 ? lines : [...lines, ...told].slice(-LINES_SHOWN_MAX),
        refused: undefined,
      }))
      return data
    }
    const follow = async (): Promise<void> => {
      for (let after = 0, waitMs = 0; !signal.aborted; waitMs = WAIT_MS)
        try {
          const task = await read(after, waitMs)
          if (isRead(task)) return
          after = task.log?.next ?? after
        } catch (error) {
          if (signal.aborted) return
          setFollowed((before) => ({ ...before, refused: error as Error }))
          if (isFinal(error)) return
          await pause()
        }
    }
    void follow()
    return abort
  }, [call, id])
  return followed
}

const NOTHING: Followed = { task: undefined, lines: [], refused: undefined }
/** What a later try would be told as well. */
const isFinal = (error: unknown): boolean => error instanceof Refusal && FINAL.includes(error.statusCode)
const FINAL = [400, 403, 404]

function cancellation() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
